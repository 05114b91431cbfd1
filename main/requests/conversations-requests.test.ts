import { afterAll, expect, test } from 'vitest';
import { openTestLine } from '../calls/open-test-line.ts';
import { insertAgentRun, putAnswer } from '../store/agent-runs.ts';
import { insertConversation } from '../store/conversations.ts';
import type { AgentRunner } from '../agent/agent-runner.ts';
import { EvidenceLane } from '../evidence/evidence-lane.ts';
import { conversationsRequests } from './conversations-requests.ts';
import type { Caller } from './handlers.ts';

const t = openTestLine();
afterAll(async () => {
  await lane.close();
  t.store.close();
});
const lane = new EvidenceLane(t.store);
const requests = conversationsRequests({ store: t.store, runPages: lane, bus: t.bus, agent: {} as AgentRunner });
const CALLER: Caller = { kind: 'window', canDecide: true };

const search = async (words: string) => {
  const answer = await requests['conversations:search']({ words, limit: 20 }, CALLER);
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value.found;
};
const marked = (text: string, marks: readonly { readonly from: number; readonly to: number }[]): string[] => marks.map(({ from, to }) => text.slice(from, to));

test('MD05 past conversations are found by words of every script, whatever their case, accents and width, with the place where they stand', async () => {
  const run = t.line.beginRun({ kind: 'agent', title: 'r', principal: 'agent:default' });
  const filler = 'ﬁ ½ ㍿ '.repeat(200);
  t.store.write((db) => {
    insertConversation(db, { id: 'c', title: 'ÉTÉ à São Paulo', profileId: 'default', createdAt: 1 });
    insertAgentRun(db, { runId: run.id, conversationId: 'c', profileId: 'default', modelId: 'm', model: 'm', prompt: 'ΑΘΉΝΑ Ёлка ＡＢＣ' });
    putAnswer(db, run.id, { text: `${filler}数据库备份 Crème brûlée がっこう`, citations: [], refusals: [] } as never);
  });
  for (const words of ['été', 'ETE sao', 'e\u0301te\u0301', 'αθηνα', 'елка', '备份', 'abc', 'がっこう', 'CREME\u3000ＢＲＵＬＥＥ']) expect([words, (await search(words)).map(({ runId }) => runId)]).toEqual([words, [run.id]]);
  for (const words of ['数据仓', 'かっこう', 'été paris', 'a%b']) expect([words, await search(words)]).toEqual([words, []]);
  expect((await search('BRULEE'))[0]?.excerpt).toContain('Crème brûlée');
});

test('AP23 what was looked for is marked where it stands, near the beginning of its excerpt, in every script; a word nobody said is read as the nearest that was', async () => {
  const run = t.line.beginRun({ kind: 'agent', title: 'r', principal: 'agent:default' });
  t.store.write((db) => {
    insertConversation(db, { id: 'w', title: 'Migration of whales', profileId: 'default', createdAt: 2 });
    insertAgentRun(db, { runId: run.id, conversationId: 'w', profileId: 'default', modelId: 'm', model: 'm', prompt: 'Where do they go?' });
    putAnswer(db, run.id, { text: `${'Some words before it. '.repeat(30)}The Humpback whales swim: ＷＨＡＬＥＳ of Āotearoa. ${'很长的前文。'.repeat(40)}座头鲸每年迁徙。`, citations: [], refusals: [] } as never);
  });
  const [hit] = await search('humpback');
  expect(hit?.excerpt.slice(0, 30)).toContain('Humpback');
  expect(marked(hit!.excerpt, hit!.marks)).toEqual(['Humpback']);
  const [wide] = await search('whales aotearoa');
  expect(marked(wide!.excerpt, wide!.marks)).toEqual(['whales', 'ＷＨＡＬＥＳ', 'Āotearoa']);
  expect(marked(wide!.conversation.title, wide!.titleMarks)).toEqual(['whales']);
  const [han] = await search('座头鲸');
  expect(han?.excerpt.slice(0, 30)).toContain('座头鲸');
  expect(marked(han!.excerpt, han!.marks)).toEqual(['座头鲸']);
  const near = await requests['conversations:search']({ words: 'whalez humpbakc', limit: 20 }, CALLER);
  expect(near.ok && [near.value.instead, near.value.found.map(({ runId }) => runId)]).toEqual(['whales humpback', [run.id]]);
  expect(await requests['conversations:search']({ words: 'zebra whalez', limit: 20 }, CALLER)).toMatchObject({ value: { found: [], instead: null } });
});

test('AC25 MD06 questions are read and found beside the thread of the host: it reads nothing of them itself', async () => {
  const busy = conversationsRequests({ store: { ...t.store, read: () => { throw new Error('read on the thread of the host'); } } as never, runPages: lane, bus: t.bus, agent: {} as AgentRunner });
  expect(await busy['conversations:get']({ conversationId: 'w', limit: 50 }, CALLER)).toMatchObject({ ok: true, value: { conversation: { id: 'w', runs: 1 }, earlier: 0 } });
  expect(await busy['conversations:search']({ words: 'whales', limit: 50 }, CALLER)).toMatchObject({ ok: true, value: { found: [{ conversation: { id: 'w' } }] } });
  expect(await busy['conversations:get']({ conversationId: 'none', limit: 50 }, CALLER)).toMatchObject({ ok: false, error: { code: 'not_found', field: '/conversationId' } });
});
