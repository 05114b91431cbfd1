import { expect, test } from 'vitest';
import { World, openTestLine } from '../calls/open-test-line.ts';
import { ok } from '../../shared/result.ts';
import { silentLog } from '../log.ts';
import { dispatchRequest } from '../requests/dispatch-request.ts';
import type { AllHandlers } from '../requests/handlers.ts';
import { getApproval, listApprovals } from '../store/approvals.ts';
import { unreadableRowNotices } from '../store/unreadable-rows.ts';
import { listRuns, readInvocation, readRun, readWholeResult } from './read-runs.ts';
import { fitsMasked } from './judge-rows.ts';
import { verifyRun } from './verify-run.ts';

/** Of a call that waits, what is not in the chain yet. */
const NOT_COVERED: Readonly<Record<string, readonly string[]>> = {
  sent: [],
  denied: [],
  approved: [],
  // written with the decision, and in the chain with the outcome
  waiting: ['invocations.waited_ms'],
};

const setUp = async () => {
  const t = openTestLine();
  t.world.answer = () => World.text('x'.repeat(400_000));
  const read = t.world.tool({ name: 'read', tier: 'read_only' });
  const write = t.world.tool({ name: 'write', tier: 'high_write' });
  const call = async (capabilityId: string) => {
    const outcome = await t.line.tryCall({ capabilityId, principal: 'user', input: { text: 'hi' } });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.value;
  };
  const sent = await call(read);
  const denied = await call(write);
  t.line.approvals.decide(denied.approvalId!, 'deny', { by: 'me', reason: 'no' });
  const approved = await call(write);
  t.line.approvals.decide(approved.approvalId!, 'approve', { by: 'me' });
  await expect.poll(() => t.line.runningCount()).toBe(0);
  const waiting = await call(write);
  const db = t.store.connection;
  db.pragma('foreign_keys = OFF');
  db.pragma('ignore_check_constraints = ON');
  return { ...t, db, runs: { sent, denied, approved, waiting } };
};

type Column = { name: string; type: string; pk: number };

test('E11 a changed column of a run, a call, an approval, an event or a preview is found, unless it is listed with why', async () => {
  const { store, db, runs } = await setUp();
  for (const [kind, { runId }] of Object.entries(runs)) {
    expect(await verifyRun(store, runId), kind).toMatchObject({ ok: true, value: { ok: true } });
    const calls = `SELECT id FROM invocations WHERE run_id = '${runId}'`;
    const rowsOf = { runs: `id = '${runId}'`, invocations: `run_id = '${runId}'`, approvals: `run_id = '${runId}'`, events: `run = (SELECT n FROM runs WHERE id = '${runId}') AND seq = 3`, result_previews: `invocation_id IN (${calls})` };
    const missed: string[] = [];
    for (const [table, where] of Object.entries(rowsOf)) {
      for (const { name, type } of db.pragma(`table_info(${table})`) as Column[]) {
        db.exec('BEGIN');
        const change = type === 'INTEGER' ? `coalesce(${name}, 0) + 4097` : `coalesce(${name}, '') || 'z'`;
        const { changes } = db.prepare(`UPDATE ${table} SET ${name} = ${change} WHERE ${where}`).run();
        const verdict = changes === 0 ? null : await verifyRun(store, runId);
        db.exec('ROLLBACK');
        if (verdict?.ok && verdict.value.ok) missed.push(`${table}.${name}`);
      }
    }
    expect(missed, kind).toEqual(NOT_COVERED[kind]);
  }
}, 60_000);

test('E11 which checks apply is said by the chain, never by a row', async () => {
  const { store, db, runs } = await setUp();
  const forged = JSON.stringify({ content: [], isError: false, extra: {}, sizeBytes: 1, masked: [], source: { serverId: 's', capabilityId: 'c', serverName: 's', serverVersion: '1' } });
  const cases: [keyof typeof runs, string, object][] = [
    ['sent', `UPDATE runs SET ended_at = NULL, state = 'running' WHERE id = $run`, { table: 'runs' }],
    ['sent', `UPDATE invocations SET result_json = 'null' WHERE run_id = $run`, { table: 'invocations', field: 'result_json' }],
    ['denied', `UPDATE invocations SET result_json = '${forged}' WHERE run_id = $run`, { table: 'invocations', field: 'result_json' }],
    ['denied', `UPDATE approvals SET decided_by = 'Mallory' WHERE run_id = $run`, { table: 'approvals', field: 'decided_by' }],
    ['denied', `INSERT INTO result_previews SELECT id, '${forged}' FROM invocations WHERE run_id = $run`, { table: 'result_previews', field: 'preview_json' }],
    ['waiting', `UPDATE invocations SET state = 'completed', class = 'ok' WHERE run_id = $run`, { table: 'invocations' }],
    ['approved', `DELETE FROM approvals WHERE run_id = $run`, { table: 'approvals' }],
    ['approved', `INSERT INTO invocations SELECT 'forged', run_id, capability_id, principal, tier, state, stage, code, class, fault_json, frozen_input, input_hash, binding_fingerprint, definition_fingerprint, grounded, created_at, started_at, ended_at, waited_ms, NULL FROM invocations WHERE run_id = $run`, { table: 'invocations', row: 'forged' }],
    ['approved', `INSERT INTO approvals SELECT 'forged', invocation_id, run_id, capability_id, input_hash, 'n', state, binding_fingerprint, policy_version, detail_json, created_at, expires_at, decided_at, decided_by, reason, consumed_at FROM approvals WHERE run_id = $run`, { table: 'approvals', row: 'forged' }],
  ];
  for (const [kind, sql, place] of cases) {
    db.exec('BEGIN');
    db.prepare(sql).run({ run: runs[kind].runId });
    expect(await verifyRun(store, runs[kind].runId), sql).toMatchObject({ value: { ok: false, firstBad: { place } } });
    db.exec('ROLLBACK');
  }
}, 60_000);

