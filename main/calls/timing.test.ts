import { expect, test } from 'vitest';
import { CALL_CLASSES, DEFAULT_CALL_LIMITS, LIMIT_BOUNDS } from '../../shared/call-class.ts';
import { fault } from '../../shared/fault.ts';
import { DEFAULT_SETTINGS, SettingsSchema } from '../../shared/settings.ts';
import type { Settings } from '../../shared/settings.ts';
import { TIERS } from '../../shared/tier.ts';
import { verifyRun } from '../evidence/verify-run.ts';
import { settingsRequests } from '../requests/settings-requests.ts';
import type { WireOutcome } from '../servers/wire-outcome.ts';
import { deadlineOf, retryPauseMs } from './deadlines.ts';
import { World, openTestLine } from './open-test-line.ts';
import type { TestLine } from './open-test-line.ts';
import { PollPacer } from './poll-pacer.ts';
import { settle } from './settle.fixture.ts';

const valueOf = <T>(result: { ok: true; value: T } | { ok: false; error: unknown }): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};
const lost = (code: 'timeout' | 'exited' | 'connection_failed' | 'protocol_error' | 'auth_required' | 'not_connected', mayHaveRun = true): WireOutcome => ({ kind: 'failed', fault: fault(code, 'lost'), sent: mayHaveRun, mayHaveRun });
const eventsOf = (t: TestLine, type: string): Record<string, unknown>[] => (t.store.connection.prepare('SELECT data_json FROM events WHERE type = ? ORDER BY id').pluck().all(type) as string[]).map((text) => JSON.parse(text) as Record<string, unknown>);
const use = async (t: TestLine, id: string, input: unknown = {}) => valueOf(await t.line.tryCall({ capabilityId: id, principal: 'user', input }));

test('TM01 each class has its limits, and a tier its class where no review names one', () => {
  const limits = DEFAULT_CALL_LIMITS;
  const figures = (tier: (typeof TIERS)[number], callClass?: (typeof CALL_CLASSES)[number]) => {
    const d = deadlineOf({ tier, callClass }, limits);
    return [d.callClass, d.timeoutMs, d.moreAttempts, d.pollEveryMs];
  };
  expect(TIERS.map((tier) => figures(tier))).toEqual([['read_only', 8_000, 2, 0], ['low_write', 15_000, 0, 0], ['high_write', 60_000, 0, 0], ['high_write', 60_000, 0, 0]]);
  expect(figures('read_only', 'slow_read')).toEqual(['slow_read', 60_000, 0, 0]);
  expect(figures('read_only', 'job_status')).toEqual(['job_status', 10_000, 0, 2_000]);
  expect(figures('high_write', 'job_submission')).toEqual(['job_submission', 3_000, 0, 0]);
  // what may have effects is never timed, or tried again, as a read
  for (const tier of ['low_write', 'high_write', 'unknown'] as const) for (const callClass of CALL_CLASSES) expect(deadlineOf({ tier, callClass }, limits).moreAttempts).toBe(0);
  expect(figures('unknown', 'read_only')).toEqual(['high_write', 60_000, 0, 0]);
});

test('TM01 the class of the review reaches the wire and the evidence', async () => {
  const t = openTestLine();
  await use(t, t.world.tool({ name: 'read', tier: 'read_only' }));
  await use(t, t.world.tool({ name: 'slow', tier: 'read_only', callClass: 'slow_read' }));
  expect(t.world.calls.map((c) => [c.timeoutMs, c.maxTotalMs])).toEqual([[8_000, 300_000], [60_000, 600_000]]);
  expect(eventsOf(t, 'call.intent').map((e) => e['callClass'])).toEqual(['read_only', 'slow_read']);
});

test('TM02 limits are settings with bounds, refused with the pointer, and hold from the next call on', async () => {
  let settings: Settings = DEFAULT_SETTINGS;
  const handlers = settingsRequests({ read: () => settings, write: (change) => (settings = { ...settings, ...change } as Settings) });
  const set = (callLimits: Settings['callLimits']) => handlers['settings:set']({ callLimits }, {} as never);
  for (const [name, { min, max }] of Object.entries(LIMIT_BOUNDS)) {
    const where = name === 'pollEveryMs' || name === 'followMs' ? 'job_status' : 'read_only';
    for (const value of [min - 1, max + 1, 1.5]) {
      const parsed = SettingsSchema.partial().safeParse({ callLimits: { ...DEFAULT_CALL_LIMITS, [where]: { ...DEFAULT_CALL_LIMITS[where], [name]: value } } });
      expect([name, value, parsed.success ? null : parsed.error.issues[0]?.path]).toEqual([name, value, ['callLimits', where, name]]);
    }
  }
  expect(await set({ ...DEFAULT_CALL_LIMITS, low_write: { timeoutMs: 20_000, maxTotalMs: 10_000 } })).toMatchObject({ ok: false, error: { code: 'invalid_request', field: '/callLimits/low_write/maxTotalMs', remedy: expect.stringContaining('20000') } });
  expect(settings).toBe(DEFAULT_SETTINGS);
  const t = openTestLine(new World(), { settings: () => settings });
  const id = t.world.tool({ name: 'read', tier: 'read_only' });
  await use(t, id);
  expect((await set({ ...DEFAULT_CALL_LIMITS, read_only: { timeoutMs: 1_000, maxTotalMs: 2_000, moreAttempts: 0 } })).ok).toBe(true);
  t.world.answer = () => lost('timeout');
  expect(await use(t, id)).toMatchObject({ class: 'timeout' });
  expect(t.world.calls.map((c) => c.timeoutMs)).toEqual([8_000, 1_000]);
});

