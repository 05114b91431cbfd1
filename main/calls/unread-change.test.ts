import { expect, test } from 'vitest';
import { fault, type Fault } from '../../shared/fault.ts';
import { verifyRun } from '../evidence/verify-run.ts';
import { invocationsOfRun } from '../store/invocations.ts';
import { openTestLine, World, type TestLine } from './open-test-line.ts';
import { settle } from './settle.fixture.ts';

const by = { by: 'me' };
const unwrap = <T>(result: { ok: true; value: T } | { ok: false; error: Fault }): T => {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
};
const NOT_FRESH = fault('source_not_fresh', 'not read in time');

/** From now on a change is announced; the reading ends when the test says so, with what it finds. */
const announced = (t: TestLine) => {
  const reading = Promise.withResolvers<Fault | null>();
  t.world.reading = () => reading.promise;
  return (found: Fault | null = null): void => {
    if (found === null) t.world.reading = () => null;
    reading.resolve(found);
  };
};
const asked = async (t: TestLine, principal = 'user') => {
  const outcome = unwrap(await t.line.tryCall({ capabilityId: t.world.tool({ name: 'write' }), principal, input: { v: 1 } }));
  return { invocationId: outcome.invocationId, approval: unwrap(t.line.approvals.get(outcome.approvalId ?? '')) };
};

test.each(['read_only', 'high_write'] as const)('CL40 a %s call waits for the reading of an announced change and is judged by what was read', async (tier) => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'tool', tier });
  const read = announced(t);
  const waiting = t.line.tryCall({ capabilityId: id, principal: 'user', input: {}, binding: t.world.bound(id)! });
  await settle();
  expect(t.world.calls).toHaveLength(0);
  t.world.tool({ name: 'tool', tier }, 2);
  read();
  expect(unwrap(await waiting)).toMatchObject({ state: 'failed', code: 'binding_changed', class: 'not_sent' });
  expect(t.world.calls).toHaveLength(0);
});

test('AC02 a call that waits for a reading while its run is stopped is not begun, and leaves no row', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'tool', tier: 'read_only' });
  const run = t.line.beginRun({ kind: 'agent', title: 'run', principal: 'user' });
  const read = announced(t);
  const stop = new AbortController();
  const waiting = t.line.tryCall({ capabilityId: id, principal: 'user', input: {}, run: { id: run.id }, wait: true, signal: stop.signal });
  await settle();
  stop.abort();
  read();
  expect(await waiting).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(t.world.calls).toHaveLength(0);
  expect(t.store.read((db) => invocationsOfRun(db, run.id))).toEqual([]);
});

test('CL40 the same definition after the reading goes on', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'tool', tier: 'read_only' });
  const read = announced(t);
  const waiting = t.line.tryCall({ capabilityId: id, principal: 'user', input: {} });
  read();
  expect(unwrap(await waiting)).toMatchObject({ state: 'completed' });
});

test('CL40 a call whose reading fails or is late is refused as source_not_fresh, on record', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'tool', tier: 'read_only' });
  const read = announced(t);
  const waiting = t.line.tryCall({ capabilityId: id, principal: 'user', input: {} });
  read(NOT_FRESH);
  const outcome = unwrap(await waiting);
  expect(outcome).toMatchObject({ state: 'failed', code: 'source_not_fresh', class: 'unavailable' });
  expect(t.world.calls).toHaveLength(0);
  expect(unwrap(await verifyRun(t.store, outcome.runId))).toMatchObject({ ok: true });
});

test('CL41 a yes given while a change is unread is used after the reading, on the same definition only', async () => {
  const t = openTestLine();
  const same = await asked(t);
  const moved = await asked(t, 'other');
  const read = announced(t);
  for (const { approval } of [same, moved]) expect(unwrap(t.line.approvals.decide(approval.id, 'approve', by)).state).toBe('approved');
  await settle();
  expect(t.world.calls).toHaveLength(0);
  const candidate = t.world.candidate.bind(t.world);
  t.world.candidate = (id, principal) => {
    const found = candidate(id, principal);
    return principal === 'other' && found.ok ? { ok: true, value: { ...found.value, bindingFingerprint: 'another' } } : found;
  };
  t.line.bindingsChanged('srv');
  read();
  await settle();
  expect(t.world.calls).toHaveLength(1);
  expect(unwrap(t.line.get(same.invocationId))).toMatchObject({ state: 'completed' });
  expect(unwrap(t.line.get(moved.invocationId))).toMatchObject({ state: 'failed', code: 'approval_void', class: 'not_sent', fault: { details: { cause: 'binding_changed' } } });
  expect(unwrap(t.line.approvals.get(moved.approval.id))).toMatchObject({ state: 'void', reason: 'binding_changed' });
});

test('CL41 a yes whose reading fails is void, and its call refused as source_not_fresh', async () => {
  const t = openTestLine();
  const { invocationId, approval } = await asked(t);
  const read = announced(t);
  t.line.approvals.decide(approval.id, 'approve', by);
  read(NOT_FRESH);
  await settle();
  expect(unwrap(t.line.get(invocationId))).toMatchObject({ state: 'failed', code: 'source_not_fresh', class: 'unavailable' });
  expect(unwrap(t.line.approvals.get(approval.id))).toMatchObject({ state: 'void', reason: 'source_not_fresh' });
  expect(t.world.calls).toHaveLength(0);
});

test('CL41 Stop all during the reading ends the call; it is not sent after resume', async () => {
  const t = openTestLine();
  const { invocationId, approval } = await asked(t);
  const id = t.world.tool({ name: 'read', tier: 'read_only' });
  const read = announced(t);
  t.line.approvals.decide(approval.id, 'approve', by);
  const waiting = t.line.tryCall({ capabilityId: id, principal: 'user', input: {} });
  t.line.stopAll();
  read();
  expect(unwrap(await waiting)).toMatchObject({ state: 'failed', code: 'stopped' });
  t.line.resume();
  await settle();
  expect(unwrap(t.line.get(invocationId))).toMatchObject({ state: 'failed', code: 'stopped' });
  expect(t.world.calls).toHaveLength(0);
});

test('CL42 a change announced before a further try is read first, and the try is made on the same definition only', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'read', tier: 'read_only' });
  t.world.answer = (_call, n) => {
    if (n > 1) return World.text('second');
    t.world.tool({ name: 'read', tier: 'read_only' }, 2);
    t.world.reading = () => Promise.resolve(null);
    return { kind: 'failed', sent: false, mayHaveRun: false, fault: fault('connection_failed', 'broken') };
  };
  expect(unwrap(await t.line.tryCall({ capabilityId: id, principal: 'user', input: {} }))).toMatchObject({ state: 'failed', code: 'binding_changed' });
  expect(t.world.calls).toHaveLength(1);
});

test('BD02 CL42 drift before a further try of a turn’s call is told as drift, though the changed tool has also lost its review', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'read', tier: 'read_only' });
  const binding = t.world.bound(id)!;
  t.world.answer = () => {
    t.world.tool({ name: 'read', tier: 'read_only' }, 2);
    t.world.refusal = fault('not_allowed', 'This definition has not been reviewed yet.', { details: { reason: 'needs_review' } });
    return { kind: 'failed', sent: false, mayHaveRun: false, fault: fault('connection_failed', 'broken') };
  };
  const outcome = unwrap(await t.line.tryCall({ capabilityId: id, principal: 'agent:default', input: {}, binding }));
  expect(outcome).toMatchObject({ state: 'failed', code: 'binding_changed', fault: { details: { moved: ['definition'], now: 'needs_review' } } });
  expect(t.world.calls).toHaveLength(1);
});
