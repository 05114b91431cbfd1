import { expect, test } from 'vitest';
import type { Approval } from '../../shared/approval.ts';
import { fault } from '../../shared/fault.ts';
import { readRun } from '../evidence/read-runs.ts';
import { verifyRun } from '../evidence/verify-run.ts';
import { approveByRule, isApprovedCall } from './approve.ts';
import { dispatch } from './dispatch.ts';
import type { DispatchDeps } from './dispatch.ts';
import { World, openTestLine } from './open-test-line.ts';
import type { TestLine } from './open-test-line.ts';
import type { Outcome } from './call-outcome.ts';
import { settle } from './settle.fixture.ts';

const valueOf = <T>(result: { ok: true; value: T } | { ok: false; error: unknown }): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};
const asked = async (t: TestLine, input: unknown = { v: 1 }, name = 'write'): Promise<{ outcome: Outcome; approval: Approval; id: string }> => {
  const id = t.world.tool({ name });
  const outcome = valueOf(await t.line.tryCall({ capabilityId: id, principal: 'user', input }));
  expect(outcome.state).toBe('awaiting_approval');
  return { outcome, approval: valueOf(t.line.approvals.get(outcome.approvalId ?? '')), id };
};
const by = { by: 'window' };
const callOf = (t: TestLine, id: string) => valueOf(t.line.get(id));

test('A01 deciding twice consumes once; the second answers the same', async () => {
  const t = openTestLine();
  const { approval, outcome } = await asked(t);
  const first = valueOf(t.line.approvals.decide(approval.id, 'approve', by));
  const second = valueOf(t.line.approvals.decide(approval.id, 'approve', { by: 'second window' }));
  const third = valueOf(t.line.approvals.decide(approval.id, 'deny', { by: 'third window' }));
  await settle();
  expect(first).toEqual(second);
  expect(third).toEqual(first);
  expect(t.world.calls).toHaveLength(1);
  expect(callOf(t, outcome.invocationId)).toMatchObject({ state: 'completed', class: 'ok', approvalId: approval.id });
  expect(valueOf(await verifyRun(t.store, outcome.runId)).ok).toBe(true);
});

test('A01 two lines over one store cannot both consume', async () => {
  const t = openTestLine();
  const { approval } = await asked(t);
  const other = t.restart();
  t.line.approvals.decide(approval.id, 'approve', by);
  const again = other.approvals.decide(approval.id, 'approve', by);
  await settle();
  expect(valueOf(again).state).toBe('consumed');
  expect(t.world.calls).toHaveLength(1);
});

test('A02 an input edited in the store after it was shown is not sent', async () => {
  const t = openTestLine();
  const { approval, outcome } = await asked(t);
  t.store.connection.prepare('UPDATE invocations SET frozen_input = ?').run('{"v":2}');
  expect(t.line.approvals.decide(approval.id, 'approve', by)).toMatchObject({ ok: false, error: { code: 'approval_void' } });
  expect(callOf(t, outcome.invocationId)).toMatchObject({ state: 'failed', code: 'approval_void', class: 'not_sent' });
  expect(t.world.calls).toHaveLength(0);
});

test('CL11 A02 dispatch takes only what approve made, and an approved call cannot be changed', async () => {
  expect(isApprovedCall({ stage: 'approved', frozen: {}, permit: {} })).toBe(false);
  const made = approveByRule({ stage: 'judged', policyVersion: 'v', decision: { effect: 'allow', ruleId: 'r', reason: '' }, frozen: {} as never });
  if (!made) throw new Error('not made');
  const Forge = made.constructor as new (...args: unknown[]) => unknown;
  expect(() => new Forge(Symbol('made by approve'), {}, {})).toThrow(TypeError);
  expect(() => Object.assign(made, { frozen: {} })).toThrow(TypeError);
  expect(isApprovedCall(Object.create(made))).toBe(false);
  await expect(dispatch({ ...made } as never, {} as DispatchDeps)).rejects.toThrow(TypeError);
});

