import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScriptedModel } from '../e2e/fixtures/model/scripted-model.ts';
import { Bus } from '../main/bus.ts';
import { CallLine } from '../main/calls/run-call.ts';
import { World } from '../main/calls/open-test-line.ts';
import { SchemaChecker } from '../main/capabilities/schema-checker.ts';
import { systemClock } from '../main/clock.ts';
import { createHost } from '../main/host.ts';
import { silentLog } from '../main/log.ts';
import { insertAgentRun, moveUsage, putAnswer } from '../main/store/agent-runs.ts';
import { insertConversation } from '../main/store/conversations.ts';
import { openStore } from '../main/store/open.ts';
import { DEFAULT_SETTINGS } from '../shared/settings.ts';
import { longestTurn } from './longest-block.ts';
import type { Row } from './table.ts';

const AIM_MS = 50;
const DATA_FOLDER = 'data folder';
const WORDS = 'the release notes of friday say that the bridge was built in eighteen ninety and painted again since; 桥建于一八九〇年。 '.split(' ');
const prose = (seed: number, length: number): string => {
  let text = '';
  for (let i = seed; text.length < length; i = (i * 1_103_515_245 + 12_345) % 2_147_483_648) text += `${WORDS[i % WORDS.length]!} `;
  return text;
};

/** A conversation of so many questions, each with two requests, one call and an answer, in a data folder of its own. */
export const longConversation = async (dataDir: string, questions: number, requestBytes: number): Promise<string> => {
  const opened = await openStore({ dataDir, clock: systemClock });
  if (!opened.ok) throw new Error(opened.error.message);
  const { store } = opened.value;
  const schemas = new SchemaChecker();
  const world = new World();
  const line = new CallLine({ store, bus: new Bus(), clock: systemClock, registry: world, pool: world, freshen: () => null, secrets: { knownValues: () => [] }, validator: (candidate, side) => schemas.compile(candidate.inputSchema, candidate.definitionFingerprint, side), settings: () => DEFAULT_SETTINGS, log: silentLog });
  const tool = world.tool({ name: 'look', tier: 'read_only' });
  const conversationId = 'long';
  const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, cost: null, currency: null, estimated: false };
  for (let n = 1; n <= questions; n += 1) {
    const run = line.beginRun({ kind: 'agent', title: `question ${n}`, principal: 'agent:default' });
    const prompt = `question ${n}: ${prose(n, 200)}`;
    const answer = { text: `${prose(n + 7, 1_500)} [r${n}]`, ending: 'answer' as const, code: null, citations: { cited: [], grounded: [], notGrounded: [], unknown: [], results: {} } };
    line.note(run.id, [{ type: 'run.prompt', invocationId: null, data: { prompt, conversationId, attachments: [] } }], (db) => {
      if (n === 1) insertConversation(db, { id: conversationId, title: 'A long one', profileId: 'default', createdAt: systemClock.now() });
      insertAgentRun(db, { runId: run.id, conversationId, profileId: 'default', modelId: null, model: 'scripted-1', prompt });
    });
    line.note(run.id, [{ type: 'turn.request', invocationId: null, data: { turn: 1, model: 'scripted-1', request: prose(n, requestBytes / 2) } }, { type: 'turn.reply', invocationId: null, data: { turn: 1, text: '', calls: [{ id: 'c1', name: 'look', argumentsText: '{}' }], usage } }]);
    const called = await line.tryCall({ capabilityId: tool, principal: 'agent:default', input: {}, run: { id: run.id }, wait: true, shown: { turn: 1, name: 'look', callId: 'c1' } });
    line.note(run.id, [
      { type: 'call.told', invocationId: called.ok ? called.value.invocationId : '', data: { turn: 1, callId: 'c1', label: `r${n}`, grounded: true, text: prose(n, 400), textBytes: 400, isError: false } },
      { type: 'turn.request', invocationId: null, data: { turn: 2, model: 'scripted-1', request: prose(n, requestBytes / 2) } }, { type: 'turn.reply', invocationId: null, data: { turn: 2, text: answer.text, calls: [], usage } },
      { type: 'run.answer', invocationId: null, data: { ...answer } },
    ], (db) => {
      moveUsage(db, run.id, 2, usage);
      putAnswer(db, run.id, answer);
    });
    line.endRun(run.id, { state: 'completed', code: null });
  }
  await line.close();
  await schemas.close();
  store.close();
  return conversationId;
};

/** What a person does with it; the longest turn of the host's thread, in ms of its own processor time. */
export const conversationBlocks = async (questions: number, requestBytes: number): Promise<readonly { readonly what: string; readonly ms: number }[]> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-long-'));
  const model = new ScriptedModel({ rules: [], turns: [{ text: 'so it is [r1]' }] });
  try {
    const conversationId = await longConversation(dataDir, questions, requestBytes);
    const created = await createHost({ dataDir, shell: 'test', approvals: 'script' });
    if (!created.ok) throw new Error(created.error.message);
    const ask = async (name: string, input: unknown): Promise<Record<string, unknown>> => {
      const answer = await created.value.handle(name, input, { kind: 'script', canDecide: true });
      if (!answer.ok) throw new Error(`${name}: ${answer.error.code} ${answer.error.message}`);
      return answer.value as Record<string, unknown>;
    };
    await ask('models:set', { provider: 'openai', baseUrl: await model.start(), model: 'scripted-1' });
    const { runs } = (await ask('conversations:get', { conversationId, limit: 50 })) as { runs: { runId: string }[] };
    const works: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['open (50 questions)', () => ask('conversations:get', { conversationId, limit: 50 })],
      ['open (500 questions)', () => ask('conversations:get', { conversationId, limit: 500 })],
      ['an earlier page', () => ask('conversations:get', { conversationId, before: runs[0]!.runId, limit: 50 })],
      ['list', () => ask('conversations:list', {})],
      ['search, found', () => ask('conversations:search', { words: 'bridge painted', limit: 50 })],
      ['search, not there', () => ask('conversations:search', { words: 'nowhere', limit: 50 })],
      ['ask on', () => ask('agent:run', { prompt: 'and now?', conversationId, wait: true })],
      ['go through a run', async () => { for (const name of ['runs:head', 'runs:spans', 'runs:events']) await ask(name, { runId: runs[0]!.runId }); }],
      ['rename', () => ask('conversations:rename', { conversationId, title: 'Another' })],
      ['status', () => ask('health:status', {})],
    ];
    const out: { what: string; ms: number }[] = [];
    for (const [what, work] of works) {
      await work();
      out.push({ what, ms: await longestTurn(work) });
    }
    out.push({ what: DATA_FOLDER, ms: statSync(join(dataDir, 'gantry.db')).size / 1_048_576 });
    await created.value.close();
    return out;
  } finally {
    await model.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

/** A conversation of 5,000 questions and some 150 MB of evidence. */
export const benchLongConversation = async (): Promise<Row[]> =>
  (await conversationBlocks(5_000, 16_000)).map(({ what, ms }) =>
    what === DATA_FOLDER ? { what: `long conversation, ${what}`, unit: 'MB', gantry: ms } : { what: `long conversation, longest turn of the host's thread: ${what}`, unit: 'ms', gantry: ms, aim: `at most ${AIM_MS}`, met: ms <= AIM_MS },
  );
