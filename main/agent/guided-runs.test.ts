import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTestLine, type TestLine, World } from '../calls/open-test-line.ts';
import { readRun } from '../evidence/read-runs.ts';
import { GuidedRuns } from './guided-runs.ts';

let t: TestLine;
let runs: GuidedRuns;
const stateOf = (runId: string): string => {
  const read = readRun(t.store, runId);
  if (!read.ok) throw new Error(read.error.code);
  return `${read.value.run.state} ${read.value.run.invocations?.length}`;
};
const unwritten: unknown[] = [];
const open = (): GuidedRuns => new GuidedRuns({ store: t.store, bus: t.bus, line: t.line, log: { error: (_message, data) => unwritten.push(data) } });
beforeEach(() => {
  t = openTestLine();
  unwritten.length = 0;
  runs = open();
});
afterEach(() => {
  vi.useRealTimers();
  runs.close();
  t.store.close();
});

test('GP04 the calls of a request share one run of the person, which stays open until it is ended', async () => {
  const read = t.world.tool({ name: 'read', tier: 'read_only' });
  const runId = runs.begin('看看这个文件', 'window');
  const first = await runs.call({ runId, capabilityId: read, inputText: '{}', rank: 2 }, 'window');
  await vi.waitFor(() => expect(stateOf(runId)).toBe('running 1'));
  await vi.waitFor(() => expect(first.ok && t.line.get(first.value.invocationId)).toMatchObject({ value: { state: 'completed', principal: 'user' } }));
  await runs.call({ runId, capabilityId: read, inputText: '{"n":1}' }, 'window');
  await vi.waitFor(() => expect(runs.end(runId)).toEqual({ ok: true, value: null }));
  expect(stateOf(runId)).toBe('completed 2');
  const record = readRun(t.store, runId);
  if (!record.ok) throw new Error();
  expect(record.value.run).toMatchObject({ kind: 'guided', title: '看看这个文件', principal: 'user', via: 'window' });
  expect(record.value.events.filter(({ type }) => type === 'plan.ranked').map(({ data }) => data)).toEqual([{ capabilityId: read, rank: 2 }]);
  expect(runs.end(runId)).toEqual({ ok: true, value: null });
  expect(await runs.call({ runId, capabilityId: read, inputText: '{}' }, 'window')).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(await runs.call({ runId: 'none', capabilityId: read, inputText: '{}' }, 'window')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(runs.end('none')).toMatchObject({ ok: false, error: { code: 'not_found' } });
});

test('GP04 a call that waits for a person keeps its run open, over a restart too', async () => {
  const write = t.world.tool({ name: 'write', tier: 'high_write' });
  const runId = runs.begin('write it', 'window');
  await runs.call({ runId, capabilityId: write, inputText: '{}' }, 'window');
  expect(runs.end(runId)).toMatchObject({ ok: false, error: { code: 'conflict' } });
  runs.close();
  t.restart().recoverAtStart();
  runs = open();
  expect(runs.end(runId)).toMatchObject({ ok: false, error: { code: 'conflict' } });
  const [approval] = t.line.approvals.list('pending');
  await t.line.approvals.decide(approval!.id, 'deny', { by: 'window' });
  await vi.waitFor(() => expect(runs.end(runId)).toEqual({ ok: true, value: null }));
  expect(stateOf(runId)).toBe('completed 1');
});

test('GP04 half an hour after its last call a run ends by itself, and with the host at once', async () => {
  vi.useFakeTimers();
  runs.close();
  runs = open();
  const read = t.world.tool({ name: 'read', tier: 'read_only' });
  t.world.answer = () => World.text('here');
  const [left, other] = [runs.begin('left', 'window'), runs.begin('other', 'window')];
  vi.advanceTimersByTime(20 * 60_000);
  const called = await runs.call({ runId: left, capabilityId: read, inputText: '{}' }, 'window');
  await vi.waitFor(() => expect(called.ok && t.line.get(called.value.invocationId)).toMatchObject({ value: { state: 'completed' } }));
  await Promise.resolve();
  vi.advanceTimersByTime(20 * 60_000);
  expect([stateOf(left), stateOf(other)]).toEqual(['running 1', 'completed 0']);
  vi.advanceTimersByTime(31 * 60_000);
  expect(stateOf(left)).toBe('completed 1');
  const last = runs.begin('last', 'command');
  runs.close();
  expect(stateOf(last)).toBe('completed 0');
});

test('GP04 where its end cannot be written a run is left to the next start', () => {
  vi.useFakeTimers();
  runs.close();
  runs = open();
  const runId = runs.begin('left', 'window');
  t.store.connection.pragma('query_only = ON');
  vi.advanceTimersByTime(31 * 60_000);
  t.store.connection.pragma('query_only = OFF');
  expect(unwritten).toMatchObject([{ runId }]);
  expect(stateOf(runId)).toBe('running 0');
  t.restart().recoverAtStart();
  expect(stateOf(runId)).toBe('failed 0');
});
