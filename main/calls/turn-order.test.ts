import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fault } from '../../shared/fault.ts';
import { verifyRun } from '../evidence/verify-run.ts';
import type { ToolAnswer } from '../servers/wire-answer.ts';
import type { Outcome } from './call-outcome.ts';
import { openTestLine, World } from './open-test-line.ts';
import { TurnOrder } from './turn-order.ts';

interface Wanted {
  readonly tool: 'read' | 'write' | 'asks';
  readonly server?: string;
  readonly input?: unknown;
}

/** A turn whose calls answer when the test says so. `write` is let through by a rule, `asks` is not. */
const turnOf = (wanted: readonly Wanted[]) => {
  const t = openTestLine();
  const answers = new Map<string, (answer: ToolAnswer) => void>();
  t.world.answer = (call) => new Promise((resolve) => answers.set(call.frozenArguments, resolve));
  const idOf = ({ tool, server = 'srv' }: Wanted): string => t.world.tool({ name: tool, serverId: server, tier: tool === 'read' ? 'read_only' : 'high_write' });
  const allowed = new Set(wanted.filter(({ tool }) => tool === 'write').map(idOf));
  for (const capabilityId of allowed) t.line.rules.add({ effect: 'allow', principal: null, capabilityId, serverId: null, tier: null, conditions: [], note: '', expiresAt: null }, 'me');
  const run = t.line.beginRun({ kind: 'agent', title: 'turn', principal: 'agent:default' });
  const order = new TurnOrder(wanted.map(({ tool, server = 'srv' }) => ({ serverId: server, effects: tool !== 'read' })));
  const controller = new AbortController();
  const ended = wanted.map(async (one, n): Promise<Outcome> => {
    const tried = await t.line.tryCall({ capabilityId: idOf(one), principal: 'agent:default', input: one.input ?? { n }, run, wait: true, signal: controller.signal, place: order.at(n) });
    return tried.ok ? tried.value : { invocationId: '', runId: run.id, state: 'failed', code: tried.error.code };
  });
  const settled = async (): Promise<void> => {
    for (let i = 0; i < 20; i += 1) await setImmediate();
  };
  return {
    t, run, controller, settled,
    ends: () => Promise.all(ended),
    /** what was sent, by place */
    sent: () => t.world.calls.map(({ frozenArguments }) => (JSON.parse(frozenArguments) as { n: number }).n),
    answer: async (n: number, answer: ToolAnswer = World.text(`answer ${n}`)): Promise<void> => {
      answers.get(`{"n":${n}}`)!(answer);
      await settled();
    },
    pending: () => t.line.approvals.list('pending').map((one) => ({ id: one.id, n: (JSON.parse(one.frozenInput) as { n: number }).n })).sort((a, b) => a.n - b.n),
    decide: async (n: number, decision: 'approve' | 'deny'): Promise<void> => {
      const approval = t.line.approvals.list('pending').find(({ frozenInput }) => frozenInput === `{"n":${n}}`)!;
      expect(t.line.approvals.decide(approval.id, decision, { by: 'me', inputHash: approval.inputHash })).toMatchObject({ ok: true });
      await settled();
    },
    runState: () => t.store.connection.prepare('SELECT state FROM runs WHERE id = ?').get(run.id) as { state: string },
  };
};

test('AC15 several approvals of one turn wait at once, each for its own input; they are decided alone and in any order, and one that is denied ends no other', async () => {
  const turn = turnOf([{ tool: 'asks' }, { tool: 'read' }, { tool: 'asks' }, { tool: 'asks', server: 'other' }]);
  await turn.settled();
  expect(turn.pending().map(({ n }) => n)).toEqual([0, 2, 3]);
  expect(turn.sent()).toEqual([1]);
  await turn.answer(1);
  await turn.decide(3, 'approve');
  await turn.decide(2, 'deny');
  await turn.answer(3);
  // the run waits for its person as long as one call does
  expect(turn.runState()).toEqual({ state: 'awaiting_approval' });
  await turn.decide(0, 'approve');
  expect(turn.runState()).toEqual({ state: 'running' });
  await turn.answer(0);
  expect((await turn.ends()).map(({ state, code, result }) => [state, code, (result?.content[0] as { text?: string } | undefined)?.text])).toEqual([['completed', undefined, 'answer 0'], ['completed', undefined, 'answer 1'], ['failed', 'denied', undefined], ['completed', undefined, 'answer 3']]);
  expect(turn.sent()).toEqual([1, 3, 0]);
  turn.t.line.endRun(turn.run.id, { state: 'completed', code: null });
  expect(await verifyRun(turn.t.store, turn.run.id)).toMatchObject({ ok: true, value: { ok: true } });
});

