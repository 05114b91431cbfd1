import { expect, test } from 'vitest';
import { BUILT_IN_AGENT } from '../../shared/principal.ts';
import { openTestLine, World } from './open-test-line.ts';

test.each(['ended', 'under way'])('TM26 a first result that is %s answers nobody but who asked for it: another asker of the run makes a call of its own, with the same key', async (state) => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'pay', tier: 'low_write', idempotency: { field: 'key', required: true }, inputSchema: { type: 'object', properties: { a: {}, key: { type: 'string' } } } });
  t.line.rules.add({ effect: 'allow', principal: null, capabilityId: id, serverId: null, tier: null, conditions: [], note: '', expiresAt: null }, 'me');
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  t.world.answer = async (_call, n) => {
    if (n === 1) await answered;
    return World.text(`answer ${n}`);
  };
  const run = t.line.beginRun({ kind: 'agent', title: 'a run', principal: BUILT_IN_AGENT });
  const ask = (principal: string) => t.line.tryCall({ capabilityId: id, principal, run: { id: run.id }, wait: true, input: { a: 1 } });
  const first = ask(BUILT_IN_AGENT);
  if (state === 'ended') {
    answer();
    await first;
  }
  const other = await ask('flow:nightly');
  answer();
  expect([(await first).ok, other]).toMatchObject([true, { ok: true, value: { class: 'ok', result: { content: [{ text: 'answer 2' }] } } }]);
  expect(other).not.toHaveProperty('value.repeatOf');
  expect(new Set(t.world.calls.map((call) => call.frozenArguments)).size).toBe(1);
  const { value } = (await first) as { value: { invocationId: string } };
  expect(await ask(BUILT_IN_AGENT)).toMatchObject({ value: { repeatOf: { invocationId: value.invocationId } } });
  expect(t.world.calls).toHaveLength(2);
});
