import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AgentPlay } from './support/agent-play.ts';
import type { Scenario } from './support/case-play.ts';

const SERVER: Scenario = {
  transport: 'stdio',
  tools: [{ name: 'look', description: 'looks', inputSchema: { type: 'object', properties: { v: { type: 'string' } } } }],
  script: [{ on: 'tools/call', do: [{ reply: { content: [{ type: 'text', text: 'seen' }] } }] }],
};
type Json = Readonly<Record<string, unknown>>;
const PROTOCOLS = ['openai', 'openai-responses', 'anthropic'] as const;
type Protocol = (typeof PROTOCOLS)[number];
/** A call as its model wrote it; what is not given is not there. */
interface Written {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly args?: unknown;
  /** in the event that begins it (Anthropic Messages) */
  readonly begins?: unknown;
  /** of its item (OpenAI Responses) */
  readonly status?: string;
}
interface Reply {
  readonly text?: string;
  readonly refusal?: string;
  readonly calls?: readonly Written[];
  /** in the words of its provider; absent: an ordinary end */
  readonly end?: string;
  /** definitions that it was asked with, told back (OpenAI Responses) */
  readonly echoes?: readonly Json[];
}

const sse = (events: readonly Json[]): string => events.map((event) => `${typeof event['type'] === 'string' ? `event: ${event['type']}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join('');
const given = (members: Json): Json => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** The reply in the protocol's own events, in full or streamed. */
const SPOKEN: Readonly<Record<Protocol, { readonly stream: (reply: Reply) => string; readonly whole: (reply: Reply) => string }>> = (() => {
  const chatCall = ({ id, name, args }: Written, index: number): Json => given({ index, id, type: 'function', function: given({ name, arguments: args }) });
  const chatEnd = ({ end, calls = [] }: Reply): string => end ?? (calls.length > 0 ? 'tool_calls' : 'stop');
  const chunk = (delta: Json, finish_reason: string | null = null): Json => ({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason }] });
  const item = ({ id, name, args, status = 'completed' }: Written, place: number): Json => given({ type: 'function_call', id: `fc_${place}`, call_id: id, name, arguments: args, status });
  const message = ({ text, refusal }: Reply): Json[] => (text === undefined && refusal === undefined ? [] : [{ type: 'message', id: 'msg', role: 'assistant', status: 'completed', content: [text === undefined ? { type: 'refusal', refusal } : { type: 'output_text', text, annotations: [] }] }]);
  const response = (reply: Reply): Json => ({ id: 'r', object: 'response', created_at: 0, model: 'm', status: reply.end === undefined ? 'completed' : 'incomplete', error: null, incomplete_details: reply.end === undefined ? null : { reason: reply.end }, output: [...message(reply), ...(reply.calls ?? []).map(item)], usage: { input_tokens: 1, output_tokens: 1 }, tools: reply.echoes ?? [] });
  const block = ({ id, name, args }: Written): Json => given({ type: 'tool_use', id, name, input: typeof args === 'string' ? (JSON.parse(args) as unknown) : args });
  const stopReason = ({ end, calls = [] }: Reply): string => end ?? (calls.length > 0 ? 'tool_use' : 'end_turn');
  const usage = { input_tokens: 1, output_tokens: 1 };
  return {
    openai: {
      stream: (reply) => `${sse([...(reply.text === undefined ? [] : [chunk({ content: reply.text })]), ...(reply.refusal === undefined ? [] : [chunk({ refusal: reply.refusal })]), ...(reply.calls ?? []).map((call, i) => chunk({ tool_calls: [chatCall(call, i)] })), chunk({}, chatEnd(reply))])}data: [DONE]\n\n`,
      whole: (reply) => JSON.stringify({ id: 'x', object: 'chat.completion', created: 0, model: 'm', choices: [{ index: 0, finish_reason: chatEnd(reply), message: given({ role: 'assistant', content: reply.text ?? null, refusal: reply.refusal, tool_calls: reply.calls?.map(chatCall) }) }] }),
    },
    'openai-responses': {
      stream: (reply) => {
        const items = [...message(reply), ...(reply.calls ?? []).map(item)];
        const said = items.flatMap((one, output_index): Json[] => {
          const words = reply.text === undefined ? (reply.refusal === undefined ? [] : [{ type: 'response.refusal.delta', item_id: 'msg', output_index, content_index: 0, delta: reply.refusal }, { type: 'response.refusal.done', item_id: 'msg', output_index, content_index: 0, refusal: reply.refusal }]) : [{ type: 'response.output_text.delta', item_id: 'msg', output_index, content_index: 0, delta: reply.text }];
          return [{ type: 'response.output_item.added', output_index, item: one['type'] === 'message' ? { ...one, content: [] } : { ...one, status: 'in_progress' } }, ...(one['type'] === 'message' ? words : []), { type: 'response.output_item.done', output_index, item: one }];
        });
        return sse([{ type: 'response.created', response: response({}) }, ...said, { type: reply.end === undefined ? 'response.completed' : 'response.incomplete', response: response(reply) }]);
      },
      whole: (reply) => JSON.stringify(response(reply)),
    },
    anthropic: {
      stream: (reply) => {
        const words = reply.text ?? reply.refusal;
        const blocks: Json[][] = [
          ...(words === undefined ? [] : [[{ type: 'content_block_start', content_block: { type: 'text', text: '' } }, { type: 'content_block_delta', delta: { type: 'text_delta', text: words } }]]),
          ...(reply.calls ?? []).map((call): Json[] => [{ type: 'content_block_start', content_block: { ...block({ ...call, args: undefined }), input: call.begins ?? {} } }, ...(typeof call.args === 'string' ? [{ type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: call.args } }] : [])]),
        ];
        return sse([{ type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, stop_sequence: null, usage } }, ...blocks.flatMap((events, index): Json[] => [...events.map((event) => ({ ...event, index })), { type: 'content_block_stop', index }]), { type: 'message_delta', delta: { stop_reason: stopReason(reply), stop_sequence: null }, usage: { output_tokens: 1 } }, { type: 'message_stop' }]);
      },
      whole: (reply) => JSON.stringify({ id: 'm', type: 'message', role: 'assistant', model: 'm', content: [...(reply.text ?? reply.refusal ? [{ type: 'text', text: reply.text ?? reply.refusal }] : []), ...(reply.calls ?? []).map(block)], stop_reason: stopReason(reply), stop_sequence: null, usage }),
    },
  };
})();

