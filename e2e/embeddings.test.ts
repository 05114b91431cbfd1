import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ScriptedEmbeddings } from './fixtures/model/scripted-embeddings.ts';
import { constantVector, meaningOf } from './fixtures/model/vectors.ts';
import { AgentPlay } from './support/agent-play.ts';
import { madeTools } from './support/made-tools.ts';

const KEY = 'sk-canary-key-of-embeddings-0123456789';
const REQUEST = 'something that no tool has a word for, with invoices';
const TARGET = 'export_invoice';
// as one server offers them
const TOOLS = madeTools().map((tool) => ({ ...tool, id: `mcp:many:tool:${tool.definition.name}`, serverId: 'many' }));
const good = meaningOf(TOOLS, new Map([[REQUEST, [`mcp:many:tool:${TARGET}`]]]));
let play: AgentPlay;
let endpoint: ScriptedEmbeddings;
let baseUrl: string;
beforeAll(async () => {
  play = new AgentPlay();
  endpoint = new ScriptedEmbeddings(good);
  baseUrl = await endpoint.start();
  await play.start();
  await play.serve('many', { transport: 'stdio', tools: TOOLS.map(({ definition }) => definition), script: [] });
});
afterAll(async () => {
  await endpoint.close();
  await play.end();
});

const bytesUnder = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)).filter((path) => statSync(path).isFile()).map((path) => readFileSync(path, 'latin1')).join('');
const refusal = (status: number, message: string) => () => ({ status, body: JSON.stringify({ error: { message } }) });

test.each([
  ['key', 'model_key_refused', () => { endpoint.instead = refusal(401, `Incorrect API key provided: ${KEY}, ${Buffer.from(KEY).toString('base64')}`); }],
  ['model', 'model_unknown', () => { endpoint.instead = refusal(404, "model 'm' not found, try pulling it first"); }],
  ['answer', 'model_busy', () => { endpoint.instead = refusal(503, 'loading'); }],
  ['answer', 'embeddings_protocol', () => { endpoint.instead = () => ({ status: 200, body: '<html>Welcome</html>' }); }],
  ['answer', 'embeddings_protocol', () => { endpoint.instead = () => ({ status: 200, body: '{"choices":[]}' }); }],
  ['vectors', 'embeddings_unfit', () => { endpoint.model = constantVector; }],
  ['vectors', 'embeddings_unfit', () => { endpoint.bent = (data) => data.map((one) => ({ ...one, embedding: [1, null] })); }],
  ['same', 'embeddings_dimension', () => { endpoint.model = (text) => good(text).slice(0, 40); }],
] as const)('EM01 the test of an endpoint says at the step %s: %s', async (step, code, spoil) => {
  spoil();
  const test = await play.ask('embeddings:test', { draft: { provider: 'openai', baseUrl, model: 'm', key: KEY, ...(step === 'same' ? { dimensions: 64 } : {}) } });
  Object.assign(endpoint, { instead: () => null, bent: (data: unknown[]) => data, model: good });
  expect(test.ok).toBe(false);
  expect(test.steps.filter(({ state }) => state === 'failed')).toMatchObject([{ step, fault: { code } }]);
  for (const form of [KEY, Buffer.from(KEY).toString('base64').slice(0, 12)]) expect(JSON.stringify(test)).not.toContain(form);
});

test('EM01 an endpoint that works, one that nobody answers, and one that is not set', async () => {
  expect(await play.ask('embeddings:test', { draft: { provider: 'ollama', baseUrl, model: 'm' } })).toMatchObject({ ok: true, answer: { dimension: 96 } });
  const closed = createServer();
  await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done));
  const { port } = closed.address() as AddressInfo;
  await new Promise((done) => closed.close(done));
  expect((await play.ask('embeddings:test', { draft: { provider: 'ollama', baseUrl: `http://127.0.0.1:${port}/v1`, model: 'm' } })).steps[0]).toMatchObject({ step: 'reach', state: 'failed', fault: { code: 'connection_failed', details: { cause: 'ECONNREFUSED' } } });
  for (const answer of [await play.rpc('embeddings:test', {}), await play.rpc('embeddings:set', { enabled: true }), await play.rpc('embeddings:retry', {})]) expect(answer).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(await play.rpc('embeddings:set', { provider: 'x', baseUrl: 'file:///etc/passwd', model: 'm' })).toMatchObject({ ok: false, error: { code: 'invalid_request', field: '/baseUrl' } });
  expect(await play.ask('embeddings:get', {})).toMatchObject({ embeddings: null, status: { state: 'none' } });
});

test('EM01 EM02 EM14 EM15 a turn, a search and the planner are helped where the model helps; the record says so, and why not where not; the key is nowhere', async () => {
  endpoint.requests.length = 0;
  await play.ask('embeddings:set', { provider: 'openai', baseUrl, model: 'm', key: KEY });
  await expect.poll(async () => (await play.ask('embeddings:get', {})).status.state).toBe('on');
  expect((await play.ask('embeddings:get', {})).embeddings).toMatchObject({ hasKey: true, isLocal: true, enabled: true, dimensions: null });
  const asked = endpoint.requests.map(({ text }) => text).join('\n');
  for (const secret of [process.execPath, play.gantry.dataDir, 'fake-server', 'GANTRY', 'PATH', '127.0.0.1']) expect(asked).not.toContain(secret);

  await play.model({ rules: [], turns: [{ text: 'done' }] }, 'openai-compatible');
  await play.ask('settings:set', { toolsPerRequest: 5 });
  const selectionOf = async (): Promise<{ semantic: unknown; ranked: { capabilityId: string; place: number; parts: Record<string, number> }[] }> => {
    const { events } = await play.question(REQUEST);
    return events.find(({ type }) => type === 'turn.request')!.data['selection'] as never;
  };
  const helped = await selectionOf();
  expect(helped.semantic).toEqual({ tookPart: true });
  const target = `mcp:many:tool:${TARGET}`;
  expect(helped.ranked.find(({ capabilityId }) => capabilityId === target)!.parts['semantic']).toBeGreaterThan(0);
  expect((await play.ask('planner:rank', { request: REQUEST, principal: 'agent:default' })).candidates[0]!.capabilityId).toBe(target);
  expect(endpoint.texts.filter((text) => text === REQUEST)).toHaveLength(1);

  await play.ask('embeddings:set', { enabled: false });
  const alone = await selectionOf();
  expect(alone.semantic).toEqual({ tookPart: false, reason: 'off' });
  expect(alone.ranked.find(({ capabilityId }) => capabilityId === target)!.place).toBeGreaterThanOrEqual(helped.ranked.find(({ capabilityId }) => capabilityId === target)!.place);
  expect(bytesUnder(play.gantry.dataDir)).not.toContain(KEY);

  // a key goes to the address that it was given for, and to no other
  await play.ask('embeddings:set', { enabled: true, baseUrl: baseUrl.replace('/v1', '/other') });
  expect((await play.ask('embeddings:get', {})).embeddings).toMatchObject({ hasKey: false });
  await play.ask('embeddings:remove', {});
  expect(await play.ask('embeddings:get', {})).toMatchObject({ embeddings: null, status: { state: 'none', gate: null } });
});