test('E11 a text that was masked in its event fits what it was made of, and nothing else', () => {
  expect(fitsMasked('a [secret] b', 'a hunter2 b')).toBe(true);
  expect(fitsMasked('a [masked: key] b [secret]', 'a k b s')).toBe(true);
  expect(fitsMasked('a [secret] b', 'a hunter2 c')).toBe(false);
  expect(fitsMasked('a', 'ab')).toBe(false);
});

test('E12 a stored result that is no result is told by a code; the rest of the call is answered', async () => {
  const { store, db, runs } = await setUp();
  db.exec('DELETE FROM result_previews');
  for (const text of ['{"content":[]}', '{', 'null']) {
    db.prepare('UPDATE invocations SET result_json = ? WHERE id = ?').run(text, runs.sent.invocationId);
    expect(readInvocation(store, runs.sent.invocationId)).toMatchObject({ ok: true, value: { state: 'completed', result: null, resultFault: { code: 'row_unreadable' } } });
    expect(readWholeResult(store, runs.sent.invocationId)).toMatchObject({ ok: false, error: { code: 'row_unreadable' } });
  }
}, 60_000);

test('E12 a run, a call or an approval whose row cannot be read is told by a code and hides no other; it approves nothing at the next start', async () => {
  const { store, db, line, runs } = await setUp();
  const ask = dispatchRequest({ 'runs:list': (page: { limit: number }) => ok({ runs: [...listRuns(store, page)] }), 'runs:get': ({ runId }: { runId: string }) => readRun(store, runId), 'calls:get': ({ invocationId }: { invocationId: string }) => readInvocation(store, invocationId), 'approvals:list': () => ok({ approvals: store.read((read) => listApprovals(read)) }), 'approvals:get': ({ approvalId }: { approvalId: string }) => ok(store.read((read) => getApproval(read, approvalId))) } as unknown as AllHandlers, silentLog);
  const asked = async (name: string, input: object) => ask(name, input, { kind: 'window', canDecide: true });
  db.prepare("UPDATE runs SET kind = 'dream' WHERE id = ?").run(runs.sent.runId);
  db.prepare("UPDATE invocations SET fault_json = '{' WHERE id = ?").run(runs.denied.invocationId);
  db.prepare("UPDATE approvals SET detail_json = '[' WHERE id = ?").run(runs.waiting.approvalId);
  const listed = async (name: 'runs' | 'approvals'): Promise<string[]> => ((await asked(`${name}:list`, {})) as { value: Record<string, { id: string }[]> }).value[name]!.map(({ id }) => id).toSorted();
  expect(await listed('runs')).toEqual([runs.waiting.runId, runs.approved.runId, runs.denied.runId].toSorted());
  expect(await asked('runs:get', { runId: runs.denied.runId })).toMatchObject({ ok: true, value: { run: { invocations: [] } } });
  expect(await listed('approvals')).toEqual([runs.approved.approvalId, runs.denied.approvalId].toSorted());
  for (const [name, input, table] of [['runs:get', { runId: runs.sent.runId }, 'runs'], ['calls:get', { invocationId: runs.denied.invocationId }, 'invocations'], ['approvals:get', { approvalId: runs.waiting.approvalId }, 'approvals']] as const) {
    expect([name, await asked(name, input)]).toMatchObject([name, { ok: false, error: { code: 'row_unreadable', remedy: expect.any(String), details: { table } } }]);
  }
  expect(unreadableRowNotices(store.read((read) => read), 1).map(({ details }) => [details?.['table'], details?.['rows']])).toEqual([['runs', [runs.sent.runId]], ['invocations', [runs.denied.invocationId]], ['approvals', [runs.waiting.approvalId]]]);
  line.recoverAtStart();
  expect(readInvocation(store, runs.waiting.invocationId)).toMatchObject({ ok: true, value: { state: 'failed', code: 'cancelled', class: 'not_sent' } });
}, 60_000);