let play: AgentPlay;
let provider: Server;
let replies: readonly Reply[] = [];
let isWhole = false;
let speaks: Protocol = 'openai';
const asked: string[] = [];

beforeAll(async () => {
  play = new AgentPlay();
  await play.start();
  await play.serve('srv', SERVER);
  provider = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => (text += part));
    request.on('end', () => {
      const reply = replies[Math.min(asked.push(text), replies.length) - 1]!;
      response.writeHead(200, { 'content-type': isWhole ? 'application/json' : 'text/event-stream' }).end(SPOKEN[speaks][isWhole ? 'whole' : 'stream'](reply));
    });
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
  await play.end();
});

const question = async (protocol: Protocol, whole: boolean, answers: readonly Reply[]) => {
  [speaks, isWhole, replies] = [protocol, whole, answers];
  asked.length = 0;
  await play.ask('models:set', { provider: protocol, baseUrl: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`, model: 'm', key: 'sk-key' });
  const before = play.served('srv').length;
  const { runId } = await play.ask('agent:run', { prompt: 'look', wait: true });
  const { run, events } = await play.ask('runs:get', { runId });
  expect(await play.ask('runs:verify', { runId })).toMatchObject({ ok: true });
  const of = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data);
  return { run, of, served: play.served('srv').slice(before).map((one) => one.arguments) };
};

const WAYS = PROTOCOLS.flatMap((protocol) => [[protocol, false] as const, [protocol, true] as const]);
const LOOK = { id: 'c1', name: 'srv__look', args: '{"v":"1"}' };
const DONE: Reply = { text: 'done' };

test.each(WAYS)('AG05 AC17 over %s (whole: %s) a call without a name or an id is refused and answered, and the others of its reply are made', async (protocol, whole) => {
  const { run, of, served } = await question(protocol, whole, [{ calls: [{ id: 'c0', args: '{"v":"0"}' }, LOOK, { id: 'c2', name: ' ', args: '{}' }, { name: 'srv__look', args: '{"v":"3"}' }, { args: '{}' }] }, DONE]);
  expect(run).toMatchObject({ state: 'completed' });
  expect(served).toEqual([{ v: '1' }, { v: '3' }]);
  expect(of('turn.reply')[0]).toMatchObject({ calls: ['', 'srv__look', '', 'srv__look', ''].map((name) => ({ name })) });
  expect(of('call.refused')).toMatchObject(Array.from({ length: 3 }, () => ({ code: 'unknown_capability' })));
  // each has one result in the next request, under an id of its own
  const ids = [...asked[1]!.matchAll(/"(?:tool_call_id|tool_use_id)":"([^"]+)"|"type":"function_call_output","call_id":"([^"]+)"/g)].map(([, chat, item]) => chat ?? item);
  expect([ids.length, new Set(ids).size]).toEqual([5, 5]);
});

const CUT: Readonly<Record<Protocol, readonly string[]>> = { openai: ['length', 'model_length', 'error'], 'openai-responses': ['max_output_tokens', 'another_reason'], anthropic: ['max_tokens', 'model_context_window_exceeded', 'pause_turn'] };
const WITHHELD: Readonly<Record<Protocol, readonly string[]>> = { openai: ['content_filter', 'sensitive'], 'openai-responses': ['content_filter'], anthropic: ['refusal'] };
const each = (reasons: typeof CUT) => WAYS.flatMap(([protocol, whole]) => reasons[protocol].map((end) => [protocol, whole, end] as const));

test.each(each(CUT))('AC22 over %s (whole: %s) a reply that ends by %s after a call that looks finished has it not made: refused on record, told, and asked on', async (protocol, whole, end) => {
  const { run, of, served } = await question(protocol, whole, [{ text: 'I look', calls: [LOOK], end }, { calls: [{ ...LOOK, args: '{"v":"again"}' }] }, DONE]);
  expect(run).toMatchObject({ state: 'completed' });
  expect(served).toEqual([{ v: 'again' }]);
  expect(of('call.refused')).toMatchObject([{ stage: 'plan', code: 'reply_cut' }]);
  expect(of('turn.reply')[0]).toMatchObject({ end: end === 'pause_turn' ? 'paused' : 'cut', finish: end });
  expect(asked[1]).toMatch(/not_sent[^}]*reply_cut/);
});

test.each(each(WITHHELD))('AC22 over %s (whole: %s) a reply that ends by %s is told as withheld: no call of it is made, and what had come stays', async (protocol, whole, end) => {
  const { run, of, served } = await question(protocol, whole, [{ text: 'I begin', calls: [LOOK], end }, DONE]);
  expect(run).toMatchObject({ state: 'failed', code: 'model_refused' });
  expect(served).toEqual([]);
  expect(asked).toHaveLength(1);
  expect(of('turn.reply')).toMatchObject([{ text: 'I begin', calls: [], callsNotMade: 1, end: 'withheld' }]);
  expect(of('run.answer')).toMatchObject([{ text: 'I begin', ending: 'stop', code: 'model_refused' }]);
});

test.each(WAYS.filter(([protocol]) => protocol !== 'anthropic'))('AC22 over %s (whole: %s) a model that refuses in a part of its own is told as that, and a call beside it is not made', async (protocol, whole) => {
  const { run, of, served } = await question(protocol, whole, [{ refusal: 'I will not', calls: [LOOK] }, DONE]);
  expect([run.code, served]).toEqual(['model_refused', []]);
  expect(of('run.answer')).toMatchObject([{ text: 'I will not', code: 'model_refused' }]);
});

test.each([false, true])('AC22 over openai-responses (whole: %s) what the definition of a tool says is no refusal of the model, though its provider tells it back', async (whole) => {
  const { run, served } = await question('openai-responses', whole, [{ calls: [LOOK], echoes: [{ type: 'function', name: 'srv__look', parameters: { type: 'object', examples: [{ type: 'refusal' }, { type: 'response.refusal.done' }] } }] }, DONE]);
  expect([run.state, served]).toEqual(['completed', [{ v: '1' }]]);
});

test.each([false, true])('AG05 over anthropic (whole: %s) calls of one id have each its own arguments, as they were written', async (whole) => {
  const { of, served } = await question('anthropic', whole, [{ calls: [{ ...LOOK, args: { v: 'first' }, begins: { v: 'first' } }, { ...LOOK, args: { v: 'second' }, begins: { v: 'second' } }] }, DONE]);
  expect(served).toEqual([{ v: 'first' }, { v: 'second' }]);
  expect(of('turn.reply')[0]).toMatchObject({ calls: [{ argumentsText: '{"v":"first"}' }, { argumentsText: '{"v":"second"}' }] });
});

test.each([false, true])('AC22 over openai-responses (whole: %s) a call whose own item is incomplete is not made, though its reply is completed', async (whole) => {
  const { run, of, served } = await question('openai-responses', whole, [{ calls: [LOOK, { ...LOOK, id: 'c2', args: '{"v":"2"}', status: 'incomplete' }] }, { calls: [{ ...LOOK, args: '{"v":"again"}' }] }, DONE]);
  expect(run).toMatchObject({ state: 'completed' });
  expect(served).toEqual([{ v: 'again' }]);
  expect(of('call.refused')).toMatchObject([{ code: 'reply_cut' }, { code: 'reply_cut' }]);
  expect(of('turn.reply')[0]).toMatchObject({ end: 'cut' });
});

test.each(PROTOCOLS)('AC22 over %s a text that was cut is no answer: the run ends as that, with what had come', async (protocol) => {
  const { run, of } = await question(protocol, false, [{ text: 'the half of an', end: CUT[protocol][0]! }]);
  expect(run).toMatchObject({ state: 'failed', code: 'reply_cut' });
  expect(of('run.answer')).toMatchObject([{ text: 'the half of an', ending: 'stop', code: 'reply_cut' }]);
});

test('AC22 a turn that Anthropic paused after words is gone on with', async () => {
  const { run } = await question('anthropic', false, [{ text: 'I was about to', end: 'pause_turn' }, DONE]);
  expect(run).toMatchObject({ state: 'completed' });
  expect(asked[1]).toMatch(/I was about to[\s\S]*Go on where you were/);
});
