import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Question } from '../shared/question.ts';
import { DEFAULT_SAMPLING_LIMITS, type SamplingLimits } from '../shared/sampling-limits.ts';
import { ScriptedModel } from './fixtures/model/scripted-model.ts';
import type { ModelTurn } from './fixtures/model/turn.ts';
import { until } from './support/census.ts';
import { InProcess } from './support/in-process.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
const KEY = 'sk-key-of-the-model-0123456789';
const TOKEN = 'a-token-of-the-server-0123456789';
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const gantry = new InProcess();
const endpoints: ScriptedModel[] = [];
const turns: ModelTurn[] = [];
let chat: ScriptedModel;
let chatId: string;

/** What the endpoint says next, in order; the last one again and again. */
const says = (...next: ModelTurn[]): void => void turns.push(...next);
const setModel = async (provider: string, more: { readonly prices?: { readonly input: number; readonly output: number; readonly currency: string } } = {}) => {
  const endpoint = new ScriptedModel({ rules: [provider === 'anthropic' ? 'anthropic-basic' : 'openai-basic'], turns });
  endpoints.push(endpoint);
  const { id } = await gantry.ask('models:set', { id: null, provider, baseUrl: await endpoint.start(), model: `${provider}-writer`, key: KEY, ...more });
  return { endpoint, id };
};

beforeAll(async () => {
  await gantry.start();
  await gantry.ask('secrets:unlock', { passphrase: 'a long passphrase for tests' });
  await gantry.serve('early', fixture('asking-server.mjs'));
  ({ endpoint: chat, id: chatId } = await setModel('openai'));
  await gantry.ask('servers:add', { serverId: 'older', spec: { kind: 'command', command: process.execPath, args: [fixture('asking-server.mjs'), '--a-flag-of-its-launch'] }, env: { A_NAME_OF_ITS_ENVIRONMENT: { secret: TOKEN } } });
  expect(await gantry.ask('servers:connect', { serverId: 'older' })).toMatchObject({ state: 'ready' });
  await gantry.serve('newer', fixture('modern-asking-server.mjs'));
  for (const serverId of ['early', 'older', 'newer']) await gantry.admitAll(serverId);
});
beforeEach(async () => {
  turns.splice(0);
  for (const { accepted } of endpoints) accepted.splice(0);
  await limits({});
});
afterAll(async () => {
  await Promise.all(endpoints.map((endpoint) => endpoint.close()));
  await gantry.end();
});

const reconnect = async (serverId: string): Promise<void> => {
  await gantry.ask('servers:disable', { serverId });
  await gantry.ask('servers:enable', { serverId });
  expect(await gantry.ask('servers:connect', { serverId })).toMatchObject({ state: 'ready' });
};
const limits = (more: Partial<SamplingLimits>) => gantry.ask('settings:set', { samplingLimits: { ...DEFAULT_SAMPLING_LIMITS, ...more } });
const call = (serverId: string, name: string, input: unknown = {}) => gantry.ask('calls:try', { capabilityId: `mcp:${serverId}:tool:${name}`, input, wait: true });
const sample = (params: Record<string, unknown>, serverId = 'older') => call(serverId, 'sample', { params: { messages: [{ role: 'user', content: { type: 'text', text: 'Sum up.' } }], maxTokens: 50, ...params } });
const resultOf = (outcome: Awaited<ReturnType<typeof call>>): Record<string, unknown> => JSON.parse(String(outcome.result?.content[0]?.['text'])) as Record<string, unknown>;
const eventsOf = async (runId: string, type: string) => (await gantry.ask('runs:get', { runId })).events.filter((event) => event.type === type);
type Sampling = Extract<Question, { kind: 'sampling' }>;
const found = async (is: (question: Sampling) => boolean): Promise<Sampling> => {
  let one: Question | undefined;
  await until('the question is there', async () => {
    one = (await gantry.ask('questions:list', {})).questions.find((question) => (question.state === 'waiting' || question.state === 'review') && question.kind === 'sampling' && is(question));
    return one !== undefined;
  });
  return one as Sampling;
};
const waiting = () => found(({ state, sampling }) => state === 'waiting' && sampling.asked === null && sampling.failed === undefined);
/** The chosen model is asked for the question that waits: its reply before the server has it, or why there is none. */
const askModel = async (modelId = chatId): Promise<Sampling> => {
  const { id } = await waiting();
  await gantry.ask('questions:answer', { questionId: id, action: 'accept', modelId });
  return found((question) => question.id === id && (question.state === 'review' || question.sampling.failed !== undefined));
};
const send = (question: Sampling) => gantry.ask('questions:answer', { questionId: question.id, action: 'accept' });
const decline = (question: Sampling) => gantry.ask('questions:answer', { questionId: question.id, action: 'decline' });