test.each([
  ['timeout', 'read_only', undefined, 3],
  ['exited', 'read_only', undefined, 3],
  ['connection_failed', 'read_only', undefined, 3],
  ['timeout', 'read_only', 'slow_read', 1],
  ['connection_failed', 'read_only', 'job_status', 1],
  ['timeout', 'low_write', undefined, 1],
  ['exited', 'high_write', undefined, 1],
  ['timeout', 'high_write', 'job_submission', 1],
  ['protocol_error', 'read_only', undefined, 1],
  ['auth_required', 'read_only', undefined, 1],
] as const)('TM03 after %s a %s call of class %s has %d tries', async (code, tier, callClass, tries) => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'tool', tier, ...(callClass ? { callClass } : {}) });
  if (tier !== 'read_only') valueOf(t.line.rules.add({ effect: 'allow', principal: null, capabilityId: id, serverId: null, tier: null, conditions: [], note: '', expiresAt: null }, 'me'));
  t.world.answer = () => lost(code);
  expect((await use(t, id)).state).toBe('failed');
  expect(t.world.calls).toHaveLength(tries);
});

test('TM03 an error of the tool or of the protocol is an answer, and no read is tried again for it', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'read', tier: 'read_only' });
  t.world.answer = () => ({ kind: 'rpc_error', rpcCode: -32603, message: 'internal' });
  await use(t, id);
  t.world.answer = () => World.result({ isError: true, content: [{ type: 'text', text: 'timeout' }] });
  await use(t, id);
  expect(t.world.calls).toHaveLength(2);
});

test('TM03 pauses double and have a random part; the tries together keep to the longest time', async () => {
  for (const n of [1, 2, 3]) {
    expect([retryPauseMs(n, () => 0), retryPauseMs(n, () => 0.9999)]).toEqual([250 * 2 ** (n - 1), 500 * 2 ** (n - 1) - 1]);
  }
  const t = openTestLine(new World(), { settings: () => ({ ...DEFAULT_SETTINGS, callLimits: { ...DEFAULT_CALL_LIMITS, read_only: { timeoutMs: 8_000, maxTotalMs: 10_000, moreAttempts: 2 } } }) });
  const id = t.world.tool({ name: 'read', tier: 'read_only' });
  t.world.answer = () => {
    t.clock.pass(8_000);
    return lost('timeout');
  };
  await use(t, id);
  // two seconds were left for the second try, and none for a third
  expect(t.world.calls.map((c) => [c.timeoutMs, c.maxTotalMs])).toEqual([[8_000, 10_000], [2_000, 2_000]]);
});

test('TM04 a try that was proved unprocessed is made once more, whatever the class', async () => {
  for (const [tier, callClass] of [['high_write', undefined], ['low_write', 'job_submission'], ['read_only', 'slow_read'], ['read_only', 'job_status']] as const) {
    const t = openTestLine();
    const id = t.world.tool({ name: 'tool', tier, ...(callClass ? { callClass } : {}) });
    if (tier !== 'read_only') valueOf(t.line.rules.add({ effect: 'allow', principal: null, capabilityId: id, serverId: null, tier: null, conditions: [], note: '', expiresAt: null }, 'me'));
    t.world.answer = () => lost('connection_failed', false);
    expect(await use(t, id)).toMatchObject({ class: 'unavailable' });
    expect(t.world.calls).toHaveLength(2);
    expect(eventsOf(t, 'call.retry').map((e) => e['ground'])).toEqual(['proof']);
  }
});

