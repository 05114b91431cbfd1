import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EmbeddingSlot, spaceName } from '../main/agent/embeddings/embedding-slot.ts';
import { rerank } from '../main/agent/selection/rerank.ts';
import { ToolSelector, type Choosable } from '../main/agent/selection/tool-selector.ts';
import { Bus } from '../main/bus.ts';
import { Outbound } from '../main/network/outbound.ts';
import { DIRECT } from '../main/network/proxy-route.ts';
import type { SqliteStore } from '../main/store/database.ts';
import { listVectors, readSpace } from '../main/store/embedding-vectors.ts';
import { deleteEmbeddings, writeEmbeddings } from '../main/store/embeddings.ts';
import { openTestStore } from '../main/store/open-test-store.ts';
import { ScriptedEmbeddings } from './fixtures/model/scripted-embeddings.ts';
import { constantVector, meaningOf, randomVector, wordsVector } from './fixtures/model/vectors.ts';
import { madeTools } from './support/made-tools.ts';

const WORDS = fileURLToPath(new URL('../assets/selection', import.meta.url));
const ALL = madeTools();
const REQUEST = 'zzqx unheard of';
const TARGET = ALL[7]!;
const good = meaningOf(ALL, new Map([[REQUEST, [TARGET.id]]]));
// one index for all tests: its words take long to read
const selector = new ToolSelector(WORDS);

let store: SqliteStore;
let bus: Bus;
let endpoint: ScriptedEmbeddings;
let baseUrl: string;
let tools: readonly Choosable[];
let slots: EmbeddingSlot[];
let pauses: number[];
beforeEach(async () => {
  store = openTestStore();
  bus = new Bus();
  endpoint = new ScriptedEmbeddings(good);
  baseUrl = await endpoint.start();
  tools = ALL;
  slots = [];
  pauses = [];
});
afterEach(async () => {
  await Promise.all(slots.map((slot) => slot.close()));
  await endpoint.close();
  store.close();
});

const configure = (more: { readonly model?: string; readonly enabled?: boolean; readonly dimensions?: number | null } = {}): void =>
  store.write((db) => writeEmbeddings(db, { provider: 'ollama', baseUrl, model: 'm', keyRef: 'ref', dimensions: null, enabled: true, setAt: 1, ...more }));
const open = (): EmbeddingSlot => {
  const slot = new EmbeddingSlot({
    store, bus, clock: { now: () => 1_000, monotonic: () => performance.now() }, log: { error: (words: string, more: unknown) => { throw new Error(`${words} ${JSON.stringify(more)}`); } } as never,
    secrets: { reveal: () => ({ ok: true, value: 'sk-embeddings-key' }) }, outbound: new Outbound({ config: () => Promise.resolve(DIRECT) }), mask: (text) => text.replaceAll('hunter2', '***'),
    tools: () => tools, rankIn: () => (request, pool, count) => selector.rank(request, pool, count), quiet: () => Promise.resolve(),
    pause: (ms) => { pauses.push(ms); return Promise.resolve(); },
  });
  slots.push(slot);
  return slot;
};
const settled = async (slot: EmbeddingSlot) => {
  await expect.poll(() => slot.status().state).toMatch(/on|gated|failed|off|none/);
  return slot.status();
};
const vectors = (part: 'whole' | 'rest' = 'whole'): ReadonlySet<string> => store.read((db) => ((space) => (space === null ? new Set<string>() : listVectors(db, space.id, part)))(readSpace(db, spaceName({ baseUrl, model: 'm', dimensions: null }))));
const CANDIDATES = ALL.slice(0, 30).map((tool, at) => ({ ...tool, score: 1 - at / 100 }));
const asked = (slot: EmbeddingSlot, request = REQUEST) => slot.match({ request, candidates: CANDIDATES, signal: AbortSignal.timeout(30_000) });

test('EM04 EM07 EM09 a model that knows meanings is found to help, is told names and words alone, and moves what it is sure of among near equals', async () => {
  configure();
  const slot = open();
  const status = await settled(slot);
  expect(status).toMatchObject({ state: 'on', done: ALL.length, of: ALL.length, dimension: 96, retries: 0, gate: { why: null, chinese: true } });
  expect(status.gate!.weight).toBeGreaterThan(0);
  expect(status.gate!.together).toBeGreaterThan(status.gate!.words);
  expect(endpoint.requests.every(({ authorization, input, model }) => authorization === 'Bearer sk-embeddings-key' && input.length <= 16 && model === 'm')).toBe(true);
  const answer = await asked(slot);
  expect(answer).toMatchObject({ tookPart: true });
  const { adjustments } = answer as { adjustments: ReadonlyMap<string, number> };
  expect(adjustments.get(TARGET.id)).toBeGreaterThan(0);
  for (const by of adjustments.values()) expect(by).toBeLessThanOrEqual(status.gate!.weight);
  expect(rerank(CANDIDATES.map(({ id, score }) => ({ id, score })) as never, adjustments, () => 0)[0]!.id).toBe(TARGET.id);
  // what words hardly find is not moved, whatever the vectors say
  const far = await slot.match({ request: REQUEST, candidates: CANDIDATES.map((one) => ({ ...one, score: one.id === TARGET.id ? 0.3 : one.score })), signal: AbortSignal.timeout(30_000) });
  expect((far as { adjustments: ReadonlyMap<string, number> }).adjustments.has(TARGET.id)).toBe(false);
});