test.each([
  ['definition', (t: TestLine) => void t.world.tool({ name: 'write', description: 'now deletes everything' })],
  ['removal', (t: TestLine) => t.world.tools.clear()],
  ['revoked access', (t: TestLine) => void (t.world.refusal = fault('not_allowed', 'revoked'))],
  ['rule', (t: TestLine) => void t.line.rules.add({ effect: 'ask', principal: null, capabilityId: null, serverId: 'other', tier: null, conditions: [], note: '', expiresAt: null }, 'me')],
])('A04 a changed %s voids the pending approval', async (_what, change) => {
  const t = openTestLine();
  const { approval, outcome } = await asked(t);
  change(t);
  expect(t.line.approvals.decide(approval.id, 'approve', by)).toMatchObject({ ok: false, error: { code: 'approval_void' } });
  expect(callOf(t, outcome.invocationId)).toMatchObject({ state: 'failed', code: 'approval_void' });
  expect(t.world.calls).toHaveLength(0);
});

test('A04 a changed binding voids at once when the registry tells; an absent source does not', async () => {
  const t = openTestLine();
  const { approval } = await asked(t);
  t.world.refusal = fault('not_connected', 'the server is not ready');
  t.line.bindingsChanged('srv');
  expect(valueOf(t.line.approvals.get(approval.id)).state).toBe('pending');
  t.world.refusal = null;
  t.world.tool({ name: 'write' }, 2);
  t.line.bindingsChanged('other');
  expect(valueOf(t.line.approvals.get(approval.id)).state).toBe('pending');
  t.line.bindingsChanged('srv');
  expect(valueOf(t.line.approvals.get(approval.id)).state).toBe('void');
});

test('A05 expiry holds by either clock, and a wall clock set back voids', async () => {
  for (const [move, code, state] of [
    [(t: TestLine) => t.clock.pass(300_000), 'approval_expired', 'expired'],
    [(t: TestLine) => void (t.clock.wall += 300_000), 'approval_expired', 'expired'],
    [(t: TestLine) => void (t.clock.mono += 400_000), 'approval_void', 'void'],
    [(t: TestLine) => void (t.clock.wall -= 60_000), 'approval_void', 'void'],
  ] as const) {
    const t = openTestLine();
    const { approval, outcome } = await asked(t);
    move(t);
    expect(t.line.approvals.decide(approval.id, 'approve', by)).toMatchObject({ ok: false, error: { code } });
    expect(valueOf(t.line.approvals.get(approval.id)).state).toBe(state);
    expect(callOf(t, outcome.invocationId)).toMatchObject({ state: 'failed', code });
    expect(t.world.calls).toHaveLength(0);
  }
  const t = openTestLine();
  const { approval } = await asked(t);
  t.clock.pass(299_999);
  expect(t.line.approvals.decide(approval.id, 'approve', by).ok).toBe(true);
});

test('A06 a pending approval survives a restart unchanged, and its call runs once', async () => {
  const t = openTestLine();
  const { approval, outcome } = await asked(t);
  t.line.approvals.close();
  const next = t.restart();
  next.recoverAtStart();
  expect(valueOf(next.approvals.get(approval.id))).toEqual(approval);
  next.approvals.decide(approval.id, 'approve', by);
  await settle();
  expect(t.world.calls.map((c) => c.frozenArguments)).toEqual(['{"v":1}']);
  expect(valueOf(next.get(outcome.invocationId))).toMatchObject({ state: 'completed', class: 'ok' });
  expect(valueOf(await verifyRun(t.store, outcome.runId)).ok).toBe(true);
});

test('A06 a restart after its time finds it expired; a clock set back in between voids it', async () => {
  for (const [wall, code] of [[300_000, 'approval_expired'], [-3_600_000, 'approval_void']] as const) {
    const t = openTestLine();
    const { outcome } = await asked(t);
    t.clock.wall += wall;
    t.clock.mono = 5;
    const next = t.restart();
    next.recoverAtStart();
    expect(valueOf(next.get(outcome.invocationId))).toMatchObject({ state: 'failed', code });
  }
});

