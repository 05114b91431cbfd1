import { expect, test } from 'vitest';
import { verifyRun } from '../evidence/verify-run.ts';
import { World, openTestLine } from './open-test-line.ts';
import type { TestLine } from './open-test-line.ts';
import type { CallLineDeps } from './call-parts.ts';
import { settle } from './settle.fixture.ts';

type Point = Parameters<NonNullable<CallLineDeps['onPoint']>>[0];
class Ended extends Error {}

/** The line as it stands when the process ends at `point`: nothing after it runs, the store keeps what was committed. */
const endedAt = async (point: Point, tier: 'read_only' | 'high_write'): Promise<{ t: TestLine; executed: string[] }> => {
  const executed: string[] = [];
  const world = new World();
  world.answer = (call) => {
    executed.push(call.frozenArguments);
    return World.text('done');
  };
  let ended = false;
  const t: TestLine = openTestLine(world, {
    onPoint: (now) => {
      if (now !== point || ended) return;
      ended = true;
      // what a dead process would write is never written
      t.store.connection.pragma('query_only = ON');
      throw new Ended(point);
    },
  });
  const id = world.tool({ name: 'tool', tier });
  const asked = await t.line.tryCall({ capabilityId: id, principal: 'user', input: { v: 1 }, wait: false }).catch(() => null);
  if (asked?.ok && asked.value.approvalId !== undefined) {
    try {
      t.line.approvals.decide(asked.value.approvalId, 'approve', { by: 'me' });
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
    }
  }
  await settle();
  t.store.connection.pragma('query_only = OFF');
  return { t, executed };
};

const survive = async (point: 'before_intent' | 'after_intent' | 'after_result', tier: 'high_write' | 'read_only', code: string, executions: number): Promise<void> => {
  const { t, executed } = await endedAt(point, tier);
  const before = t.world.calls.length;
  const next = t.restart();
  next.recoverAtStart();
  await settle();
  const row = t.store.connection.prepare('SELECT id, run_id, state, code FROM invocations').get() as { id: string; run_id: string; state: string; code: string };
  expect(row).toMatchObject({ state: 'failed', code });
  expect(executed).toHaveLength(executions);
  expect(t.world.calls.length).toBe(before);
  const types = t.store.connection.prepare('SELECT type FROM events ORDER BY seq').pluck().all();
  expect(types).toContain('call.recovered_at_start');
  expect(types.at(-1)).toBe('run.ended');
  expect(await verifyRun(t.store, row.run_id)).toMatchObject({ ok: true, value: { ok: true } });
  next.recoverAtStart();
  expect(t.store.connection.prepare('SELECT count(*) FROM events').pluck().get()).toBe(types.length);
};

test.each([
['before_intent', 'high_write', 'approval_void', 0],
] as const)('A08 a process that ends %s (%s) leaves %s, and nothing is sent again', survive);

test.each([
  ['after_intent', 'high_write', 'outcome_unknown', 0],
  ['after_intent', 'read_only', 'interrupted', 0],
] as const)('A09 a process that ends %s (%s) leaves %s, and nothing is sent again', survive);

test.each([
  ['after_result', 'high_write', 'outcome_unknown', 1],
  ['after_result', 'read_only', 'interrupted', 1],
] as const)('A10 a process that ends %s (%s) leaves %s, and nothing is sent again', survive);

test('A08 the used approval cannot be used again', async () => {
  const { t } = await endedAt('before_intent', 'high_write');
  const next = t.restart();
  next.recoverAtStart();
  const [approval] = next.approvals.list();
  expect(approval?.state).toBe('consumed');
  expect(next.approvals.decide(approval?.id ?? '', 'approve', { by: 'me' })).toMatchObject({ ok: true, value: { state: 'consumed' } });
  await settle();
  expect(t.world.calls).toHaveLength(0);
});
