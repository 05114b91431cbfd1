import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EvidenceEvent } from '../shared/run.ts';
import { tokensOf } from '../shared/token-weight.ts';
import { AgentPlay } from './support/agent-play.ts';
import type { Scenario } from './support/case-play.ts';

const SERVER: Scenario = {
  transport: 'stdio',
  tools: [{ name: 'look', description: 'looks', inputSchema: { type: 'object', properties: { v: { type: 'string' } } } }],
  script: [{ on: 'tools/call', do: [{ reply: { content: [{ type: 'text', text: 'seen' }] } }] }],
};
interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: unknown; readonly tool_calls?: readonly { readonly id: string }[]; readonly tool_call_id?: string }[];
}

let play: AgentPlay;
let provider: Server;
/** what arrived, in this test */
let asked: Asked[];
/** answers the n-th request, from 1 */
let answer: (n: number, response: ServerResponse) => Promise<void> | void;

beforeAll(async () => {
  play = new AgentPlay();
  await play.start();
  await play.serve('srv', SERVER);
  provider = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => (text += part));
    request.on('end', () => void answer(asked.push(JSON.parse(text) as Asked), response));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  await play.ask('models:set', { provider: 'openai', baseUrl: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`, model: 'hostile', key: 'sk-key-of-the-model' });
});
afterAll(async () => {
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
  await play.end();
});

const part = (delta: unknown, finish: string | null = null): string => `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const END = 'data: [DONE]\n\n';
const says = (response: ServerResponse, content: string): void => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${part({ content })}${part({}, 'stop')}${END}`);
const calls = (response: ServerResponse, ids: readonly string[]): void =>
  void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${ids.map((id, index) => part({ tool_calls: [{ index, id, type: 'function', function: { name: 'srv__look', arguments: JSON.stringify({ v: String(index) }) } }] })).join('')}${part({}, 'tool_calls')}${END}`);
const question = async (answers: typeof answer) => {
  asked = [];
  answer = answers;
  const { runId, conversationId } = await play.ask('agent:run', { prompt: 'look', wait: true });
  const { run, events } = await play.ask('runs:get', { runId });
  expect(await play.ask('runs:verify', { runId })).toMatchObject({ ok: true });
  return { runId, conversationId, run, events };
};
const of = (events: readonly EvidenceEvent[], type: string): readonly Record<string, unknown>[] => events.filter((event) => event.type === type).map(({ data }) => data);
const idsIn = ({ messages }: Asked) => ({ called: messages.flatMap((message) => (message.tool_calls ?? []).map(({ id }) => id)), answered: messages.flatMap(({ tool_call_id: id }) => id ?? []) });

test('AG03 a model that gives the same ids in every turn, none, or those of the host finds each call under an id of its own, in this question and the next', async () => {
  const turns = [['call_0', 'call_0'], ['call_0', 'call_2_3', ''], ['q1_1_1', 'a b', 'call_3_2']];
  const { conversationId, events } = await question((n, response) => (turns[n - 1] ? calls(response, turns[n - 1]!) : says(response, 'done')));
  answer = (_n, response) => says(response, 'again');
  await play.ask('agent:run', { prompt: 'and now?', wait: true, conversationId });
  expect(asked).toHaveLength(5);
  for (const request of asked) {
    const { called, answered } = idsIn(request);
    expect(new Set(called).size).toBe(called.length);
    expect(answered).toEqual(called);
  }
  expect(idsIn(asked[4]!).called).toHaveLength(8);
  // the record tells each from the others, too
  expect(new Set(of(events, 'call.told').map(({ turn, callId }) => `${String(turn)} ${String(callId)}`)).size).toBe(8);
});

test('AC14 of more calls in one reply than are made, so many are, and the model and the record are told of the rest', async () => {
  const { run, events } = await question((n, response) => (n === 1 ? calls(response, Array.from({ length: 300 }, (_, i) => `c${i}`)) : says(response, 'enough')));
  expect(run).toMatchObject({ state: 'completed' });
  expect(play.served('srv').length - 8).toBe(128);
  const { called, answered } = idsIn(asked[1]!);
  expect([called.length, answered]).toEqual([128, called]);
  expect(String(asked[1]!.messages.at(-1)!.content)).toContain('172 more calls of this turn were not made');
  expect(of(events, 'turn.reply')[0]).toMatchObject({ callsNotMade: 172 });
});

test('AC14 a reply of more words than are read ends the run with what came, and is not asked for again', async () => {
  const { run, events } = await question(async (_n, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const much = part({ content: 'z'.repeat(1_000_000) });
    for (let i = 0; i < 20 && !response.destroyed; i += 1) await new Promise<void>((resolve) => void response.write(much, () => resolve()));
    response.end(`${part({}, 'stop')}${END}`);
  });
  expect(run).toMatchObject({ state: 'failed', code: 'model_failed' });
  expect(asked).toHaveLength(1);
  expect(String(of(events, 'turn.reply')[0]!['text']).length).toBe(8_000_000);
});

test('AC06 an address that sends its askers elsewhere is a refusal: it is not followed, and not asked again', async () => {
  const { run, events } = await question((_n, response) => void response.writeHead(307, { location: '/v2/chat/completions' }).end());
  expect(run).toMatchObject({ state: 'failed', code: 'model_unreachable' });
  expect(asked).toHaveLength(1);
  expect(of(events, 'turn.failed')[0]).toMatchObject({ details: { status: 307, why: 'redirect' } });
});

test('AC09 an answer that would be read in every way there is ends as fast as another', async () => {
  const { run } = await question((_n, response) => says(response, `[${'r1 '.repeat(60)}x [r9]`));
  expect(run).toMatchObject({ state: 'completed' });
});

test('AC17 a call whose name is blank, missing or comes too late is refused by a code, and has its result in the history', async () => {
  const nameless = (index: number, fn: unknown): string => part({ tool_calls: [{ index, id: `n${index}`, type: 'function', function: fn }] });
  const parts = [
    nameless(0, { name: '', arguments: '{"v":"0"}' }), nameless(1, { name: 'srv__look', arguments: '{"v":"1"}' }), nameless(2, { name: ' ', arguments: '' }), nameless(2, { arguments: '{"v":' }), nameless(2, { arguments: '"2"}' }),
    nameless(3, { arguments: '{}' }), nameless(4, { name: '', arguments: '' }), nameless(4, { name: 'srv__look', arguments: '{"v":"4"}' }), nameless(5, { name: '' }),
  ];
  const before = play.served('srv').length;
  const { run, events } = await question((n, response) => (n === 1 ? void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${parts.join('')}${part({}, 'tool_calls')}${END}`) : says(response, 'well')));
  expect(run).toMatchObject({ state: 'completed' });
  expect(play.served('srv').slice(before).map((one) => one.arguments)).toEqual([{ v: '1' }, { v: '4' }]);
  expect(of(events, 'turn.reply')[0]).toMatchObject({ calls: ['', 'srv__look', '', '', 'srv__look', ''].map((name) => ({ name })) });
  expect(of(events, 'call.refused')).toMatchObject(Array.from({ length: 4 }, () => ({ code: 'unknown_capability', message: 'The call names no tool.' })));
  const { called, answered } = idsIn(asked[1]!);
  expect([called.length, answered]).toEqual([6, called]);
  // whole replies have such calls, too
  const whole = await question((n, response) => (n === 1 ? void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id: 'x', object: 'chat.completion', created: 0, model: 'm', choices: [{ index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', content: null, tool_calls: [{ id: 'w', type: 'function', function: { arguments: '{}' } }] } }] })) : says(response, 'well')));
  expect(whole.run).toMatchObject({ state: 'completed' });
  expect(of(whole.events, 'call.refused')).toMatchObject([{ code: 'unknown_capability' }]);
});

test('AC17 arguments of megabytes are refused by a code, stand cut in every later request, and what stands there is never taken for arguments', async () => {
  const reply = (response: ServerResponse, texts: readonly string[]): void => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${texts.map((text, index) => part({ tool_calls: [{ index, id: `m${index}`, type: 'function', function: { name: 'srv__look', arguments: text } }] })).join('')}${part({}, 'tool_calls')}${END}`);
  let copied = '';
  const { conversationId, events } = await question((n, response) => {
    if (n === 1) return reply(response, [JSON.stringify({ v: 'w'.repeat(2_000_000) }), JSON.stringify({ v: 'k'.repeat(100_000) }), 'no json', '[1]']);
    copied = String((asked[1]!.messages.flatMap(({ tool_calls: made }) => made ?? []) as unknown as { function: { arguments: string } }[])[1]!.function.arguments);
    return n === 2 ? reply(response, [copied]) : says(response, 'well');
  });
  expect(of(events, 'call.refused').map(({ code, field }) => [code, field])).toEqual([['input_too_complex', undefined], ['invalid_input', ''], ['invalid_input', ''], ['invalid_input', '/gantry_note']]);
  // what was not too large was sent whole
  expect(of(events, 'call.intent')).toHaveLength(1);
  expect(of(events, 'call.normalized')).toMatchObject([{ inputBytes: 100_008 }]);
  expect(copied).toContain('does not repeat arguments of 100008 characters');
  answer = (_n, response) => says(response, 'again');
  await play.ask('agent:run', { prompt: 'and now?', wait: true, conversationId });
  for (const request of asked.slice(1)) expect(JSON.stringify(request.messages).length).toBeLessThan(120_000);
  expect(JSON.stringify(asked.at(-1)!.messages)).toContain('does not repeat arguments of 2000008 characters');
});

test('AC03 a request that was sent and lost before its status is charged by what was sent, as an estimate', async () => {
  const { run, events } = await question((n, response) => (n === 1 ? void response.destroy() : says(response, 'well')));
  expect(of(events, 'turn.retry')).toHaveLength(1);
  const usage = run.agent!.usage;
  const once = tokensOf(String(of(events, 'turn.request')[0]!['request']));
  expect(usage).toMatchObject({ estimated: true, inputTokens: 2 * once });
  expect(of(events, 'turn.reply')[0]).toMatchObject({ usage: { inputTokens: 2 * once } });
});
