import { afterAll, expect, test } from 'vitest';
import { openTestLine, World } from '../calls/open-test-line.ts';
import { EvidenceLane } from './evidence-lane.ts';
import { readRun } from './read-runs.ts';
import { runCalls, runEvents, runHead } from './run-pages.ts';

const t = openTestLine();
const lane = new EvidenceLane(t.store);
afterAll(async () => {
  await lane.close();
  t.store.close();
});

test('E13 head, calls and events of a run come in pages that are the parts of the whole, also from the worker', async () => {
  const read = t.world.tool({ name: 'read', tier: 'read_only' });
  const write = t.world.tool({ name: 'write', tier: 'high_write' });
  const run = t.line.beginRun({ kind: 'agent', title: 'many calls', principal: 'agent:default' });
  const other = t.line.beginRun({ kind: 'agent', title: 'another', principal: 'agent:default' });
  for (let n = 0; n < 12; n += 1) {
    t.clock.pass(10);
    t.world.answer = () => (n === 7 ? World.result({ content: [], isError: true }) : World.text(`${n}`));
    await t.line.tryCall({ capabilityId: read, principal: 'user', input: { n }, run: n % 5 === 4 ? other : run });
  }
  const whole = readRun(t.store, run.id);
  if (!whole.ok) throw new Error(whole.error.code);
  const { invocations = [], ...bare } = whole.value.run;
  expect(invocations).toHaveLength(10);
  expect(runHead(t.store, { runId: run.id })).toEqual({ ok: true, value: { run: bare, calls: 10, waitedMs: 0, unknown: 0, shown: invocations.find((one) => one.state === 'failed')?.id, place: invocations.findIndex((one) => one.state === 'failed') } });
  for (const [place, { id }] of invocations.entries()) expect(runHead(t.store, { runId: run.id, invocationId: id })).toMatchObject({ value: { place } });
  expect(runHead(t.store, { runId: run.id, invocationId: 'of another run' })).toMatchObject({ value: { place: null } });
  await t.line.tryCall({ capabilityId: write, principal: 'user', input: {}, run });
  const [waiting] = t.line.approvals.list('pending');
  expect(runHead(t.store, { runId: run.id })).toMatchObject({ value: { calls: 11, shown: waiting?.invocationId, run: { state: 'awaiting_approval' } } });

  const now = readRun(t.store, run.id);
  if (!now.ok) throw new Error(now.error.code);
  const calls = (now.value.run.invocations ?? []).map((one) => ({ ...one, result: null }));
  const events = now.value.events;
  for (const [offset, limit] of [[0, 4], [4, 4], [8, 4], [20, 4]] as const) {
    const page = runCalls(t.store, { runId: run.id, offset, limit });
    const part = calls.slice(offset, offset + limit);
    const own = events.filter((event) => part.some((one) => one.id === event.invocationId));
    expect(page).toEqual({ ok: true, value: { calls: part, events: own, total: 11 } });
    expect(await lane.calls({ runId: run.id, offset, limit })).toEqual(page);
  }
  expect(runEvents(t.store, { runId: run.id, offset: 3, limit: 20 })).toEqual({ ok: true, value: { events: events.slice(3, 23), total: events.length } });
  const ofOne = events.filter((event) => event.invocationId === calls[2]!.id);
  expect(await lane.events({ runId: run.id, invocationId: calls[2]!.id, offset: 0, limit: 200 })).toEqual({ ok: true, value: { events: ofOne, total: ofOne.length } });
  const planned = events.filter((event) => event.type === 'call.planned');
  expect(runEvents(t.store, { runId: run.id, types: ['call.planned'], offset: 2, limit: 3 })).toEqual({ ok: true, value: { events: planned.slice(2, 5), total: planned.length } });
  for (const none of [await lane.head({ runId: 'none' }), await lane.calls({ runId: 'none', offset: 0, limit: 1 }), await lane.events({ runId: 'none', offset: 0, limit: 1 }), await lane.get('none')]) expect(none).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(await lane.get(run.id)).toEqual(now);
  const listed = await lane.list({ limit: 1, offset: 1 });
  expect(listed).toMatchObject({ ok: true, value: { runs: [{ id: [run.id, other.id].sort()[0] }], found: 2, total: 2 } });
});

test('E13 calls that wait for a person at once make one waiting in the head of their run', async () => {
  const write = t.world.tool({ name: 'send', tier: 'high_write' });
  const run = t.line.beginRun({ kind: 'agent', title: 'two at once', principal: 'agent:default' });
  await t.line.tryCall({ capabilityId: write, principal: 'user', input: { n: 1 }, run });
  t.clock.pass(1_000);
  await t.line.tryCall({ capabilityId: write, principal: 'user', input: { n: 2 }, run });
  t.clock.pass(2_000);
  for (const { id } of t.line.approvals.list('pending').filter(({ runId }) => runId === run.id)) await t.line.approvals.decide(id, 'deny', { by: 'window' });
  expect(runHead(t.store, { runId: run.id })).toMatchObject({ value: { calls: 2, waitedMs: 3_000 } });
});