test('A07 a yes that was not used before the end asks again and is never used by itself', async () => {
  const t = openTestLine();
  const { approval, outcome } = await asked(t);
  t.world.refusal = fault('not_connected', 'starting');
  expect(valueOf(t.line.approvals.decide(approval.id, 'approve', by)).state).toBe('approved');
  await t.line.close();
  t.world.refusal = null;
  const next = t.restart();
  next.recoverAtStart();
  await settle();
  expect(t.world.calls).toHaveLength(0);
  expect(valueOf(next.approvals.get(approval.id)).state).toBe('void');
  const [again, ...more] = next.approvals.list('pending');
  expect(more).toEqual([]);
  expect(again).toMatchObject({ invocationId: outcome.invocationId, inputHash: approval.inputHash });
  expect(again?.nonce).not.toBe(approval.nonce);
  next.approvals.decide(again?.id ?? '', 'approve', by);
  await settle();
  expect(t.world.calls).toHaveLength(1);
});

test('A13 the whole canonical input, its length and hash; hidden characters and padding are named', async () => {
  const t = openTestLine();
  const long = 'x'.repeat(200_000);
  const { approval } = await asked(t, { z: long, path: '/home/user/\u202egnp.exe', pad: `a${'\n'.repeat(40)}b`, flag: '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u0645\u0631\u062d\u0628\u0627' });
  expect(approval.frozenInput).toContain(long);
  expect(approval.inputBytes).toBe(Buffer.byteLength(approval.frozenInput));
  expect(approval.inputHash).toMatch(/^[0-9a-f]{64}$/);
  const codes = approval.notices.map((n) => n.code);
  expect(codes).toContain('hidden_characters');
  expect(codes).toContain('padding');
  expect(approval.notices.filter((n) => n.code === 'hidden_characters').map((n) => n.detail).join()).toMatch(/^bidi: U\+202E at \d+$/);
});

test('A13 what is the same as before, first use, and a repeat of an unknown outcome are said', async () => {
  const t = openTestLine();
  const one = await asked(t);
  expect(one.approval.previous).toBeNull();
  expect(one.approval.notices.map((n) => n.code)).toContain('first_use');
  t.world.answer = () => ({ kind: 'failed', fault: fault('exited', 'The server ended (exit code 9).'), sent: true, mayHaveRun: true });
  t.line.approvals.decide(one.approval.id, 'approve', by);
  await settle();
  t.clock.pass(120_000);
  const two = await asked(t);
  expect(two.approval.notices.map((n) => n.code)).toEqual(expect.arrayContaining(['repeat', 'repeat_of_unknown']));
  expect(two.approval.previous).toMatchObject({ invocationId: one.outcome.invocationId, identical: true });
  const three = await asked(t, { v: 2 });
  expect(three.approval.notices.map((n) => n.code)).not.toContain('repeat');
});

test('A15 a run that asks too often is refused without a prompt', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'write' });
  const run = t.line.beginRun({ kind: 'agent', title: 'flood', principal: 'agent:default' });
  const codes: (string | undefined)[] = [];
  for (let i = 0; i < 12; i++) codes.push(valueOf(await t.line.tryCall({ capabilityId: id, principal: 'agent:default', input: { i }, run })).code);
  expect(codes.filter((c) => c === undefined)).toHaveLength(10);
  expect(codes.slice(10)).toEqual(['rate_limited', 'rate_limited']);
  expect(t.line.approvals.list('pending')).toHaveLength(10);
});

test('A16 an allow rule lets the same tool run without asking until its definition moves', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'write' });
  const rule = valueOf(t.line.rules.add({ effect: 'allow', principal: null, capabilityId: id, serverId: null, tier: null, conditions: [{ pointer: '/v', op: 'equals', value: 1 }], note: '', expiresAt: null }, 'me'));
  const state = async (input: unknown) => valueOf(await t.line.tryCall({ capabilityId: id, principal: 'user', input })).state;
  expect(await state({ v: 1 })).toBe('completed');
  expect(await state({ v: 2 })).toBe('awaiting_approval');
  t.world.tool({ name: 'write' }, 2);
  expect(await state({ v: 1 })).toBe('awaiting_approval');
  t.world.tool({ name: 'write' }, 1);
  expect(await state({ v: 1 })).toBe('completed');
  valueOf(t.line.rules.revoke(rule.id, 'me'));
  expect(await state({ v: 1 })).toBe('awaiting_approval');
  expect(t.line.rules.revoke('builtin:read-only-allowed', 'me')).toMatchObject({ ok: false, error: { code: 'conflict' } });
});