test.each([
  ['as far apart as chance has it', randomVector, 'chance'],
  ['that knows words alone', wordsVector, /^(?:weak|words_only|no_gain)$/],
] as const)('EM05 a model %s takes no part, is told no request, and says why', async (_, model, why) => {
  endpoint.model = model;
  configure();
  const slot = open();
  const status = await settled(slot);
  expect(status).toMatchObject({ state: 'gated', gate: { weight: 0, why: expect.stringMatching(why) } });
  const before = endpoint.requests.length;
  expect(await asked(slot)).toEqual({ tookPart: false, reason: `gated: ${status.gate!.why}` });
  expect(endpoint.requests.length).toBe(before);
});

test('EM06 where there are too few tools to judge by, nothing is moved', async () => {
  tools = ALL.slice(0, 12);
  configure();
  const slot = open();
  expect(await settled(slot)).toMatchObject({ state: 'gated', gate: { why: 'too_few' } });
});

test('EM08 a text tuned to be near every request is near none, and is moved by no more than the weight', async () => {
  const hub = ALL[3]!;
  const everything = ALL.slice(0, 60).map(({ definition }) => good(`${definition.name}`)).reduce((a, b) => a.map((value, at) => value + b[at]!));
  const tuned = (text: string): number[] => (text.includes(hub.definition.description!.slice(0, 60)) ? everything : good(text));
  endpoint.model = tuned;
  configure();
  const slot = open();
  const { gate } = await settled(slot);
  const answer = await asked(slot);
  const adjustments = answer.tookPart ? answer.adjustments : new Map<string, number>();
  expect(adjustments.get(hub.id) ?? 0).toBeLessThanOrEqual(gate!.weight);
  expect(adjustments.get(TARGET.id) ?? 0).toBeGreaterThanOrEqual(adjustments.get(hub.id) ?? 0);
});

test('EM03 what was computed outlives a restart and a fault in the middle; a changed definition is computed anew, one that is gone leaves', async () => {
  endpoint.instead = (_request, n) => (n > 2 ? 'breaks' : null);
  configure();
  const first = open();
  expect(await settled(first)).toMatchObject({ state: 'failed', done: 32, of: ALL.length, fault: { code: 'connection_failed' }, againAt: 31_000, retries: 2 });
  expect(pauses).toEqual([1_000, 4_000]);
  expect(await asked(first)).toEqual({ tookPart: false, reason: 'fault: connection_failed' });
  await first.close();
  endpoint.instead = () => null;
  endpoint.requests.length = 0;
  const second = open();
  expect(await settled(second)).toMatchObject({ state: 'on', done: ALL.length });
  expect(endpoint.texts.slice(0, ALL.length - 32).length).toBe(ALL.length - 32);
  expect(vectors().size).toBe(ALL.length);
  await second.close();
  // nothing is asked again for what is there, the judgement neither
  endpoint.requests.length = 0;
  const third = open();
  expect(await settled(third)).toMatchObject({ state: 'on' });
  expect(endpoint.requests).toEqual([]);
  const [changed] = ALL;
  tools = [...ALL.slice(2), { ...changed!, definitionFingerprint: 'another', definition: { ...changed!.definition, description: 'Now something else altogether, with hunter2 in it.' } }];
  bus.emit('capabilities:changed', { serverId: 'x' });
  await expect.poll(() => vectors().has('another')).toBe(true);
  expect(endpoint.texts[0]).toContain('with *** in it');
  expect(vectors().has(changed!.definitionFingerprint)).toBe(false);
  expect(vectors('rest').has(ALL[1]!.definitionFingerprint)).toBe(false);
});

test('EM10 a request waits 800 ms at most, goes on by words, and after three failures in a row nothing is asked for a while', async () => {
  configure();
  const slot = open();
  await settled(slot);
  let release = (): void => {};
  endpoint.meanwhile = () => new Promise((done) => { release = done; });
  expect(await asked(slot)).toEqual({ tookPart: false, reason: 'deadline: 800 ms' });
  release();
  // what came too late serves the next one
  endpoint.meanwhile = () => Promise.resolve();
  await expect.poll(async () => (await asked(slot)).tookPart).toBe(true);
  endpoint.instead = () => ({ status: 500, body: 'out of order' });
  const reasons = [];
  for (const request of ['one', 'two', 'three', 'four']) reasons.push((await asked(slot, request) as { reason: string }).reason);
  expect(reasons).toEqual(['fault: model_busy', 'fault: model_busy', 'fault: model_busy', 'paused']);
});

