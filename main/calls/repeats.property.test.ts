import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fault } from '../../shared/fault.ts';
import { BUILT_IN_AGENT } from '../../shared/principal.ts';
import { verifyRun } from '../evidence/verify-run.ts';
import type { WireOutcome } from '../servers/wire-outcome.ts';
import { World, openTestLine } from './open-test-line.ts';

const KEY = 'client_request_id';
const lost: WireOutcome = { kind: 'failed', fault: fault('exited', 'ended'), sent: true, mayHaveRun: true };
const unprocessed: WireOutcome = { kind: 'failed', fault: fault('connection_failed', 'refused'), sent: false, mayHaveRun: false };
const refused: WireOutcome = World.result({ isError: true, content: [{ type: 'text', text: 'no' }] });

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('ask' as const), to: fc.constantFrom('a', 'b'), wait: fc.constantFrom(true, false, undefined), fresh: fc.constantFrom(false, false, false, true), byModel: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('decide' as const), pick: fc.nat(9), yes: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('answer' as const), pick: fc.nat(9), with: fc.constantFrom('done', 'done', 'done', 'lost', 'lost', 'refused', 'unprocessed') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const), pick: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'allow' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'stopAll' as const }) },
);

const settle = async (): Promise<void> => {
  for (let i = 0; i < 3; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A server that honours keys: an effect is carried out once a key, and each carrying out is noted with what had been answered before it. */
const play = async (steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]): Promise<void> => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'write', tier: 'high_write', inputSchema: { type: 'object', properties: { to: { type: 'string' }, [KEY]: { type: 'string' } } }, idempotency: { field: KEY, required: true } });
  const runId = t.line.beginRun({ kind: 'agent', title: 'run', principal: BUILT_IN_AGENT }).id;
  const open: { readonly to: string; readonly key: string; readonly end: (wire: WireOutcome) => void }[] = [];
  const answered = new Map<string, Set<string>>();
  const sentWithAnswer: string[] = [];
  t.world.answer = (call) => {
    const { to, [KEY]: key } = JSON.parse(call.frozenArguments) as { to: string; [KEY]: string };
    expect(call.meta).toEqual({ 'gantry/idempotencyKey': key });
    if (answered.get(to)?.has(key)) sentWithAnswer.push(to);
    return new Promise((resolve) => {
      let over = false;
      const end = (wire: WireOutcome): void => {
        if (over) return;
        over = true;
        if (wire.kind === 'result' && wire !== refused) answered.set(to, (answered.get(to) ?? new Set()).add(key));
        resolve(wire);
      };
      open.push({ to, key, end });
      call.signal.addEventListener('abort', () => end(lost));
    });
  };
  const asked: Promise<unknown>[] = [];
  for (const now of steps) {
    if (now.do === 'ask') asked.push(t.line.tryCall({ capabilityId: id, principal: BUILT_IN_AGENT, run: { id: runId }, input: { to: now.to, ...(now.byModel ? { [KEY]: 'same-old' } : {}) }, wait: now.wait, fresh: now.fresh }));
    if (now.do === 'decide') {
      const pending = t.line.approvals.list('pending');
      const approval = pending[now.pick % Math.max(1, pending.length)];
      if (approval) t.line.approvals.decide(approval.id, now.yes ? 'approve' : 'deny', { by: 'me' });
    }
    if (now.do === 'answer' && open.length > 0) {
      const [call] = open.splice(now.pick % open.length, 1);
      call?.end({ done: World.text('done'), lost, refused, unprocessed }[now.with]!);
    }
    if (now.do === 'stop') {
      const rows = t.store.connection.prepare('SELECT id FROM invocations WHERE ended_at IS NULL').pluck().all() as string[];
      if (rows.length > 0) t.line.stop(rows[now.pick % rows.length]!);
    }
    if (now.do === 'allow') t.line.rules.add({ effect: 'allow', principal: null, capabilityId: id, serverId: null, tier: null, conditions: [], note: '', expiresAt: null }, 'me');
    if (now.do === 'stopAll') {
      t.line.stopAll();
      await settle();
      t.line.resume();
    }
    await settle();
  }
  // to the end, one after the other: whatever runs is answered, whatever waits is approved
  for (let i = 0; i < 60 && (t.line.approvals.list('pending').length > 0 || open.length > 0 || t.line.runningCount() > 0); i += 1) {
    for (const call of open.splice(0)) call.end(World.text('done'));
    await settle();
    const [next] = t.line.approvals.list('pending');
    if (next && open.length === 0) t.line.approvals.decide(next.id, 'approve', { by: 'me' });
    await settle();
    await new Promise((resolve) => setTimeout(resolve, t.line.runningCount() > 0 ? 20 : 0));
  }
  await Promise.all(asked);

  const sql = <T>(text: string): T[] => t.store.connection.prepare(text).all() as T[];
  const intents = sql<{ invocation_id: string; n: number }>(`SELECT invocation_id, count(*) AS n FROM events WHERE type = 'call.intent' GROUP BY invocation_id`);
  for (const { invocation_id, n } of intents) {
    expect(n).toBe(1);
    // I1: by one consumed approval or by a rule
    const permit = JSON.parse(String(t.store.connection.prepare(`SELECT data_json FROM events WHERE type = 'call.intent' AND invocation_id = ?`).pluck().get(invocation_id))) as { permit: { kind: string; approvalId?: string } };
    if (permit.permit.kind === 'approval') expect(t.store.connection.prepare(`SELECT state FROM approvals WHERE id = ? AND invocation_id = ?`).pluck().get(permit.permit.approvalId, invocation_id)).toBe('consumed');
  }
  // I2: on the wire once a permit, but for a try that was proved unprocessed
  const retries = Number(t.store.connection.prepare(`SELECT count(*) FROM events WHERE type = 'call.retry_ended' AND json_extract(data_json, '$.sent') = 1`).pluck().get());
  const unsentTries = Number(t.store.connection.prepare(`SELECT count(*) FROM events WHERE type = 'call.retry_ended'`).pluck().get());
  expect(t.world.calls.length).toBeGreaterThanOrEqual(intents.length > 0 ? 1 : 0);
  expect(t.world.calls.length).toBeLessThanOrEqual(intents.length + Math.max(retries, unsentTries));
  // what was answered is not sent again under its key: a further one is a new call that a person had sent as new
  expect(sentWithAnswer).toEqual([]);
  // I3, I4
  expect(sql(`SELECT id FROM invocations WHERE ended_at IS NULL OR state NOT IN ('completed', 'failed')`)).toEqual([]);
  expect(await verifyRun(t.store, runId)).toMatchObject({ ok: true, value: { ok: true } });
  t.store.close();
};

test('TM29 however repeats, decisions, answers, losses and stops come, each permit sends once and what was answered is not sent again', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20 }), play), { numRuns: 40 });
}, 300_000);
