import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { expect, test } from 'vitest';
import { World, openTestLine } from '../calls/open-test-line.ts';
import { exportRun } from './export-run.ts';
import { verifyRun } from './verify-run.ts';

const aRun = async (answer = 'done') => {
  const t = openTestLine();
  t.world.answer = () => World.text(answer);
  const id = t.world.tool({ name: 'echo', tier: 'read_only' });
  const outcome = await t.line.tryCall({ capabilityId: id, principal: 'user', input: { text: 'hi' } });
  if (!outcome.ok) throw new Error(outcome.error.message);
  const verdict = async () => {
    const v = await verifyRun(t.store, outcome.value.runId);
    return v.ok ? v.value : v.error;
  };
  return { ...t, runId: outcome.value.runId, invocationId: outcome.value.invocationId, verdict, sql: (text: string) => t.store.connection.exec(text) };
};

test('E01 a call leaves its chain: run, plan, normalize, policy, intent, answer, outcome', async () => {
  const run = await aRun();
  expect(await run.verdict()).toEqual({ ok: true, events: 9 });
  const types = run.store.connection.prepare('SELECT type FROM events ORDER BY seq').pluck().all();
  expect(types).toEqual(['run.started', 'call.planned', 'call.normalized', 'call.policy', 'call.intent', 'call.received', 'call.validated', 'call.outcome', 'run.ended']);
});

test.each([
  ['edited data', `UPDATE events SET data_json = replace(data_json, '"allow"', '"deny"') WHERE seq = 4`, 4],
  ['edited data, hash made to fit', `UPDATE events SET hash = '${'a'.repeat(64)}' WHERE seq = 4`, 4],
  ['edited time', `UPDATE events SET at = at + 1 WHERE seq = 2`, 2],
  ['edited type', `UPDATE events SET type = 'call.refused' WHERE seq = 5`, 5],
  ['not JSON', `UPDATE events SET data_json = '{' WHERE seq = 3`, 3],
  ['other spelling of the same data', `UPDATE events SET data_json = replace(data_json, '":', '": ') WHERE seq = 3`, 3],
  ['removed row', `DELETE FROM events WHERE seq = 5`, 5],
  ['removed first row', `DELETE FROM events WHERE seq = 1`, 1],
  ['cut tail', `DELETE FROM events WHERE seq >= 8`, 8],
  ['all removed', `DELETE FROM events`, 1],
  ['swapped rows', `UPDATE events SET id = id + 97 WHERE seq = 3; UPDATE events SET id = id - 1 WHERE seq = 4; UPDATE events SET id = id - 96 WHERE seq = 100`, 3],
  ['tail cut and count lowered', `DELETE FROM events WHERE seq >= 8; UPDATE runs SET event_count = 7`, 7],
  ['row added at the end', `INSERT INTO events SELECT id + 1, 'f', 1, 'x', NULL, '{}' FROM events WHERE seq = 9`, 10],
])('E02 verify names the first bad row: %s', async (_name, sql, seq) => {
  const run = await aRun();
  run.sql(sql);
  const verdict = await run.verdict();
  expect(verdict).toMatchObject({ ok: false, firstBad: { seq } });
});

test.each([
  ['input', `UPDATE invocations SET frozen_input = '{"text":"ho"}'`, 3],
  ['result', `UPDATE invocations SET result_json = replace(result_json, 'done', 'gone')`, 8],
  ['outcome', `UPDATE invocations SET state = 'failed', code = 'denied'`, 8],
  ['call removed', `DELETE FROM invocations`, 8],
])('E02 verify finds rows beside the chain that are not the ones in it: %s', async (_name, sql) => {
  const run = await aRun();
  run.sql(sql);
  expect(await run.verdict()).toMatchObject({ ok: false });
});

test('E02 an unknown run is not_found', async () => {
  const run = await aRun();
  expect(await verifyRun(run.store, 'nope')).toMatchObject({ ok: false, error: { code: 'not_found' } });
});

test('A22 a second row after the same row is refused, and so is a row after none', async () => {
  const run = await aRun();
  expect(() => run.sql(`INSERT INTO events SELECT id, 'f', at, type, invocation_id, data_json FROM events WHERE seq = 4`)).toThrow(/UNIQUE/);
  expect(() => run.sql(`INSERT INTO events SELECT id + 50, 'f', at, type, invocation_id, data_json FROM events WHERE seq = 4`)).toThrow(/no gap/);
});

test('E04 an export can be verified from its text alone', async () => {
  const run = await aRun();
  const exported = exportRun(run.store, run.runId);
  if (!exported.ok) throw new Error('export');
  const [head, ...events] = exported.value.text.trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(head).toMatchObject({ format: 'gantry-evidence/1', run: { id: run.runId, eventCount: events.length } });
  let prev = '0'.repeat(64);
  for (const { hash, ...event } of events) {
    expect(event['prevHash']).toBe(prev);
    prev = createHash('sha256').update(canonicalize(event) ?? '').digest('hex');
    expect(hash).toBe(prev);
  }
  expect((head?.['run'] as Record<string, unknown>)['headHash']).toBe(prev);
});

test('A26 an export carries no active character and no formula', async () => {
  const run = await aRun('=cmd|/c calc\u001b[31m\u202egnp.exe\u009b1m\u{e0041}<script>');
  const exported = exportRun(run.store, run.runId);
  if (!exported.ok) throw new Error('export');
  expect(exported.value.text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/u);
  for (const line of exported.value.text.trimEnd().split('\n')) expect(line.startsWith('{')).toBe(true);
  expect(exported.value.text).toContain('\\u202egnp.exe');
  expect(exported.value.fileName).toMatch(/^[A-Za-z0-9.-]+$/);
});

test('D18 verify names a run whose recorded step could not be taken into its tables, although what was taken holds', async () => {
  const t = openTestLine();
  const run = t.line.beginRun({ kind: 'agent', title: 'a run', principal: 'agent:default' });
  expect(await verifyRun(t.store, run.id)).toEqual({ ok: true, value: { ok: true, events: 1 } });
  const beside = t.store.connection;
  t.line.note(run.id, [{ type: 'turn.request', invocationId: null, data: {} }]);
  beside.exec("UPDATE steps SET step_text = '{}' WHERE seq = 2");
  expect(await verifyRun(t.store, run.id)).toMatchObject({ ok: true, value: { ok: false, firstBad: { seq: 2 }, events: 1 } });
});
