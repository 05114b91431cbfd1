import { expect, test } from 'vitest';
import { fault } from '../../shared/fault.ts';
import { verifyRun } from '../evidence/verify-run.ts';
import type { WireOutcome } from '../servers/wire-outcome.ts';
import { World, openTestLine } from './open-test-line.ts';
import type { TestLine } from './open-test-line.ts';
import { settle } from './settle.fixture.ts';

const valueOf = <T>(result: { ok: true; value: T } | { ok: false; error: unknown }): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};
const allowWrite = (t: TestLine, name = 'write'): string => {
  const id = t.world.tool({ name });
  valueOf(t.line.rules.add({ effect: 'allow', principal: null, capabilityId: id, serverId: null, tier: null, conditions: [], note: '', expiresAt: null }, 'me'));
  return id;
};
const typesOf = (t: TestLine): unknown[] => t.store.connection.prepare('SELECT type FROM events ORDER BY id').pluck().all();
const gone: WireOutcome = { kind: 'failed', fault: fault('connection_failed', 'refused'), sent: false, mayHaveRun: false };
const never = (): Promise<WireOutcome> => new Promise(() => {});

test('CL12 what may have effects goes out once, and again only after proof that it was not processed', async () => {
  const t = openTestLine();
  const id = allowWrite(t);
  t.world.answer = (_call, n) => (n === 1 ? gone : World.text('ok'));
  expect(valueOf(await t.line.tryCall({ capabilityId: id, principal: 'user' }))).toMatchObject({ state: 'completed' });
  expect(t.world.calls).toHaveLength(2);
  expect(typesOf(t).filter((x) => x === 'call.retry')).toHaveLength(1);
  expect(typesOf(t).filter((x) => x === 'call.intent')).toHaveLength(1);
});

test('CL12 a resend by the connection code is on record and is the only one', async () => {
  const t = openTestLine();
  const id = allowWrite(t);
  t.world.answer = (call) => {
    call.onRecovery({ cause: 'session_lost', code: 'not_connected', message: 'over', waitMs: 12, outcome: 'recovered', sentAgain: true });
    return gone;
  };
  expect(valueOf(await t.line.tryCall({ capabilityId: id, principal: 'user' }))).toMatchObject({ state: 'failed', class: 'unavailable' });
  expect(t.world.calls).toHaveLength(1);
  expect(typesOf(t).filter((x) => x === 'call.recovery')).toHaveLength(1);
  expect(typesOf(t)).not.toContain('call.retry');
});

test('CL13 a read is tried again on the same binding only, and not after a stop', async () => {
  for (const [during, tries] of [[(t: TestLine) => void t.world.tool({ name: 'read', tier: 'read_only' }, 2), 1], [(t: TestLine) => void t.line.stopAll(), 1], [() => {}, 2]] as const) {
    const t = openTestLine();
    const id = t.world.tool({ name: 'read', tier: 'read_only' });
    t.world.answer = (_call, n) => {
      if (n > 1) return World.text('second');
      during(t);
      return { kind: 'failed', fault: fault('exited', 'ended'), sent: true, mayHaveRun: true };
    };
    const o = valueOf(await t.line.tryCall({ capabilityId: id, principal: 'user' }));
    expect(t.world.calls).toHaveLength(tries);
    expect(o.class).toBe(tries === 2 ? 'ok' : 'interrupted');
  }
});

test('CL13 a later try that never left does not undo that an earlier one reached the server', async () => {
  const cut: WireOutcome = { kind: 'failed', fault: fault('exited', 'ended'), sent: true, mayHaveRun: true };
  const stopped = openTestLine();
  const read = stopped.world.tool({ name: 'read', tier: 'read_only' });
  stopped.world.answer = () => {
    // in the pause before the next try
    const stop = (): void => {
      if (stopped.store.connection.prepare("SELECT 1 FROM events WHERE type = 'call.retry'").get() === undefined) setTimeout(stop, 5);
      else stopped.line.stop(String(stopped.store.connection.prepare('SELECT id FROM invocations').pluck().get()));
    };
    setTimeout(stop);
    return cut;
  };
  const told = valueOf(await stopped.line.tryCall({ capabilityId: read, principal: 'user' }));
  expect(told).toMatchObject({ state: 'failed', class: 'interrupted', fault: { details: { mayHaveRun: true } } });
  expect(stopped.world.calls).toHaveLength(1);

  const away = openTestLine();
  const id = away.world.tool({ name: 'read', tier: 'read_only' });
  away.world.answer = (_call, n) => (n === 1 ? cut : gone);
  expect(valueOf(await away.line.tryCall({ capabilityId: id, principal: 'user' }))).toMatchObject({ class: 'interrupted', fault: { details: { mayHaveRun: true } } });
  expect(away.world.calls).toHaveLength(3);

  const unsent = openTestLine();
  const none = unsent.world.tool({ name: 'read', tier: 'read_only' });
  unsent.world.answer = () => gone;
  expect(valueOf(await unsent.line.tryCall({ capabilityId: none, principal: 'user' }))).toMatchObject({ class: 'unavailable', fault: { details: { mayHaveRun: false } } });
});