test('EM11 a Chinese request is left to words where the model does not read Chinese', async () => {
  endpoint.model = (text) => (/\p{Script=Han}/u.test(text) ? randomVector(text) : good(text));
  configure();
  const slot = open();
  expect(await settled(slot)).toMatchObject({ state: 'on', gate: { chinese: false } });
  expect(await asked(slot, '列出文件')).toEqual({ tookPart: false, reason: 'language' });
  expect(await asked(slot)).toMatchObject({ tookPart: true });
});

test.each([
  ['NaN', (data: { embedding: unknown }[]) => [{ ...data[0]!, embedding: [null, 1] }, ...data.slice(1)], 'embeddings_unfit'],
  ['a vector too few', (data: unknown[]) => data.slice(1), 'embeddings_protocol'],
  ['the same number twice', (data: { index: number }[]) => data.map((one) => ({ ...one, index: 0 })), 'embeddings_protocol'],
  ['vectors that are words', (data: object[]) => data.map((one) => ({ ...one, embedding: 'AAAA' })), 'embeddings_protocol'],
  ['zeros', (data: object[]) => data.map((one) => ({ ...one, embedding: [0, 0, 0] })), 'embeddings_unfit'],
  ['several lengths', (data: { embedding: unknown }[]) => [{ ...data[0]!, embedding: [1, 2] }, ...data.slice(1)], 'embeddings_protocol'],
  ['more than is read', (data: object[]) => [...data, { filler: 'x'.repeat(5 * 1024 * 1024) }], 'embeddings_protocol'],
] as const)('EM12 an answer with %s is a fault of the endpoint, nothing of it is kept and nothing is moved', async (_, bent, code) => {
  endpoint.bent = bent as never;
  configure();
  const slot = open();
  expect(await settled(slot)).toMatchObject({ state: 'failed', fault: { code }, againAt: null, done: 0 });
  expect(vectors().size).toBe(0);
  expect(await asked(slot)).toEqual({ tookPart: false, reason: `fault: ${code}` });
});

test('EM12 vectors that are all alike are told so; in another order they are put right by their numbers', async () => {
  endpoint.model = constantVector;
  configure();
  expect(await settled(open())).toMatchObject({ state: 'failed', fault: { code: 'embeddings_unfit', details: { why: 'alike' } } });
  await slots.pop()!.close();
  endpoint.model = good;
  endpoint.bent = (data) => data.toReversed();
  const slot = open();
  expect(await settled(slot)).toMatchObject({ state: 'on' });
  expect((await asked(slot) as { adjustments: ReadonlyMap<string, number> }).adjustments.get(TARGET.id)).toBeGreaterThan(0);
});

test('EM12 where an endpoint takes fewer or shorter texts it is given less; what it refuses by itself is left out alone', async () => {
  tools = ALL.slice(0, 40);
  const refused = tools[9]!.definition.name.replace('_', ' ');
  endpoint.instead = ({ input }) => (input.length > 10 ? { status: 400, body: '{"error":{"message":"batch size is invalid, it should not be larger than 10."}}' } : input.some((text) => text.includes(refused)) ? { status: 413, body: '{}' } : null);
  configure();
  const slot = open();
  const status = await settled(slot);
  expect(status.state).not.toBe('failed');
  expect(vectors().size).toBe(39);
  expect(status.retries).toBeGreaterThan(0);
});

test('EM13 a model whose vectors got another length is told so and is computed anew only when it is saved again; off, nothing is asked', async () => {
  configure();
  const slot = open();
  await settled(slot);
  endpoint.model = (text) => good(text).slice(0, 64);
  tools = [...ALL, { ...ALL[0]!, id: 'mcp:x:tool:new', definitionFingerprint: 'new', definition: { name: 'new', description: 'Something new.' } }];
  bus.emit('capabilities:changed', { serverId: 'x' });
  await expect.poll(() => slot.status().state).toBe('failed');
  expect(slot.status()).toMatchObject({ fault: { code: 'embeddings_dimension', details: { got: 64, kept: 96 } }, againAt: null });
  slot.forgetUnfit();
  slot.changed();
  expect(await settled(slot)).toMatchObject({ state: 'on', dimension: 64, done: ALL.length + 1 });
  configure({ enabled: false });
  slot.changed();
  endpoint.requests.length = 0;
  expect(slot.status().state).toBe('off');
  expect(await asked(slot)).toEqual({ tookPart: false, reason: 'off' });
  expect(endpoint.requests).toEqual([]);
  store.write(deleteEmbeddings);
  slot.changed();
  expect(slot.status()).toMatchObject({ state: 'none', done: 0, gate: null });
  expect(store.read((db) => db.all('SELECT * FROM embedding_vectors'))).toEqual([]);
});