test('A19 a decision needs a name on record, and the shown input', async () => {
  const t = openTestLine();
  const { approval } = await asked(t);
  expect(t.line.approvals.decide(approval.id, 'approve', { by: ' ' })).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  expect(t.line.approvals.decide(approval.id, 'approve', { ...by, inputHash: 'other' })).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(t.line.approvals.decide('nope', 'approve', by)).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(valueOf(t.line.approvals.decide(approval.id, 'approve', { ...by, inputHash: approval.inputHash, reason: 'fine' }))).toMatchObject({ decidedBy: by.by, reason: 'fine' });
  const decided = t.store.connection.prepare("SELECT data_json FROM events WHERE type = 'approval.decided'").pluck().get();
  expect(JSON.parse(String(decided))).toMatchObject({ by: by.by, decision: 'approve', inputHash: approval.inputHash });
});

test('CL15 two calls of one run have two approvals; denying one leaves the other', async () => {
  for (const order of [[0, 1], [1, 0]] as const) {
    const t = openTestLine();
    const id = t.world.tool({ name: 'rm' });
    const run = t.line.beginRun({ kind: 'agent', title: 'two', principal: 'agent:default' });
    const calls = ['keep', 'drop'].map((v) => t.line.tryCall({ capabilityId: id, principal: 'agent:default', input: { v }, run, wait: true }));
    await settle();
    const pending = t.line.approvals.list('pending');
    expect(pending.map((a) => a.frozenInput)).toEqual(['{"v":"keep"}', '{"v":"drop"}']);
    for (const i of order) t.line.approvals.decide(pending[i]?.id ?? '', i === 0 ? 'approve' : 'deny', { ...by, reason: 'not that one' });
    const [keep, drop] = (await Promise.all(calls)).map(valueOf);
    expect(keep).toMatchObject({ state: 'completed', class: 'ok' });
    expect(drop).toMatchObject({ state: 'failed', code: 'denied', class: 'not_sent', fault: { message: 'A person denied this call: not that one' } });
    expect(t.world.calls.map((c) => c.frozenArguments)).toEqual(['{"v":"keep"}']);
    t.line.endRun(run.id, { state: 'completed', code: null });
    expect(valueOf(await verifyRun(t.store, run.id)).ok).toBe(true);
  }
});

test('CL16 an approved call waits for a server that is just starting, then runs once', async () => {
  const t = openTestLine();
  const { approval, outcome } = await asked(t);
  t.world.refusal = fault('not_connected', 'starting');
  expect(valueOf(t.line.approvals.decide(approval.id, 'approve', by)).state).toBe('approved');
  await settle();
  expect(t.world.calls).toHaveLength(0);
  t.world.refusal = null;
  await expect.poll(() => callOf(t, outcome.invocationId).state).toBe('completed');
  expect(t.world.calls).toHaveLength(1);
});

test('CL17 wait decides when the answer comes', async () => {
  const t = openTestLine();
  const write = t.world.tool({ name: 'write' });
  const read = t.world.tool({ name: 'read', tier: 'read_only' });
  t.world.answer = () => new Promise((resolve) => setTimeout(() => resolve(World.text('late')), 30));
  expect(valueOf(await t.line.tryCall({ capabilityId: read, principal: 'user', wait: false })).state).toBe('running');
  expect(valueOf(await t.line.tryCall({ capabilityId: read, principal: 'user' })).state).toBe('completed');
  expect(valueOf(await t.line.tryCall({ capabilityId: write, principal: 'user' })).state).toBe('awaiting_approval');
  const waiting = t.line.tryCall({ capabilityId: write, principal: 'user', input: { w: 1 }, wait: true });
  await settle();
  for (const a of t.line.approvals.list('pending')) t.line.approvals.decide(a.id, 'approve', by);
  expect(valueOf(await waiting)).toMatchObject({ state: 'completed', class: 'ok' });
});