test('CL14 a refused call is on record, and the pool was not asked', async () => {
  const t = openTestLine();
  const unknown = valueOf(await t.line.tryCall({ capabilityId: 'mcp:srv:tool:none', principal: 'user' }));
  expect(unknown).toMatchObject({ state: 'failed', code: 'unknown_capability', class: 'not_sent' });
  t.world.refusal = fault('not_connected', 'not ready');
  expect(valueOf(await t.line.tryCall({ capabilityId: 'mcp:srv:tool:none', principal: 'user' }))).toMatchObject({ code: 'not_connected', class: 'unavailable' });
  t.world.refusal = null;
  const id = t.world.tool({ name: 'read', tier: 'read_only' });
  expect(valueOf(await t.line.tryCall({ capabilityId: id, principal: 'user', binding: { ...t.world.bound(id)!, fingerprint: 'old' } }))).toMatchObject({ code: 'binding_changed' });
  valueOf(t.line.rules.add({ effect: 'deny', principal: null, capabilityId: null, serverId: 'srv', tier: null, conditions: [], note: 'no', expiresAt: null }, 'me'));
  expect(valueOf(await t.line.tryCall({ capabilityId: id, principal: 'user' }))).toMatchObject({ code: 'denied', fault: { details: { by: 'rule' } } });
  expect(t.world.calls).toHaveLength(0);
  expect(valueOf(await verifyRun(t.store, unknown.runId))).toEqual({ ok: true, events: 4 });
  expect(await t.line.tryCall({ capabilityId: id, principal: 'user', run: { id: 'nope' } })).toMatchObject({ ok: false, error: { code: 'not_found' } });
});

test('CL29 F09 a late answer is linked and settles what was unknown; the agent is told nothing', async () => {
  const t = openTestLine();
  const id = allowWrite(t);
  let late: ((w: WireOutcome) => void) | undefined;
  t.world.answer = (call) => {
    late = call.onLate;
    return { kind: 'failed', fault: fault('timeout', 'No answer.'), sent: true, mayHaveRun: true };
  };
  const o = valueOf(await t.line.tryCall({ capabilityId: id, principal: 'user' }));
  expect(o.class).toBe('outcome_unknown');
  late?.(World.text('it did happen'));
  expect(valueOf(t.line.get(o.invocationId))).toMatchObject({ state: 'failed', code: 'outcome_unknown', class: 'outcome_unknown', fault: { details: { late: { class: 'ok' } } }, result: { content: [{ text: 'it did happen' }] }, grounded: false });
  expect(typesOf(t).at(-1)).toBe('call.late_result');
  expect(valueOf(await verifyRun(t.store, o.runId)).ok).toBe(true);
});

test('CL32 F23 a flood of progress leaves few events', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'read', tier: 'read_only' });
  t.world.answer = (call) => {
    for (let i = 0; i < 5_000; i++) {
      t.clock.pass(100);
      call.onProgress({ progress: i, message: 'x'.repeat(500) });
    }
    return World.text('ok');
  };
  const o = valueOf(await t.line.tryCall({ capabilityId: id, principal: 'user' }));
  expect(o.class).toBe('ok');
  expect(typesOf(t).filter((x) => x === 'call.progress')).toHaveLength(20);
});

test('A20 a store that cannot write refuses the call before anything is sent', async () => {
  const t = openTestLine();
  const write = allowWrite(t);
  const read = t.world.tool({ name: 'read', tier: 'read_only' });
  t.store.connection.pragma('query_only = ON');
  for (const id of [write, read]) expect(await t.line.tryCall({ capabilityId: id, principal: 'user' })).toMatchObject({ ok: false, error: { code: 'store_write_failed' } });
  expect(t.world.calls).toHaveLength(0);
  expect(t.line.runningCount()).toBe(0);
  t.store.connection.pragma('query_only = OFF');
  expect(valueOf(await t.line.tryCall({ capabilityId: write, principal: 'user' })).state).toBe('completed');
});

