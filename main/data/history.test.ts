import { existsSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { World, openTestLine } from '../calls/open-test-line.ts';
import { readRun } from '../evidence/read-runs.ts';
import { verifyRun } from '../evidence/verify-run.ts';
import { silentLog } from '../log.ts';
import { listDeletedRuns } from '../store/deleted-runs.ts';
import { listRuns } from '../store/runs.ts';
import { History } from './history.ts';

const DAY = 24 * 60 * 60_000;

const setUp = () => {
  const t = openTestLine();
  const read = t.world.tool({ name: 'look', tier: 'read_only' });
  const write = t.world.tool({ name: 'note', tier: 'high_write' });
  const closing = new AbortController();
  const told: string[] = [];
  let keepDays = 0;
  const history = new History({ ...t, log: silentLog, keepDays: () => keepDays, onProgress: (step, done, total) => void told.push(`${step} ${done}/${total}`), closing: closing.signal });
  const call = async (capabilityId = read, text = 'hi') => {
    t.clock.pass(1_000);
    const outcome = await t.line.tryCall({ capabilityId, principal: 'user', input: { text }, wait: capabilityId === read });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.value;
  };
  const remove = async (select: Parameters<History['delete']>[0], unknown = false) => {
    const done = await history.delete(select, unknown, { by: 'window' });
    if (!done.ok) throw new Error(`${done.error.code} ${done.error.message}`);
    return done.value;
  };
  const count = (table: string): number => t.store.connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
  return { ...t, read, write, history, closing, told, call, remove, count, keep: (days: number) => (keepDays = days) };
};

test('DA20 DA21 ended runs go with calls, results, approvals and events; each leaves a row and an event that verify', async () => {
  const s = setUp();
  const first = await s.call();
  const { run } = (await readRun(s.store, first.runId) as { ok: true; value: { run: { headHash: string } } }).value;
  await s.call();
  const waiting = await s.call(s.write);
  await s.line.approvals.decide(s.line.approvals.list('pending')[0]!.id, 'deny', { by: 'window' });
  const done = await s.remove({ all: true });
  expect(done).toMatchObject({ runs: 3, calls: 3, whole: true, kept: { open: 0, outcomeUnknown: 0 } });
  expect([s.count('invocations'), s.count('approvals'), s.count('runs'), s.count('deleted_runs')]).toEqual([0, 0, 1, 3]);
  expect(await verifyRun(s.store, done.recordRunId!)).toEqual({ ok: true, value: { ok: true, events: 5 } });
  const rows = s.store.read((db) => listDeletedRuns(db, { limit: 10 }));
  expect(rows.map((row) => row.runId).toSorted()).toEqual(s.store.connection.prepare("SELECT data_json ->> 'runId' FROM events WHERE type = 'history.deleted' ORDER BY 1").pluck().all());
  expect(rows.find((row) => row.runId === first.runId)).toMatchObject({ eventCount: 9, calls: 1, headHash: run.headHash, deletedBy: 'window', recordRun: done.recordRunId });
  for (const gone of [first.runId, waiting.runId]) {
    expect(readRun(s.store, gone)).toMatchObject({ ok: false, error: { code: 'not_found', details: { runId: gone, headHash: expect.any(String) } } });
    expect(await verifyRun(s.store, gone)).toMatchObject({ ok: false, error: { details: { recordRun: done.recordRunId } } });
  }
});

test.each([
  ['edited count', 'UPDATE deleted_runs SET event_count = 1', 'event_count'],
  ['edited hash', "UPDATE deleted_runs SET head_hash = 'ff'", 'head_hash'],
  ['edited time', 'UPDATE deleted_runs SET deleted_at = 1', 'deleted_at'],
  ['row gone', 'DELETE FROM deleted_runs', undefined],
])('DA21 the row of a deleted run is proved by its event: %s', async (_what, sql, field) => {
  const s = setUp();
  await s.call();
  const done = await s.remove({ all: true });
  s.store.connection.exec(sql);
  const verdict = await verifyRun(s.store, done.recordRunId!);
  expect(verdict).toMatchObject({ ok: true, value: { ok: false, firstBad: { seq: 2, place: { table: 'deleted_runs', ...(field ? { field } : {}) } } } });
});

test('DA21 a row that says deleted without an event that says so is found', async () => {
  const s = setUp();
  await s.call();
  const done = await s.remove({ all: true });
  s.store.connection.exec("INSERT INTO deleted_runs SELECT 'other', kind, state, code, started_at, ended_at, event_count, calls, head_hash, deleted_at, deleted_by, record_run FROM deleted_runs");
  expect(await verifyRun(s.store, done.recordRunId!)).toMatchObject({ value: { ok: false, firstBad: { place: { table: 'deleted_runs', row: 'other' } } } });
});

test('DA22 what is open, and records of deletion, always stay; an unknown outcome stays unless it is asked for', async () => {
  const s = setUp();
  const plain = await s.call();
  const waiting = await s.call(s.write);
  s.store.connection.exec(`UPDATE invocations SET code = 'outcome_unknown' WHERE run_id = '${plain.runId}'`);
  const second = await s.call();
  expect(await s.history.preview({ all: true })).toMatchObject({ ok: true, value: { runs: 1, kept: { open: 1, outcomeUnknown: 1, outcomeUnknownRuns: [{ runId: plain.runId }] } } });
  const done = await s.remove({ all: true });
  expect(done).toMatchObject({ runs: 1, kept: { open: 1, outcomeUnknown: 1 } });
  const ids = () => s.store.read((db) => listRuns(db, { limit: 10 })).map((run) => run.id).toSorted();
  expect(ids()).toEqual([plain.runId, waiting.runId, done.recordRunId!].toSorted());
  expect(ids()).not.toContain(second.runId);
  const again = await s.remove({ all: true }, true);
  expect(again).toMatchObject({ runs: 1, kept: { open: 1, records: 1, outcomeUnknown: 0 } });
  expect(ids()).toEqual([waiting.runId, done.recordRunId!, again.recordRunId!].toSorted());
  await s.line.approvals.decide(s.line.approvals.list('pending')[0]!.id, 'approve', { by: 'window' });
  await expect.poll(() => s.line.get(waiting.invocationId)).toMatchObject({ value: { state: 'completed' } });
});

test('DA20 by name, before a moment, by age; an unknown name is refused by its place and nothing goes', async () => {
  const s = setUp();
  const old = await s.call();
  s.clock.pass(10 * DAY);
  const young = await s.call();
  const mine = await s.call();
  expect(await s.history.delete({ runIds: [young.runId, 'none'] }, false, { by: 'window' })).toMatchObject({ ok: false, error: { code: 'not_found', field: '/select/runIds/1' } });
  expect(s.count('deleted_runs')).toBe(0);
  expect(await s.history.preview({ before: s.clock.now() - 9 * DAY })).toMatchObject({ value: { runs: 1, events: 9, calls: 1 } });
  expect(await s.remove({ olderThanDays: 9 })).toMatchObject({ runs: 1 });
  expect(await s.remove({ runIds: [mine.runId] })).toMatchObject({ runs: 1 });
  const left = s.store.read((db) => listRuns(db, { limit: 10 })).map((run) => run.id);
  expect([left.includes(old.runId), left.includes(young.runId), left.includes(mine.runId)]).toEqual([false, true, false]);
  expect(await s.remove({ olderThanDays: 9 })).toMatchObject({ runs: 0, recordRunId: null });
});

test('DA23 the file shrinks, says by how much, and holds no byte of what was deleted', async () => {
  const s = setUp();
  s.world.answer = () => World.text(`wasserzeichen ${'x'.repeat(20_000)}`);
  for (let i = 0; i < 60; i += 1) await s.call();
  s.world.answer = () => World.text('done');
  const kept = await s.call();
  const size = () => statSync(s.store.path).size;
  const done = await s.remove({ before: s.clock.now() });
  expect(done.runs).toBe(60);
  expect(done.beforeBytes).toBeGreaterThan(1_200_000);
  expect(done.afterBytes).toBeLessThan(done.beforeBytes / 3);
  expect(done.afterBytes).toBe(size());
  for (const tail of ['', '-wal']) if (existsSync(s.store.path + tail)) expect(readFileSync(s.store.path + tail).includes('wasserzeichen')).toBe(false);
  expect(s.store.connection.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(await verifyRun(s.store, kept.runId)).toMatchObject({ value: { ok: true } });
  expect(s.told.some((line) => line.startsWith('shrink'))).toBe(true);
});

test('DA23 what is small was one row first, and that row is gone as well', async () => {
  const s = setUp();
  s.world.answer = () => World.text('wasserzeichen');
  for (let i = 0; i < 3; i += 1) await s.call(s.read, 'wasserzeichen');
  expect(s.count('runs')).toBe(3);
  await s.remove({ all: true });
  for (const tail of ['', '-wal']) if (existsSync(s.store.path + tail)) expect(readFileSync(s.store.path + tail).includes('wasserzeichen')).toBe(false);
});

test('DA24 a run larger than a slice goes in slices; cut off in the middle, the next start ends it, and its record was there first', async () => {
  const s = setUp();
  const big = await s.call();
  const zero = (s.store.connection.prepare('SELECT n FROM runs WHERE id = ?').pluck().get(big.runId) as number) * 2 ** 24;
  s.store.connection.exec(`WITH RECURSIVE k(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM k WHERE i < 3000) INSERT INTO events (id, hash, at, type, invocation_id, data_json) SELECT ${zero} + i, 'h', 1, 'turn.request', NULL, '{}' FROM k`);
  const ended = s.history.delete({ all: true }, false, { by: 'window' });
  await expect.poll(() => s.count('deleted_runs'), { interval: 1 }).toBe(1);
  const between = s.count('runs');
  s.closing.abort();
  expect(await ended).toMatchObject({ ok: true });
  expect(between).toBe(2);
  expect([s.count('runs'), s.count('invocations')]).toEqual([1, 0]);
});

test('DA24 what a cut-off deletion left is gone after a start', async () => {
  const s = setUp();
  const run = await s.call();
  await s.call();
  s.store.connection.exec(`INSERT INTO deleted_runs VALUES ('${run.runId}', 'try', 'completed', NULL, 1, 2, 9, 1, 'ee', 3, 'window', 'record')`);
  s.history.start();
  await expect.poll(() => s.count('runs')).toBe(1);
  expect(s.count('invocations')).toBe(1);
  expect(readRun(s.store, run.runId)).toMatchObject({ error: { details: { recordRun: 'record' } } });
  await s.history.close();
});

test('DA24 a call goes on while history is deleted, and a second deletion is a conflict', async () => {
  const s = setUp();
  for (let i = 0; i < 40; i += 1) await s.call();
  const ended = s.history.delete({ all: true }, false, { by: 'window' });
  expect(await s.history.delete({ all: true }, false, { by: 'window' })).toMatchObject({ ok: false, error: { code: 'conflict' } });
  const meanwhile = await s.call();
  expect(meanwhile.state).toBe('completed');
  expect((await ended).ok).toBe(true);
  expect(await verifyRun(s.store, meanwhile.runId)).toMatchObject(s.count('invocations') === 1 ? { value: { ok: true } } : { error: { code: 'not_found' } });
});

test('DA25 retention is off by default; set, it deletes what is older, on record as the host, and leaves unknown outcomes', async () => {
  const s = setUp();
  const old = await s.call();
  const unknown = await s.call();
  s.store.connection.exec(`UPDATE invocations SET code = 'outcome_unknown' WHERE run_id = '${unknown.runId}'`);
  s.clock.pass(31 * DAY);
  await s.call();
  expect(await s.history.retain()).toBeNull();
  s.keep(30);
  expect(await s.history.retain()).toMatchObject({ ok: true, value: { runs: 1, kept: { outcomeUnknown: 1 } } });
  expect(s.store.read((db) => listDeletedRuns(db, { limit: 10 }))).toMatchObject([{ runId: old.runId, deletedBy: 'host' }]);
  await s.history.close();
});
