import { expect, test } from 'vitest';
import { BUILT_IN_AGENT, USER } from '../../shared/principal.ts';
import { verifyRun } from '../evidence/verify-run.ts';
import { eventPage, toEvent } from '../store/events.ts';
import { openTestLine, type TestLine, type TestTool } from './open-test-line.ts';
import { sendAgain } from './send-again.ts';

const KEY = 'client_request_id';
const payment: TestTool = { name: 'pay', tier: 'low_write', inputSchema: { type: 'object', properties: { to: { type: 'string' }, [KEY]: { type: 'string' } }, required: ['to', KEY], additionalProperties: false }, idempotency: { field: KEY, required: true } };

const valueOf = <T>(result: { ok: true; value: T } | { ok: false; error: unknown }): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};
const again = (t: TestLine, invocationId: string) => sendAgain(invocationId, 'window', { line: t.line, eventsOf: (runId, id, types) => t.store.read((db) => eventPage(db, runId, { invocationId: id, types, offset: 0, limit: 10 })).rows.map(toEvent) });
/** The same write twice in one run, by a rule that allows it: the second has the first result. */
const repeated = async (t: TestLine) => {
  const id = t.world.tool(payment);
  valueOf(t.line.rules.add({ effect: 'allow', principal: null, capabilityId: id, serverId: null, tier: null, conditions: [], note: '', expiresAt: null }, 'me'));
  const runId = t.line.beginRun({ kind: 'agent', title: 'a run', principal: BUILT_IN_AGENT }).id;
  const ask = async () => valueOf(await t.line.tryCall({ capabilityId: id, principal: BUILT_IN_AGENT, run: { id: runId }, input: { to: 'bob' } }));
  const [first, second] = [await ask(), await ask()];
  expect(second.repeatOf).toMatchObject({ invocationId: first.invocationId });
  return { id, runId, first, second };
};

test('TM32 a repeat is sent again as new: the person is asked although a rule allows it, under another key and in a run of its own', async () => {
  const t = openTestLine();
  const { runId, second } = await repeated(t);
  t.line.endRun(runId, { state: 'completed', code: null });
  const sent = valueOf(await again(t, second.invocationId));
  expect(sent).toMatchObject({ state: 'awaiting_approval' });
  expect(sent.runId).not.toBe(runId);
  const approval = valueOf(t.line.approvals.get(sent.approvalId ?? ''));
  expect(approval).toMatchObject({ principal: USER, ruleId: 'builtin:sent-again-asks' });
  expect(approval.notices.map(({ code }) => code)).toContain('repeat');
  expect(t.world.calls).toHaveLength(1);
  valueOf(await t.line.approvals.decide(approval.id, 'approve', { by: 'me' }));
  await expect.poll(() => valueOf(t.line.get(sent.invocationId)).state).toBe('completed');
  const inputs = t.world.calls.map((call) => JSON.parse(call.frozenArguments) as Record<string, string>);
  expect(inputs.map(({ to }) => to)).toEqual(['bob', 'bob']);
  expect(new Set(inputs.map((input) => input[KEY])).size).toBe(2);
  expect(valueOf(await verifyRun(t.store, sent.runId)).ok).toBe(true);
});

test('TM32 what no first result answered is not sent again as new', async () => {
  const t = openTestLine();
  const { first } = await repeated(t);
  expect(await again(t, first.invocationId)).toMatchObject({ ok: false, error: { code: 'conflict', field: 'invocationId' } });
  expect(await again(t, 'none')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(t.world.calls).toHaveLength(1);
});
