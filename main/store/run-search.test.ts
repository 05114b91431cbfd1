import { afterAll, expect, test } from 'vitest';
import { openTestLine, World } from '../calls/open-test-line.ts';
import { fault } from '../../shared/fault.ts';
import { openReadOnly } from './read-only.ts';
import { runPageSql, searchRuns, type RunQuery } from './run-search.ts';
import { approvalPage } from './approvals.ts';
import { countOutcomes } from './outcome-counts.ts';

const t = openTestLine();
afterAll(() => t.store.close());
const ids: Record<string, string> = {};

const call = async (name: string, capabilityId: string, ask: { readonly principal?: string } = {}): Promise<void> => {
  t.clock.pass(1_000);
  const outcome = await t.line.tryCall({ capabilityId, principal: ask.principal ?? 'user', input: {} });
  if (!outcome.ok) throw new Error(outcome.error.code);
  ids[name] = outcome.value.runId;
};

const find = (query: Partial<RunQuery>) => t.store.read((db) => searchRuns(db, { limit: 100, offset: 0, ...query }));
const names = (query: Partial<RunQuery>): string[] => find(query).runs.map((run) => Object.keys(ids).find((name) => ids[name] === run.id) ?? run.title);
/** Every step of the plan, without what differs between versions of SQLite. */
const planOf = (sql: string, values: readonly (string | number)[]): string => (t.store.connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[]).map((row) => row.detail).join('\n');

test('D33 runs are found by state, by how a call ended, by server, capability, time and words, newest first, with the number of each', async () => {
  const read = t.world.tool({ name: 'read_file', tier: 'read_only', serverId: 'files' });
  const odd = t.world.tool({ name: '100%_sure', tier: 'read_only', serverId: 'files' });
  const other = t.world.tool({ name: 'read_file', tier: 'read_only', serverId: 'files-2' });
  const write = t.world.tool({ name: 'write', tier: 'high_write', serverId: 'files' });
  await call('read', read);
  await call('odd', odd);
  await call('other', other);
  t.world.answer = () => World.result({ content: [{ type: 'text', text: 'no' }], isError: true });
  await call('error', read);
  t.world.answer = () => ({ kind: 'failed', fault: fault('exited', 'gone'), sent: true, mayHaveRun: true });
  await call('lost', read);
  t.world.answer = () => World.text('done');
  await call('waiting', write);
  await call('denied', write);
  const pending = t.line.approvals.list('pending');
  await t.line.approvals.decide(pending.find((one) => one.runId === ids['denied'])!.id, 'deny', { by: 'window' });
  // ids of one millisecond have no order
  t.clock.pass(1);
  const agent = t.line.beginRun({ kind: 'agent', title: 'Tidy 整理 the notes', principal: 'agent:default' });
  ids['agent'] = agent.id;

  expect(names({})).toEqual(['agent', 'denied', 'waiting', 'lost', 'error', 'other', 'odd', 'read']);
  expect(find({}).counts).toEqual({ running: 1, awaiting_approval: 1, completed: 3, failed: 3, denied: 1, unclear: 1 });
  expect(names({ standing: 'unclear' })).toEqual(['lost']);
  expect(names({ standing: 'denied' })).toEqual(['denied']);
  expect(names({ standing: 'failed', serverId: 'files' })).toEqual(['denied', 'lost', 'error']);
  expect(find({ serverId: 'files', standing: 'failed' })).toMatchObject({ found: 3, total: 8, counts: { completed: 2, running: 0 } });
  expect(names({ serverId: 'files-2' })).toEqual(['other']);
  expect(names({ capabilityId: write })).toEqual(['denied', 'waiting']);
  // what stands in a word is no pattern
  expect(names({ words: '0%_s' })).toEqual(['odd']);
  expect(names({ words: '_' })).not.toContain('agent');
  expect(names({ words: 'READ_FILE files-2' })).toEqual(['other']);
  expect(names({ words: '整理 notes' })).toEqual(['agent']);
  expect(names({ words: ids['error']!.slice(0, 20) })).toContain('error');
  const { upTo } = find({});
  expect(names({ limit: 3, offset: 2, upTo })).toEqual(['waiting', 'lost', 'error']);
  t.clock.pass(1_000);
  t.line.beginRun({ kind: 'agent', title: 'later', principal: 'agent:default' });
  expect(find({ limit: 1, offset: 0, upTo })).toMatchObject({ runs: [{ id: ids['agent'] }], total: 8 });
  expect(names({ limit: 1, offset: 0 })).toEqual(['later']);
});