test('A20 an outcome that cannot be written is kept, told, and holds effects back until it is', async () => {
  const t = openTestLine();
  const write = allowWrite(t);
  t.world.answer = () => {
    t.store.connection.pragma('query_only = ON');
    return World.text('written');
  };
  const o = valueOf(await t.line.tryCall({ capabilityId: write, principal: 'user' }));
  expect(o).toMatchObject({ state: 'completed', class: 'ok', fault: { code: 'store_write_failed' } });
  expect(t.line.evidenceFault()).toMatchObject({ code: 'store_write_failed', details: { waiting: 1 } });
  expect(valueOf(t.line.get(o.invocationId))).toMatchObject({ state: 'completed', class: 'ok', result: { content: [{ text: 'written' }] } });
  expect(await t.line.tryCall({ capabilityId: write, principal: 'user' })).toMatchObject({ ok: false, error: { code: 'store_write_failed' } });
  expect(t.world.calls).toHaveLength(1);
  t.world.answer = () => World.text('again');
  t.store.connection.pragma('query_only = OFF');
  expect(valueOf(await t.line.tryCall({ capabilityId: write, principal: 'user' })).state).toBe('completed');
  expect(t.line.evidenceFault()).toBeNull();
  expect(valueOf(await verifyRun(t.store, o.runId))).toMatchObject({ ok: true });
});

test('A20 a full disk after the intent leaves the approval used and nothing sent', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'write' });
  const o = valueOf(await t.line.tryCall({ capabilityId: id, principal: 'user' }));
  t.store.connection.pragma('query_only = ON');
  expect(t.line.approvals.decide(o.approvalId ?? '', 'approve', { by: 'me' })).toMatchObject({ ok: false, error: { code: 'store_write_failed' } });
  t.store.connection.pragma('query_only = OFF');
  expect(valueOf(t.line.approvals.get(o.approvalId ?? '')).state).toBe('pending');
  expect(t.world.calls).toHaveLength(0);
});

test.each([
  ['as one row', 'steps', `NEW.step_text LIKE '%call.intent%'`, {}],
  ['in the tables', 'events', `NEW.type = 'call.intent'`, { long: 'x'.repeat(20_000) }],
])('E03 where the change fails, neither row nor event is there: %s', async (_how, table, when, input) => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'read', tier: 'read_only' });
  t.store.connection.exec(`CREATE TRIGGER no_intent BEFORE INSERT ON ${table} WHEN ${when} BEGIN SELECT RAISE(ABORT, 'SQLITE_FULL'); END`);
  await expect(t.line.tryCall({ capabilityId: id, principal: 'user', input })).resolves.toMatchObject({ ok: false });
  for (const name of ['runs', 'events', 'invocations', 'steps']) expect(t.store.connection.prepare(`SELECT count(*) FROM ${name}`).pluck().get()).toBe(0);
  expect(t.world.calls).toHaveLength(0);
});

test('A27 after Stop all nothing is dispatched any more, and running calls end known or unknown, whether or not an answer comes', async () => {
  const t = openTestLine();
  const write = allowWrite(t);
  const read = t.world.tool({ name: 'read', tier: 'read_only' });
  t.world.answer = (call, n) => (n === 3 ? new Promise((resolve) => call.signal.addEventListener('abort', () => setTimeout(() => resolve(World.text('just in time')), 50))) : never());
  const running = [write, read, write].map((id) => t.line.tryCall({ capabilityId: id, principal: 'user', wait: true }));
  await settle();
  expect(t.line.runningCount()).toBe(3);
  expect(t.line.stopAll()).toEqual({ cancelled: 3 });
  const refused = valueOf(await t.line.tryCall({ capabilityId: write, principal: 'user' }));
  expect(refused).toMatchObject({ state: 'failed', code: 'stopped', class: 'not_sent' });
  const ends = (await Promise.all(running)).map(valueOf);
  expect(ends.map((o) => o.class)).toEqual(['outcome_unknown', 'interrupted', 'ok']);
  expect(t.world.calls).toHaveLength(3);
  expect(t.line.isStopped()).toBe(true);
  t.line.resume();
  t.world.answer = () => World.text('on');
  expect(valueOf(await t.line.tryCall({ capabilityId: write, principal: 'user' })).state).toBe('completed');
});

test('A27 a yes while everything is stopped is refused and the approval waits on', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'write' });
  const o = valueOf(await t.line.tryCall({ capabilityId: id, principal: 'user' }));
  t.line.stopAll();
  expect(t.line.approvals.decide(o.approvalId ?? '', 'approve', { by: 'me' })).toMatchObject({ ok: false, error: { code: 'stopped' } });
  expect(valueOf(t.line.approvals.get(o.approvalId ?? '')).state).toBe('pending');
  t.line.resume();
  expect(t.line.approvals.decide(o.approvalId ?? '', 'approve', { by: 'me' }).ok).toBe(true);
});

test('A27 stopping one call: a waiting one is cancelled, a running one ends, a finished one stays', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'write' });
  const waiting = valueOf(await t.line.tryCall({ capabilityId: id, principal: 'user' }));
  valueOf(t.line.stop(waiting.invocationId));
  expect(valueOf(t.line.get(waiting.invocationId))).toMatchObject({ state: 'failed', code: 'cancelled', class: 'not_sent' });
  valueOf(t.line.stop(waiting.invocationId));
  expect(t.line.stop('nope')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(t.line.approvals.list('pending')).toEqual([]);
});