test('SM01 sampling is declared at the connect after a model was set up', async () => {
  expect(resultOf(await call('early', 'model'))).toMatchObject({ error: { message: expect.stringContaining('sampling') } });
  expect((await gantry.ask('questions:models', {})).models).toEqual([{ id: chatId, title: 'openai-writer', provider: 'openai', tools: true }]);
  says({ text: 'now' });
  await reconnect('early');
  const calling = call('early', 'model');
  await send(await askModel());
  expect(resultOf(await calling)).toMatchObject({ content: { text: 'now' } });
});

test.each(['older', 'newer'])('SM02 SM03 what %s wants a model to read is the whole of the request, recorded as it left; no launch, environment or other server is in it, and the reply goes back as the protocol has it', async (serverId) => {
  says({ text: 'Two rows.', usage: { input: 30, output: 5 } });
  const calling = sample({ systemPrompt: 'Be short.', temperature: 0.5, stopSequences: ['END'], maxTokens: 9_000, includeContext: 'allServers', messages: [{ role: 'user', content: { type: 'text', text: serverId === 'older' ? 'Sum up {{own}}' : 'Sum up [secret]' } }, { role: 'assistant', content: { type: 'text', text: 'What?' } }, { role: 'user', content: { type: 'image', data: PICTURE, mimeType: 'image/png' } }] }, serverId);
  const question = await askModel();
  expect(question).toMatchObject({ state: 'review', sampling: { reply: { model: 'openai-writer', content: [{ type: 'text', text: 'Two rows.' }], stopReason: 'endTurn' } } });
  await send(question);
  const outcome = await calling;
  const told = resultOf(outcome);
  expect(serverId === 'newer' ? told['m'] : told).toMatchObject({ role: 'assistant', content: { type: 'text', text: 'Two rows.' }, model: 'openai-writer', stopReason: 'endTurn' });
  const [{ text } = { text: '' }] = chat.accepted;
  expect(JSON.parse(text)).toEqual({
    model: 'openai-writer', stream: true, stream_options: { include_usage: true }, max_tokens: 4_096, temperature: 0.5, stop: ['END'],
    messages: [{ role: 'system', content: 'Be short.' }, { role: 'user', content: 'Sum up [secret]' }, { role: 'assistant', content: 'What?' }, { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE}` } }] }],
  });
  for (const foreign of ['a-flag-of-its-launch', 'asking-server', process.execPath, 'A_NAME_OF_ITS_ENVIRONMENT', TOKEN, KEY, 'older', 'newer', 'Counts rows', 'Gantry']) expect(text).not.toContain(foreign);
  const [asked] = await eventsOf(outcome.runId, 'question.model_request');
  expect(asked).toMatchObject({ invocationId: outcome.invocationId, data: { questionId: question.id, serverId, model: 'openai-writer', route: 'openai-chat', request: text } });
  expect(await eventsOf(outcome.runId, 'question.model_reply')).toMatchObject([{ data: { content: [{ type: 'text', text: 'Two rows.' }], usage: { inputTokens: 30, outputTokens: 5 } } }]);
  expect(await gantry.ask('runs:verify', { runId: outcome.runId })).toMatchObject({ ok: true });
  const { text: exported } = await gantry.ask('runs:export', { runId: outcome.runId });
  for (const secret of [TOKEN, KEY]) expect(exported).not.toContain(secret);
});

test('SM04 tools that a server brings are shown in the words of the route; a use goes back to it by its own name, it runs its tool itself, and the next request carries use and result', async () => {
  says({ calls: [{ id: 'use-1', toolByDescription: 'Counts rows', args: { table: 'orders' } }] }, { text: 'There are 2.' });
  const calling = call('older', 'model_with_tools');
  const first = await askModel();
  expect(first.sampling.reply).toMatchObject({ content: [{ type: 'tool_use', id: 'use-1', name: 'rows.count', input: { table: 'orders' } }], stopReason: 'toolUse' });
  await send(first);
  await send(await askModel());
  const outcome = await calling;
  expect(resultOf(outcome)).toMatchObject({ uses: [{ name: 'rows.count' }], stopReason: 'toolUse', last: { content: { type: 'text', text: 'There are 2.' } } });
  const [one, two] = chat.accepted.map(({ text }) => JSON.parse(text) as Record<string, unknown>);
  expect(one).toMatchObject({ tool_choice: 'required', tools: [{ function: { name: 'rows_count', description: 'Counts rows' } }] });
  expect(two).toMatchObject({ tool_choice: 'none', messages: [{ role: 'user' }, { role: 'assistant', tool_calls: [{ id: 'use-1', function: { name: 'rows_count' } }] }, { role: 'tool', tool_call_id: 'use-1', content: 'orders has 2 rows' }] });
  // nobody but the server ran anything
  expect(await eventsOf(outcome.runId, 'call.intent')).toHaveLength(1);
});

test('SM04 uses and results of tools that do not belong together are refused to the server, and nobody is asked', async () => {
  const use = { role: 'assistant', content: { type: 'tool_use', id: 'u', name: 'x', input: {} } };
  const result = { type: 'tool_result', toolUseId: 'u', content: [] };
  for (const messages of [[use], [use, { role: 'user', content: { type: 'text', text: 'and?' } }], [{ role: 'user', content: result }], [use, { role: 'user', content: [result, { type: 'text', text: 'x' }] }], [use, { role: 'user', content: { ...result, toolUseId: 'v' } }]]) {
    expect(resultOf(await sample({ messages }))).toMatchObject({ error: { code: -32602, message: expect.stringContaining('tool') } });
  }
  expect(chat.accepted).toEqual([]);
});

test('SM05 what the chosen model cannot be given is refused by name; another may be asked, and it gets it in its own form', async () => {
  const { endpoint, id } = await setModel('anthropic');
  says({ text: 'A tone.' });
  const sound = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' };
  const calling = sample({ messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, sound] }] });
  const refused = await askModel(id);
  expect(refused).toMatchObject({ state: 'waiting', sampling: { asked: null, failed: { code: 'sampling_unfit', field: '/messages/0/content/1', details: { why: 'media' } } } });
  expect(endpoint.accepted).toEqual([]);
  await gantry.ask('questions:answer', { questionId: refused.id, action: 'accept', modelId: chatId });
  await send(await found(({ state }) => state === 'review'));
  expect(resultOf(await calling)).toMatchObject({ content: { text: 'A tone.' } });
  expect(JSON.parse(chat.accepted[0]!.text)).toMatchObject({ messages: [{ content: [{ type: 'text' }, { type: 'input_audio', input_audio: { data: sound.data, format: 'wav' } }] }] });
  const other = sample({ tools: [{ name: 'look', inputSchema: { type: 'object' } }], toolChoice: { mode: 'none' } });
  await send(await askModel(id));
  expect(resultOf(await other)).toMatchObject({ model: 'anthropic-writer', content: { text: 'A tone.' } });
  expect(JSON.parse(endpoint.accepted[0]!.text)).toMatchObject({ max_tokens: 50, tool_choice: { type: 'none' }, tools: [{ name: 'look' }] });
  await gantry.ask('models:remove', { id });
});

test.each([['runRequests', 0], ['runTokens', 60], ['dayRequests', 0], ['dayTokens', 60]] as const)('SM06 over its limit %s the model is not asked, and the server learns no more than a no', async (limit, most) => {
  await limits({ [limit]: most });
  const calling = sample({});
  const question = await askModel();
  expect(question.sampling.failed).toMatchObject({ code: 'sampling_limit', details: { limit, most } });
  await decline(question);
  const outcome = await calling;
  expect(resultOf(outcome)).toEqual({ error: { code: -1, message: expect.not.stringContaining('limit') } });
  expect(chat.accepted).toEqual([]);
  expect(await eventsOf(outcome.runId, 'question.model_failed')).toMatchObject([{ data: { code: 'sampling_limit' } }]);
});

test('SM06 what was taken counts for the day of its server alone, as its provider counted it', async () => {
  says({ text: 'a', usage: { input: 700, output: 90 } });
  const first = sample({}, 'newer');
  await send(await askModel());
  await first;
  await limits({ dayTokens: 900 });
  const second = sample({}, 'newer');
  const refused = await askModel();
  expect(refused.sampling.failed).toMatchObject({ code: 'sampling_limit', details: { limit: 'dayTokens', used: expect.toSatisfy((used: number) => used >= 790) } });
  await decline(refused);
  await second;
});

test('SM07 a model that fails leaves the question to its person; the server is told nothing of why', async () => {
  chat.failsAt = () => ({ status: 402, message: 'the account of Ada is used up' });
  const calling = sample({});
  const question = await askModel();
  expect(question.sampling.failed).toMatchObject({ code: 'model_quota' });
  chat.failsAt = () => null;
  await decline(question);
  expect(JSON.stringify(resultOf(await calling))).not.toMatch(/Ada|account|quota|402/);
});

test('SM08 a question that its server takes back is void, and the next one is asked', async () => {
  const calling = call('older', 'takes_back');
  let next: Question | undefined;
  await until('the second question waits', async () => {
    next = (await gantry.ask('questions:list', { state: 'waiting' })).questions.find(({ message }) => message === 'And now?');
    return next !== undefined;
  });
  expect((await gantry.ask('questions:list', { state: 'void' })).questions[0]).toMatchObject({ message: 'Where shall it go?', voidReason: 'withdrawn', by: 'Gantry' });
  await gantry.ask('questions:answer', { questionId: next!.id, action: 'decline' });
  const outcome = await calling;
  expect(resultOf(outcome)).toEqual({ action: 'decline' });
  expect(await eventsOf(outcome.runId, 'question.voided')).toMatchObject([{ data: { cause: 'withdrawn' } }]);
});

test('SM01 when the last model was removed sampling is not declared at the next connect', async () => {
  await gantry.ask('models:remove', { id: chatId });
  await reconnect('early');
  expect(resultOf(await call('early', 'model'))).toMatchObject({ error: { message: expect.stringContaining('sampling') } });
});