test('D33 runs are found by words of every script, whatever their case, accents and width', () => {
  const title = 'ÉTÉ à São Paulo ΑΘΉΝΑ Ёлка 数据库备份 ＡＢＣ がっこう straße';
  t.clock.pass(1_000);
  const run = t.line.beginRun({ kind: 'agent', title, principal: 'agent:default' });
  const finds = (words: string): boolean => find({ words }).runs.some(({ id }) => id === run.id);
  for (const words of ['été', 'ETE sao', 'e\u0301te\u0301', 'αθηνα', 'ёлка', 'елка', '数据库', '备份', 'abc', 'がっこう', 'STRASSE'.toLowerCase().replace('ss', 'ß'), 'paulo ＡＢＣ']) expect([words, finds(words)]).toEqual([words, true]);
  for (const words of ['数据仓', 'かっこう', 'été paris', 'a%b']) expect([words, finds(words)]).toEqual([words, false]);
  const reader = openReadOnly(t.store.path);
  t.store.settle();
  expect(reader.read((db) => searchRuns(db, { limit: 1, offset: 0, words: 'SÃO' })).runs[0]?.id).toBe(run.id);
});

test('D33 a page of runs is read in the order of its ids, and what it is narrowed by through indexes, never through the calls themselves', () => {
  const filters: readonly Partial<RunQuery>[] = [{}, { serverId: 'files' }, { capabilityId: 'mcp:files:tool:write' }, { standing: 'unclear' }, { standing: 'denied', serverId: 'files' }, { words: 'read' }, { fromId: '0', toId: 'f', upTo: 'f' }];
  for (const filter of filters) {
    const { sql, values } = runPageSql({ limit: 100, offset: 0, ...filter });
    const plan = planOf(sql, values);
    expect(plan, sql).not.toMatch(/USE TEMP B-TREE FOR ORDER BY/);
    expect(plan, sql).not.toMatch(/(SCAN|SEARCH) invocations(?! USING COVERING INDEX)/);
  }
});

test('D33 a connection that only reads finds what was just committed', () => {
  const reader = openReadOnly(t.store.path);
  t.clock.pass(1_000);
  const run = t.line.beginRun({ kind: 'agent', title: 'just now', principal: 'agent:default' });
  // as the lane does before it asks its worker
  t.store.settle();
  expect(reader.read((db) => searchRuns(db, { limit: 1, offset: 0 })).runs[0]?.id).toBe(run.id);
});

test('D34 approvals come in pages without their inputs, those that end first before others, and the figures of a server from indexes', () => {
  const pages = (of: 'pending' | 'ended') => t.store.read((db) => approvalPage(db, { of, offset: 0, limit: 10 }));
  expect(pages('pending')).toMatchObject({ total: 1, rows: [{ runId: ids['waiting'], state: 'pending', capabilityId: 'mcp:files:tool:write', tier: 'high_write' }] });
  expect(pages('pending').rows[0]).not.toHaveProperty('frozenInput');
  expect(pages('ended')).toMatchObject({ total: 1, rows: [{ runId: ids['denied'], state: 'denied', decidedBy: 'window' }] });
  expect(t.store.read((db) => countOutcomes(db, 'files'))).toEqual({ total: 6, failed: 2, unknown: 0, lastUnknownAt: null });
  for (const sql of ["SELECT count(*) FROM invocations WHERE capability_id >= 'a' AND capability_id < 'b'", "SELECT sum(code = 'x'), max(ended_at) FROM invocations WHERE state = 'failed' AND capability_id >= 'a' AND capability_id < 'b'"]) {
    expect(planOf(sql, [])).toMatch(/SEARCH invocations USING COVERING INDEX/);
  }
  expect(planOf("SELECT id FROM approvals WHERE state <> 'pending' ORDER BY coalesce(decided_at, created_at) DESC, rowid DESC LIMIT 10", [])).toMatch(/USING INDEX approvals_by_end(?![^]*TEMP B-TREE)/);
});
