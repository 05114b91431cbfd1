import { createServer, type Server, type ServerResponse } from 'node:http';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createServer as createTcpServer, type AddressInfo, type Server as NetServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AgentPlay } from './support/agent-play.ts';

const KEY = 'sk-canary-key-of-a-model-0123456789';
const DRAFT_KEY = 'dk/only+tried:never-kept-9876543210';
let play: AgentPlay;
let provider: Server;
let baseUrl: string;
/** what the provider answers; tests set it */
let answer: (path: string, body: Record<string, unknown>, response: ServerResponse, headers: Readonly<Record<string, unknown>>) => void;
let asked: { readonly path: string; readonly authorization: string }[];

beforeAll(async () => {
  play = new AgentPlay();
  await play.start();
  provider = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      asked.push({ path: request.url ?? '', authorization: String(request.headers.authorization ?? '') });
      answer(request.url ?? '', text === '' ? {} : (JSON.parse(text) as Record<string, unknown>), response, request.headers);
    });
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
  asked = [];
});
afterAll(async () => {
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
  await play.end();
});

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};
const completion = (response: ServerResponse, message: Record<string, unknown>): void =>
  json(response, 200, { id: 'x', object: 'chat.completion', created: 0, model: 'm', choices: [{ index: 0, finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop', message: { role: 'assistant', content: null, ...message } }], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } });
const CALLED = { tool_calls: [{ id: 'c1', type: 'function', function: { name: 'gantry_test', arguments: '{}' } }] };
const models = (response: ServerResponse): void => json(response, 200, { object: 'list', data: [{ id: 'model-a' }, { id: 'model-b' }] });

/** Every byte below a folder. */
const bytesUnder = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)).filter((path) => statSync(path).isFile()).map((path) => readFileSync(path, 'latin1')).join('');

test('MD07 an address with a password in it, and a key that no header can carry, are refused at their field before anything is kept or sent', async () => {
  const before = asked.length;
  const good = { provider: 'custom', baseUrl, model: 'model-a' };
  for (const [draft, field] of [[{ ...good, baseUrl: baseUrl.replace('//', '//u:canary-word@') }, '/baseUrl'], [{ ...good, key: 'sk-one\nsk-two' }, '/key'], [{ ...good, key: '密钥' }, '/key'], [{ ...good, model: ' ' }, '/model']] as const) {
    for (const [name, input, place] of [['models:set', { id: null, ...draft }, ''], ['models:test', { draft }, '/draft'], ['embeddings:set', draft, ''], ['embeddings:test', { draft }, '/draft']] as const) {
      const answered = await play.rpc(name, input as never);
      expect(answered, name).toMatchObject({ ok: false, error: { code: 'invalid_request', field: `${place}${field}`, remedy: expect.any(String) } });
      expect(JSON.stringify(answered)).not.toMatch(/canary-word|sk-one|密钥/);
    }
  }
  expect([asked.length - before, (await play.ask('models:list', {})).models, (await play.ask('embeddings:get', {})).embeddings]).toEqual([0, [], null]);
});

test('MD01 several models are kept and one is in use; a question may name another, and what is removed is asked no more', async () => {
  answer = (_path, body, response) => completion(response, { content: `answered by ${String(body['model'])}` });
  const { id: first } = await play.ask('models:set', { provider: 'openai', baseUrl, model: 'model-a', key: KEY });
  const { id: second } = await play.ask('models:set', { id: null, provider: 'ollama', baseUrl, model: 'model-b', label: 'At home', prices: { input: 1, output: 2, currency: 'EUR' }, limits: { contextTokens: 32_000 } });
  expect((await play.ask('models:list', {})).models).toMatchObject([
    { id: first, label: 'model-a', hasKey: true, isDefault: true, routeId: 'openai-chat' },
    { id: second, label: 'At home', hasKey: false, isDefault: false, routeId: 'local', prices: { input: 1, currency: 'EUR' }, limits: { contextTokens: 32_000, maxOutputTokens: null } },
  ]);
  const answerOf = async (more: { readonly model?: string; readonly profileId?: string }): Promise<string> => {
    const { conversationId } = await play.ask('agent:run', { prompt: 'who are you', wait: true, ...more });
    return (await play.ask('conversations:get', { conversationId })).runs[0]!.answer?.text ?? '';
  };
  expect(await answerOf({})).toBe('answered by model-a');
  expect(await answerOf({ model: second })).toBe('answered by model-b');
  expect(await answerOf({ model: 'model-c' })).toBe('answered by model-c');
  const { profile } = await play.ask('profiles:set', { name: 'Home', modelId: second });
  expect(await answerOf({ profileId: profile.id })).toBe('answered by model-b');
  await play.ask('models:use', { id: second });
  expect(await answerOf({})).toBe('answered by model-b');
  // without an id: the one in use; what is left out of label, prices and limits stays
  await play.ask('models:set', { provider: 'ollama', baseUrl, model: 'model-d' });
  expect((await play.ask('models:list', {})).models[0]).toMatchObject({ id: second, label: 'At home', model: 'model-d', prices: { output: 2 } });
  await play.ask('models:remove', { id: second });
  expect((await play.ask('models:list', {})).models).toMatchObject([{ id: first, isDefault: true }]);
  expect((await play.ask('profiles:list', {})).profiles.find((one) => one.id === profile.id)).toMatchObject({ modelId: null });
  expect(await play.rpc('models:use', { id: second })).toMatchObject({ ok: false, error: { code: 'not_found', field: '/id' } });
});

test('MD02 a key goes to the address that it was given for, and stands in no answer, log, evidence or fault', async () => {
  answer = (path, _body, response) => (path.endsWith('/models') ? models(response) : completion(response, { content: 'hello' }));
  await play.ask('models:set', { provider: 'openai', baseUrl, model: 'model-a', key: KEY });
  asked = [];
  const { runId } = await play.ask('agent:run', { prompt: `my key is ${KEY}`, wait: true });
  expect(asked).toEqual([{ path: '/v1/chat/completions', authorization: `Bearer ${KEY}` }]);
  // a refusal that quotes the key
  answer = (_path, _body, response) => json(response, 401, { error: { message: `Incorrect API key provided: ${KEY}.` } });
  const failed = await play.ask('agent:run', { prompt: 'again', wait: true });
  const tested = await play.ask('models:test', {});
  expect(tested).toMatchObject({ ok: false, steps: [{ step: 'reach', state: 'ok' }, { step: 'key', state: 'failed', fault: { code: 'model_key_refused' } }, { state: 'not_tried' }, { state: 'not_tried' }, { state: 'not_tried' }] });
  // another address has no key until it is given one
  asked = [];
  const elsewhere = baseUrl.replace('/v1', '/other');
  answer = (path, _body, response) => (path.endsWith('/models') ? models(response) : completion(response, CALLED));
  await play.ask('models:test', { id: (await play.ask('models:list', {})).models[0]!.id, draft: { provider: 'openai', baseUrl: elsewhere, model: 'model-a' } });
  await play.ask('models:set', { provider: 'openai', baseUrl: elsewhere, model: 'model-a' });
  expect((await play.ask('models:get', {})).model).toMatchObject({ hasKey: false });
  expect(asked.map(({ authorization }) => authorization).join('')).toBe('');
  const told = JSON.stringify([tested, await play.ask('models:list', {}), await play.ask('runs:get', { runId }), await play.ask('runs:get', { runId: failed.runId }), await play.ask('conversations:list', {})]);
  expect(told).not.toContain(KEY);
  expect(bytesUnder(play.gantry.dataDir)).not.toContain(KEY);
});

const refusal = (status: number, message: string) => (path: string, _body: unknown, response: ServerResponse): void => (path.endsWith('/models') ? models(response) : json(response, status, { error: { message } }));
test.each<[string, string, typeof answer]>([
  ['model_unknown', 'model', refusal(404, 'The model `model-z` does not exist or you do not have access to it.')],
  ['model_unknown', 'model', refusal(400, "model 'model-z' not found, try pulling it first")],
  ['model_quota', 'answer', refusal(429, 'You exceeded your current quota, please check your plan and billing details.')],
  ['model_key_refused', 'key', refusal(403, 'no access')],
  ['model_no_tools', 'tools', (path, body, response) => (path.endsWith('/models') ? models(response) : 'tools' in body ? json(response, 400, { error: { message: 'registry.example/model-z does not support tools' } }) : completion(response, { content: 'hello' }))],
  ['model_no_tools', 'tools', (path, _body, response) => (path.endsWith('/models') ? models(response) : completion(response, { content: 'I would call it if I could.' }))],
  ['model_protocol', 'answer', (_path, _body, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<html>Welcome to the portal</html>');
  }],
])('MD03 the test of a model says %s at the step %s', async (code, step, how) => {
  answer = how;
  const test = await play.ask('models:test', { draft: { provider: 'openai', baseUrl, model: 'model-z', key: KEY } });
  expect(test.ok).toBe(false);
  expect(test.steps.filter(({ state }) => state === 'failed')).toMatchObject([{ step, fault: { code } }]);
});

test.each<[string, typeof answer]>([
  ['a refusal', refusal(401, `Incorrect API key provided: ${DRAFT_KEY} (${Buffer.from(DRAFT_KEY).toString('base64')}, ${encodeURIComponent(DRAFT_KEY)}).`)],
  ['a refusal of tools', (path, body, response) => (path.endsWith('/models') ? models(response) : 'tools' in body ? json(response, 400, { error: { message: `no tools with ${DRAFT_KEY}` } }) : completion(response, { content: DRAFT_KEY }))],
  ['the type of what it says', (path, _body, response) => {
    if (path.endsWith('/models')) return models(response);
    response.writeHead(418, { 'content-type': `text/plain; key="${DRAFT_KEY}"` });
    response.end(DRAFT_KEY);
  }],
  ['where it leads on to', (_path, _body, response) => {
    response.writeHead(308, { location: `/${encodeURIComponent(DRAFT_KEY)}/v2/models` });
    response.end();
  }],
  ['its list and its answer, where they are cut', (path, _body, response) =>
    path.endsWith('/models') ? json(response, 200, { data: [{ id: DRAFT_KEY }, { id: `${'x'.repeat(190)}${DRAFT_KEY}` }] }) : completion(response, { content: `${'y'.repeat(490)}${DRAFT_KEY}`, ...CALLED })],
])('MD02 a key that is only tried is in nothing that the test of a model tells: %s', async (_where, how) => {
  answer = how;
  const test = await play.ask('models:test', { draft: { provider: 'openai', baseUrl, model: 'model-a', key: DRAFT_KEY } });
  expect(JSON.stringify(test)).toContain('[secret]');
  for (const form of [DRAFT_KEY.slice(0, 10), Buffer.from(DRAFT_KEY).toString('base64').slice(0, 12), encodeURIComponent(DRAFT_KEY).slice(0, 10)]) expect(JSON.stringify(test)).not.toContain(form);
  expect(bytesUnder(play.gantry.dataDir)).not.toContain(DRAFT_KEY);
});

test('MD03 the test of a model that works names what the address offers and what the answer came to', async () => {
  answer = (path, _body, response) => (path.endsWith('/models') ? models(response) : completion(response, CALLED));
  expect(await play.ask('models:test', { draft: { provider: 'openai', baseUrl, model: 'model-a', prices: { input: 1_000, output: 2_000, currency: 'USD' } } })).toMatchObject({
    ok: true, offered: ['model-a', 'model-b'], answer: { usage: { inputTokens: 7, outputTokens: 3, cost: 0.013, currency: 'USD', estimated: false } },
  });
});

test('MD03 an address that gives no answer is told by its cause, each with its own way out; nothing is sent to where a redirect leads', async () => {
  const endings: (() => unknown)[] = [];
  const listening = async (server: NetServer): Promise<number> => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    endings.push(() => server.close());
    return (server.address() as AddressInfo).port;
  };
  const closed = createServer();
  const closedPort = await listening(closed);
  await new Promise((resolve) => closed.close(resolve));
  const strange = await listening(createTcpServer((socket) => socket.on('error', () => {}).end('220 mail.example ESMTP\r\n')));
  const hangingUp = await listening(createTcpServer((socket) => socket.on('error', () => {}).once('data', () => socket.destroy())));
  let followed = 0;
  const elsewhere = await listening(createServer((_request, response) => response.end(String((followed += 1)))));
  const moved = await listening(createServer((_request, response) => response.writeHead(302, { location: `http://127.0.0.1:${elsewhere}/v2/models?key=${KEY}` }).end()));
  const toldOf = async (address: string) => {
    const { steps: [reach] } = await play.ask('models:test', { draft: { provider: 'ollama', baseUrl: address, model: 'm', key: KEY } });
    expect(reach).toMatchObject({ step: 'reach', state: 'failed', fault: { code: 'model_unreachable' } });
    expect(JSON.stringify(reach)).not.toContain(KEY);
    return reach!.fault!;
  };
  try {
    const told = {
      refused: await toldOf(`http://127.0.0.1:${closedPort}/v1`),
      not_tls: await toldOf(baseUrl.replace('http:', 'https:')),
      not_http: await toldOf(`http://127.0.0.1:${strange}/v1`),
      broke_off: await toldOf(`http://127.0.0.1:${hangingUp}/v1`),
      redirect: await toldOf(`http://127.0.0.1:${moved}/v1`),
    };
    expect(Object.values(told).map(({ details }) => details!['why'])).toEqual(Object.keys(told));
    for (const part of ['message', 'remedy'] as const) expect(new Set(Object.values(told).map((one) => one[part])).size).toBe(5);
    expect(told.refused.message).toContain(`port ${closedPort}`);
    expect(told.redirect.details).toMatchObject({ status: 302, location: `http://127.0.0.1:${elsewhere}/v2` });
    expect(followed).toBe(0);
  } finally {
    for (const end of endings) end();
  }
});

test('MD04 a profile is a principal of its own: what is granted to it, and no more, until it is removed', async () => {
  await play.serve('srv', { transport: 'stdio', tools: [{ name: 'look', description: 'looks', inputSchema: { type: 'object' } }], script: [] });
  const { profile, granted } = await play.ask('profiles:set', { name: 'Research & Notes', instructions: 'Be brief.' });
  expect([profile.id, profile.principal, granted]).toEqual(['research-notes', 'agent:research-notes', 0]);
  const grantedOf = async (principal: string): Promise<number> => (await play.ask('funnel:get', { principal })).stages.find((one) => one.stage === 'granted')!.count;
  expect(await grantedOf(profile.principal)).toBe(0);
  const like = await play.ask('profiles:set', { name: '研究', accessLike: 'agent:default' });
  expect(like.profile.principal).toMatch(/^agent:profile-[0-9a-f]{6}$/);
  expect([like.granted, await grantedOf(like.profile.principal)]).toEqual([1, 1]);
  await play.ask('profiles:remove', { id: like.profile.id });
  expect(await grantedOf(like.profile.principal)).toBe(0);
  expect((await play.ask('access:history', {})).changes.slice(0, 2).map(({ principal, allowed }) => [principal, allowed])).toEqual([[like.profile.principal, false], [like.profile.principal, true]]);
  expect(await play.rpc('profiles:remove', { id: 'default' })).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(await play.rpc('agent:run', { prompt: 'x', profileId: like.profile.id })).toMatchObject({ ok: false, error: { code: 'not_found', field: '/profileId' } });
});

test('MD06 a conversation is read in pages from its newest question on; a question of which nothing can be seen is none', async () => {
  await play.ask('models:set', { provider: 'openai', baseUrl, model: 'model-a', key: KEY });
  answer = (_path, _body, response) => completion(response, { content: 'well' });
  const { conversationId } = await play.ask('agent:run', { prompt: 'one', wait: true });
  for (const prompt of ['two', 'three']) await play.ask('agent:run', { prompt, wait: true, conversationId });
  const page = async (more: { readonly before?: string; readonly limit?: number }) => {
    const { runs, earlier } = await play.ask('conversations:get', { conversationId, ...more });
    return { runs, shown: [...runs.map(({ prompt }) => prompt), earlier] };
  };
  expect((await page({})).shown).toEqual(['one', 'two', 'three', 0]);
  const newest = await page({ limit: 2 });
  expect(newest.shown).toEqual(['two', 'three', 1]);
  expect((await page({ limit: 2, before: newest.runs[0]!.runId })).shown).toEqual(['one', 0]);
  expect(await play.rpc('conversations:get', { conversationId, before: 'another' })).toMatchObject({ ok: false, error: { code: 'not_found', field: '/before' } });
  for (const prompt of [' \n\t', '\u200b\u00a0']) expect(await play.rpc('agent:run', { prompt, conversationId })).toMatchObject({ ok: false, error: { code: 'invalid_request', field: '/prompt' } });
  expect((await page({})).shown).toHaveLength(4);
});

test('MD05 questions belong to conversations, which are listed, searched, renamed and removed', async () => {
  await play.ask('models:set', { provider: 'openai', baseUrl, model: 'model-a', key: KEY });
  answer = (_path, _body, response) => completion(response, { content: 'Die ÄLTERE Brücke wurde 1890 gebaut. Мост. 桥建于1890年。' });
  const { conversationId } = await play.ask('agent:run', { prompt: 'When was the Forth bridge built?', wait: true });
  await play.ask('agent:run', { prompt: 'and who built it', wait: true, conversationId });
  const { conversation, runs, earlier } = await play.ask('conversations:get', { conversationId });
  expect(earlier).toBe(0);
  expect(conversation).toMatchObject({ title: 'When was the Forth bridge built?', runs: 2, state: 'completed', lastRunId: runs[1]!.runId });
  expect(runs.map(({ prompt, usage, run }) => [prompt, usage?.inputTokens, run?.agent?.requests])).toEqual([['When was the Forth bridge built?', 7, 1], ['and who built it', 7, 1]]);
  expect((await play.ask('conversations:list', { limit: 1 })).conversations[0]).toMatchObject({ id: conversationId });
  const found = async (words: string) => (await play.ask('conversations:search', { words })).found.map(({ conversation: one, excerpt }) => [one.id, excerpt]);
  expect((await found('BRÜCKE forth')).map(([id]) => id)).toEqual([conversationId, conversationId]);
  expect(await found('forth 1890')).toEqual([[conversationId, expect.stringContaining('1890')], [conversationId, expect.stringContaining('1890')]]);
  expect((await found('桥建'))[0]).toEqual([conversationId, expect.stringContaining('桥建于')]);
  // upper and lower case are one in every script
  for (const words of ['ältere', 'ÄLTERE', 'мост', 'Мост']) expect((await found(words)).map(([id]) => id)).toEqual([conversationId, conversationId]);
  expect(await found('no such words')).toEqual([]);
  // letters beyond ASCII in either case, and what a pattern would mean in another place
  await play.ask('conversations:rename', { conversationId, title: 'ÜBERSICHT 100%_ "Ärger"' });
  for (const words of ['übersicht', 'ÜBERSICHT', '100%_', '"ärger"']) expect((await found(words)).map(([id]) => id)).toEqual([conversationId, conversationId]);
  for (const words of ['1_0%', '%', "'; --"]) expect((await found(words)).length).toBe(words === '%' ? 2 : 0);
  // nothing that a reader does not see
  for (const title of ['\u200b\u202e', ' \u2066 \u2800 ']) expect(await play.rpc('conversations:rename', { conversationId, title })).toMatchObject({ ok: false, error: { code: 'invalid_request', field: '/title' } });
  await play.ask('conversations:rename', { conversationId, title: '\u202eBrid\u200bges\n now' });
  expect((await play.ask('conversations:get', { conversationId })).conversation.title).toBe('Bridges now');
  await play.ask('conversations:rename', { conversationId, title: 'Bridges' });
  expect((await play.ask('conversations:get', { conversationId })).conversation.title).toBe('Bridges');
  await play.ask('conversations:remove', { conversationId });
  expect(await play.rpc('conversations:get', { conversationId })).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect((await play.ask('runs:get', { runId: runs[0]!.runId })).run).toMatchObject({ state: 'completed', agent: { conversationId: null, requests: 1 } });
  expect(await play.rpc('agent:run', { prompt: 'x', conversationId })).toMatchObject({ ok: false, error: { code: 'not_found', field: '/conversationId' } });
});