test('AC15 a stop ends all calls of a turn, those that wait for their turn with them', async () => {
  const turn = turnOf([{ tool: 'write' }, { tool: 'asks' }, { tool: 'write' }]);
  await turn.settled();
  expect(turn.sent()).toEqual([0]);
  turn.controller.abort();
  for (const { invocation_id: id } of turn.t.store.connection.prepare("SELECT id AS invocation_id FROM invocations WHERE state NOT IN ('completed','failed')").all() as { invocation_id: string }[]) turn.t.line.stop(id);
  expect((await turn.ends()).map(({ code }) => code)).toEqual(['outcome_unknown', 'cancelled', 'cancelled']);
  expect(turn.sent()).toEqual([0]);
});

test('AC16 reads of one server go side by side, four at once; other servers do not wait for them', async () => {
  const turn = turnOf([...Array.from({ length: 6 }, (): Wanted => ({ tool: 'read' })), { tool: 'read', server: 'other' }]);
  await turn.settled();
  expect(turn.sent()).toEqual([0, 1, 2, 3, 6]);
  await turn.answer(2);
  expect(turn.sent()).toEqual([0, 1, 2, 3, 6, 4]);
  for (const n of [0, 4, 6, 1, 3, 5]) await turn.answer(n);
  expect((await turn.ends()).every(({ state }) => state === 'completed')).toBe(true);
});

test('AC16 what may have effects has its server for itself, in the order given; a person’s yes is sent when nothing is under way that it would meet', async () => {
  const turn = turnOf([{ tool: 'read' }, { tool: 'write' }, { tool: 'read' }, { tool: 'write', server: 'other' }, { tool: 'asks' }, { tool: 'asks' }]);
  await turn.settled();
  expect(turn.sent()).toEqual([0, 3]);
  await turn.decide(5, 'approve');
  expect(turn.sent()).toEqual([0, 3]);
  await turn.answer(0);
  const answered = new Set([0]);
  const going = (): number[] => turn.sent().filter((n) => n !== 3 && !answered.has(n));
  const answerNext = async (): Promise<void> => {
    expect(going()).toHaveLength(1);
    const [next] = going();
    answered.add(next!);
    await turn.answer(next!);
  };
  while (answered.size < 4) await answerNext();
  await turn.decide(4, 'approve');
  await answerNext();
  await turn.answer(3);
  expect(turn.sent().toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
  expect(turn.sent().filter((n) => n < 3)).toEqual([0, 1, 2]);
  expect((await turn.ends()).every(({ state }) => state === 'completed')).toBe(true);
});

test('AC16 a source whose failure was confirmed earlier in the turn gets no more of its calls, those that a person says yes to with them', async () => {
  const turn = turnOf([{ tool: 'write' }, { tool: 'read' }, { tool: 'asks' }, { tool: 'read', server: 'other' }]);
  await turn.settled();
  turn.t.line.isolations.confirmed('srv', fault('exited', 'The server ended.'));
  await turn.answer(0, { kind: 'failed', fault: fault('exited', 'The server ended.'), sent: true, mayHaveRun: true });
  await turn.decide(2, 'approve');
  await turn.answer(3);
  expect((await turn.ends()).map(({ state, code }) => [state, code])).toEqual([['failed', 'outcome_unknown'], ['failed', 'unavailable'], ['failed', 'unavailable'], ['completed', undefined]]);
  expect(turn.sent()).toEqual([0, 3]);
});

test('A15 of more questions in one turn than may wait at once, the others wait for their place', async () => {
  const turn = turnOf(Array.from({ length: 12 }, (): Wanted => ({ tool: 'asks' })));
  await turn.settled();
  expect(turn.pending()).toHaveLength(10);
  for (let left = 12; left > 0; left -= 1) {
    await turn.decide(turn.pending()[0]!.n, 'deny');
    expect(turn.pending()).toHaveLength(Math.min(10, left - 1));
  }
  expect(new Set((await turn.ends()).map(({ code }) => code))).toEqual(new Set(['denied']));
});
