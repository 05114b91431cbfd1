import { afterAll, expect, test } from 'vitest';
import { openTestLine } from '../calls/open-test-line.ts';
import { insertAgentRun } from '../store/agent-runs.ts';
import { insertConversation } from '../store/conversations.ts';
import type { AgentDeps } from './agent-deps.ts';
import type { ChosenModel } from './choose-model.ts';
import { readEarlierRuns } from './read-earlier-runs.ts';

const t = openTestLine();
afterAll(() => t.store.close());
const deps = { store: t.store, line: t.line, categoryOnly: () => false, concealSettings: (_id: string, text: string) => text } as unknown as AgentDeps;
const model = { provider: 'openai', routeId: 'openai-chat' } as ChosenModel;
const QUESTIONS = 230;

test('AC25 AC20 of a conversation without end so much is read as a request can carry, beside other work; labels of what is not read are all known, and none of the question that asks', async () => {
  const tool = t.world.tool({ name: 'look', tier: 'read_only' });
  t.store.write((db) => insertConversation(db, { id: 'long', title: 'Long', profileId: 'default', createdAt: 1 }));
  const ids: string[] = [];
  const called = await t.line.tryCall({ capabilityId: tool, principal: 'user', input: {}, wait: true });
  for (let n = 1; n <= QUESTIONS; n += 1) {
    // ids of runs are in the order of their time
    t.clock.pass(1);
    const run = t.line.beginRun({ kind: 'agent', title: `q${n}`, principal: 'agent:default' });
    ids.push(run.id);
    t.store.write((db) => insertAgentRun(db, { runId: run.id, conversationId: 'long', profileId: 'default', modelId: null, model: 'm', prompt: `q${n}` }));
    t.line.note(run.id, [
      { type: 'run.prompt', invocationId: null, data: { prompt: `question ${n}`, attachments: [] } },
      { type: 'call.told', invocationId: called.ok ? called.value.invocationId : '', data: { turn: 1, callId: 'c', label: `r${n}`, grounded: n % 2 === 0, text: 'x', isError: false } },
      { type: 'turn.reply', invocationId: null, data: { turn: 2, text: `answer ${n}`, calls: [] } },
    ]);
    t.line.endRun(run.id, { state: 'completed', code: null });
  }
  const read = (runId: string, mostBytes: number) => readEarlierRuns({ conversationId: 'long', runId, mostBytes, model }, deps);
  const { runs, unread, results } = await read('\uffff', 4_000);
  expect(runs.at(-1)?.runId).toBe(ids.at(-1));
  expect(runs.length + unread).toBe(QUESTIONS);
  expect(runs.length).toBeLessThan(60);
  // each label once, over every bound of a reading
  const known = [...results, ...runs.flatMap((run) => run.results)];
  expect(new Map(known.map(({ label, grounded }) => [label, grounded]))).toEqual(new Map(ids.map((_, i) => [`r${i + 1}`, i % 2 === 1])));
  // what is asked now comes after what it is told of
  expect((await read(ids[10]!, 1_000_000)).runs.map(({ runId }) => runId)).toEqual(ids.slice(0, 10));
});