test('CL18 an edited call takes the place of the waiting one, with a new approval', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'write', inputSchema: { type: 'object', properties: { v: { type: 'integer' } } } });
  const waiting = t.line.tryCall({ capabilityId: id, principal: 'user', input: { v: 1 }, wait: true });
  const [old] = t.line.approvals.list('pending');
  if (!old) throw new Error('no approval');
  expect(t.line.approvals.edit(old.id, '{"v":"x"}', by)).toMatchObject({ ok: false, error: { code: 'invalid_input', field: '/v' } });
  expect(valueOf(t.line.approvals.get(old.id)).state).toBe('pending');
  const edited = valueOf(t.line.approvals.edit(old.id, '{"v":2}', by));
  expect(edited).toMatchObject({ state: 'pending', frozenInput: '{"v":2}', runId: old.runId });
  expect(edited.inputHash).not.toBe(old.inputHash);
  expect(t.line.approvals.decide(old.id, 'approve', by)).toMatchObject({ ok: false, error: { code: 'approval_void' } });
  t.line.approvals.decide(edited.id, 'approve', by);
  expect(valueOf(await waiting)).toMatchObject({ invocationId: edited.invocationId, state: 'completed' });
  expect(callOf(t, old.invocationId)).toMatchObject({ state: 'failed', code: 'cancelled' });
  expect(t.world.calls.map((c) => c.frozenArguments)).toEqual(['{"v":2}']);
  expect(valueOf(await verifyRun(t.store, old.runId))).toMatchObject({ ok: true });
});

test.each(['quarantined', 'removed'] as const)('CL33 a %s server ends its pending and its approved calls, and their callers hear of it', async (cause) => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'write' });
  const waiting = [1, 2].map((v) => t.line.tryCall({ capabilityId: id, principal: 'user', input: { v }, wait: true }));
  const other = await asked(t, { v: 3 }, 'other').then(({ approval }) => approval);
  const [first] = t.line.approvals.list('pending');
  t.world.refusal = fault('not_connected', 'starting');
  expect(valueOf(t.line.approvals.decide(first?.id ?? '', 'approve', by)).state).toBe('approved');
  t.line.serverGone('elsewhere', cause);
  expect(valueOf(t.line.approvals.get(other.id)).state).toBe('pending');
  t.line.serverGone('srv', cause);
  for (const outcome of await Promise.all(waiting)) expect(valueOf(outcome)).toMatchObject({ state: 'failed', code: 'approval_void', class: 'not_sent', fault: { details: { cause } } });
  expect(valueOf(t.line.approvals.get(first?.id ?? ''))).toMatchObject({ state: 'void', reason: cause });
  t.world.refusal = null;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(t.world.calls).toHaveLength(0);
});

test('A27 Stop all ends an approved call that waits for its server; it is not sent after resume', async () => {
  const t = openTestLine();
  const { approval, outcome } = await asked(t);
  const { approval: question } = await asked(t, { v: 2 }, 'other');
  t.world.refusal = fault('not_connected', 'starting');
  expect(valueOf(t.line.approvals.decide(approval.id, 'approve', by)).state).toBe('approved');
  expect(t.line.stopAll()).toEqual({ cancelled: 1 });
  expect(callOf(t, outcome.invocationId)).toMatchObject({ state: 'failed', code: 'stopped', class: 'not_sent' });
  expect(valueOf(t.line.approvals.get(approval.id))).toMatchObject({ state: 'void', reason: 'stopped' });
  expect(valueOf(t.line.approvals.get(question.id)).state).toBe('pending');
  t.line.resume();
  t.world.refusal = null;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(t.world.calls).toHaveLength(0);
});

test.each(['window', 'command'] as const)('A28 the way in (%s) of a try-out stands in run, approval and evidence, also of an edited call and after a restart', async (via) => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'write' });
  const outcome = valueOf(await t.line.tryCall({ capabilityId: id, principal: 'user', via, input: { v: 1 } }));
  const edited = valueOf(t.line.approvals.edit(outcome.approvalId ?? '', '{"v":2}', by));
  expect(edited).toMatchObject({ principal: 'user', via });
  expect(t.restart().approvals.list('pending')).toMatchObject([{ principal: 'user', via }]);
  const run = valueOf(readRun(t.store, outcome.runId));
  expect(run.run).toMatchObject({ principal: 'user', via });
  expect(run.events.filter((e) => e.type === 'run.started' || e.type === 'call.planned').map((e) => e.data['via'])).toEqual([via, via, via]);
  expect(valueOf(await verifyRun(t.store, outcome.runId)).ok).toBe(true);
});