test('TM05 every further try is on record with ground, cause, pause and end, and the chain proves it', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'read', tier: 'read_only' });
  t.world.answer = (_call, n) => (n === 3 ? World.text('at last') : lost(n === 1 ? 'timeout' : 'exited'));
  const o = await use(t, id);
  expect(o.class).toBe('ok');
  expect(eventsOf(t, 'call.retry')).toMatchObject([{ attempt: 2, ground: 'class', cause: 'timeout', waitMs: expect.any(Number) }, { attempt: 3, ground: 'class', cause: 'exited' }]);
  expect(eventsOf(t, 'call.retry_ended')).toMatchObject([{ attempt: 2, outcome: 'failed', sent: true, cause: 'exited' }, { attempt: 3, outcome: 'result', sent: true }]);
  expect(eventsOf(t, 'call.received')).toMatchObject([{ attempts: 3 }]);
  expect(valueOf(await verifyRun(t.store, o.runId)).ok).toBe(true);
});

test('TM05 a try that could not be made says so and is not counted as one on the wire', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'read', tier: 'read_only' });
  t.world.answer = (_call, n) => {
    if (n > 1) return World.text('up again');
    t.world.refusal = fault('unavailable', 'its server is starting', { details: { reason: 'connecting' } });
    // until the second try has met it
    const recover = (): void => {
      if (eventsOf(t, 'call.retry_ended').length === 0) setTimeout(recover, 5);
      else t.world.refusal = null;
    };
    setTimeout(recover);
    return lost('exited');
  };
  expect((await use(t, id)).class).toBe('ok');
  expect(eventsOf(t, 'call.retry_ended')).toMatchObject([{ attempt: 2, outcome: 'failed', sent: false, cause: 'unavailable' }, { attempt: 3, outcome: 'result', sent: true }]);
  expect(eventsOf(t, 'call.received')).toMatchObject([{ attempts: 2 }]);
});

test('TM06 the time in which a person is awaited is no part of the deadline', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'write', tier: 'low_write' });
  const o = await use(t, id);
  t.clock.pass(4 * 60_000);
  valueOf(t.line.approvals.decide(o.approvalId ?? '', 'approve', { by: 'me' }));
  await settle();
  expect(t.world.calls.map((c) => [c.timeoutMs, c.maxTotalMs])).toEqual([[15_000, 300_000]]);
  expect(valueOf(t.line.get(o.invocationId))).toMatchObject({ state: 'completed', waitedMs: 4 * 60_000 });
});

test('TM07 an early poll waits for its turn; where one waits already the next is told so; other jobs are not held up', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'status', tier: 'read_only', callClass: 'job_status' });
  await use(t, id, { job: 1 });
  const second = use(t, id, { job: 1 });
  await settle();
  expect(t.world.calls).toHaveLength(1);
  expect(await use(t, id, { job: 1 })).toMatchObject({ state: 'failed', code: 'rate_limited', class: 'not_sent', fault: { details: { pollEveryMs: 2_000 }, remedy: expect.stringContaining('4 s') } });
  await use(t, id, { job: 2 });
  expect(t.world.calls).toHaveLength(2);
  expect((await second).class).toBe('ok');
  expect(t.world.calls).toHaveLength(3);
  expect(eventsOf(t, 'call.paced')).toMatchObject([{ waitMs: 2_000, pollEveryMs: 2_000 }]);
});

test('TM07 a poll that waits is stopped at once, and not sent on a tool that changed meanwhile', async () => {
  for (const [during, told] of [[(t: TestLine) => void t.line.stopAll(), { code: 'cancelled', class: 'not_sent' }], [(t: TestLine) => void t.world.tool({ name: 'status', tier: 'read_only', callClass: 'job_status' }, 2), { code: 'binding_changed' }]] as const) {
    const t = openTestLine();
    const id = t.world.tool({ name: 'status', tier: 'read_only', callClass: 'job_status' });
    await use(t, id);
    const waiting = use(t, id);
    await settle();
    during(t);
    expect(await waiting).toMatchObject({ state: 'failed', ...told });
    expect(t.world.calls).toHaveLength(1);
  }
});

test('TM07 turns follow one another at the distance of the class, and forgotten jobs leave nothing behind', () => {
  let now = 0;
  const pacer = new PollPacer(() => now);
  expect([pacer.take('a', 2_000), pacer.refusal('a', 2_000)]).toEqual([0, null]);
  now = 500;
  expect([pacer.take('a', 2_000), pacer.refusal('a', 2_000)?.code]).toEqual([1_500, 'rate_limited']);
  expect(pacer.take('a', 2_000)).toBe(3_500);
  now = 4_000;
  expect(pacer.refusal('a', 2_000)).toBeNull();
  now = 6_001;
  expect(pacer.take('a', 2_000)).toBe(0);
  expect([pacer.take('b', 0), pacer.refusal('b', 0)]).toEqual([0, null]);
});
