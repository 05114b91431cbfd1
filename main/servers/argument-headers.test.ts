import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { argumentHeaders, mirroredArguments } from './argument-headers.ts';
import { closeEndpoints, openEndpoint } from './era-endpoint.fixture.ts';
import { textOf, until } from './pool-harness.fixture.ts';

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const marked = (name: unknown, type: unknown = 'string'): object => ({ type, 'x-mcp-header': name });
const fieldsOf = (schema: unknown, input: unknown): unknown => {
  const found = mirroredArguments(schema);
  return found.ok ? argumentHeaders(found.value, JSON.stringify(input)) : found.error;
};

test.each<[string, object]>([
  ['an empty name', object({ a: marked('') })],
  ['a name that is no text', object({ a: marked(5) })],
  ['a blank in the name', object({ a: marked('My Region') })],
  ['a line break in the name', object({ a: marked('A\r\nB') })],
  ['a letter beyond ASCII', object({ a: marked('Région') })],
  ['a number', object({ a: marked('A', 'number') })],
  ['an object', object({ a: marked('A', 'object') })],
  ['a list of types', object({ a: marked('A', ['string', 'null']) })],
  ['no type', object({ a: { 'x-mcp-header': 'A' } })],
  ['one name twice', object({ a: marked('Region'), b: object({ c: marked('region') }) })],
  ['the root', object({}, { 'x-mcp-header': 'A' })],
  ['below a list', object({ a: { type: 'array', items: object({ b: marked('A') }) } })],
  ['below a list of places', object({ a: { type: 'array', prefixItems: [marked('A')] } })],
  ['below an alternative', object({}, { anyOf: [object({ a: marked('A') })] })],
  ['below a condition', object({}, { if: object({ a: marked('A') }) })],
  ['in a definition', object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: marked('A') } })],
  ['in what else may stand there', object({}, { additionalProperties: marked('A') })],
])('S90: a mark with %s breaks the specification', (_what, schema) => {
  expect(mirroredArguments(schema)).toMatchObject({ ok: false, error: expect.stringContaining('x-mcp-header') });
});

test('S90: a mark is no mark where a schema holds data, or names a property', () => {
  expect(fieldsOf(object({ 'x-mcp-header': { type: 'string' }, a: { type: 'object', const: { 'x-mcp-header': 'A' }, default: { 'x-mcp-header': '' } } }), { 'x-mcp-header': 'v' })).toEqual({});
  expect(fieldsOf(true, {})).toEqual({});
  expect(fieldsOf(undefined, {})).toEqual({});
});

test('S90: marked arguments at any depth become headers; absent, null and mistyped ones do not', () => {
  const schema = object({ 'a/b~c': marked('Plain'), deep: object({ flag: marked('Flag', 'boolean'), n: marked('Count', 'integer') }), other: { type: 'string' }, gone: marked('Gone'), none: marked('None') });
  expect(fieldsOf(schema, { 'a/b~c': 'us west', deep: { flag: false, n: 42 }, other: 'x', none: null })).toEqual({ 'Mcp-Param-Plain': 'us west', 'Mcp-Param-Flag': 'false', 'Mcp-Param-Count': '42' });
  expect(fieldsOf(schema, { 'a/b~c': { toString: 'x' }, deep: [], gone: 0.5 })).toEqual({});
});

test('S90: whatever a text holds, the header carries it through HTTP and back', () => {
  const decoded = (field: string): string => {
    const wrapped = /^=\?base64\?(.*)\?=$/.exec(field);
    return wrapped === null ? field : Buffer.from(wrapped[1]!, 'base64').toString('utf8');
  };
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom('', ' ', ' a', 'a ', '\t', 'a\tb', 'a\r\nX-Evil: 1', '=?base64?YQ==?=', 'é', '世界'));
  fc.assert(
    fc.property(texts.filter((text) => text.isWellFormed()), (text) => {
      const field = (fieldsOf(object({ a: marked('A') }), { a: text }) as Record<string, string>)['Mcp-Param-A']!;
      expect(field).toMatch(/^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/);
      expect(new Headers({ 'Mcp-Param-A': field }).get('mcp-param-a')).toBe(field);
      expect(decoded(field)).toBe(text);
    }),
  );
});

afterEach(closeEndpoints);

const connect = async (...[era, answer]: Parameters<typeof openEndpoint>) => {
  const { harness, seen } = await openEndpoint(era, answer);
  expect(await harness.pool.connect('srv')).toEqual({ state: 'ready' });
  return { harness, seen };
};

const TOOLS = [
  { name: 'good', inputSchema: object({ region: marked('Region') }) },
  { name: 'bad', inputSchema: object({ region: marked('Region'), zone: marked('region') }) },
  { name: 'plain', inputSchema: object({}) },
];
const offer = (tools: () => object[], call: object = { result: { resultType: 'complete', content: [{ type: 'text', text: 'done' }] } }) => (method: string) => (method === 'tools/list' ? { result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: tools() } } : call);

test('S90: in the newer era a tool with a broken mark is left out alone and by its name, and a call carries its headers', async () => {
  const { harness, seen } = await connect('modern', offer(() => TOOLS));
  const { fact, definitions } = harness.discovered.at(-1)!;
  expect(definitions.map(({ definition }) => definition.name)).toEqual(['good', 'plain']);
  expect(fact.tools).toMatchObject({ outcome: 'read', count: 2, malformed: [{ index: 1, reason: 'bad: x-mcp-header names "Region" twice' }] });
  expect(textOf(await harness.call('srv', 'good', { region: 'eu' }))).toBe('done');
  expect(textOf(await harness.call('srv', 'plain', { region: 'eu' }))).toBe('done');
  const calls = seen.filter(({ method }) => method === 'tools/call');
  expect(calls.map(({ headers }) => headers['mcp-param-region'])).toEqual(['eu', undefined]);
});

test('S90: in the older era a mark means nothing', async () => {
  const { harness, seen } = await connect('legacy', offer(() => TOOLS));
  expect(harness.discovered.at(-1)!.definitions).toHaveLength(3);
  expect(textOf(await harness.call('srv', 'good', { region: 'eu' }))).toBe('done');
  expect(seen.find(({ method }) => method === 'tools/call')!.headers).not.toHaveProperty('mcp-param-region');
});

test('S90: a call refused for its headers was not carried out twice, and the lists are read anew', async () => {
  let current = TOOLS;
  const { harness, seen } = await connect('modern', offer(() => current, { status: 400, error: { code: -32020, message: 'HeaderMismatch' } }));
  current = [{ name: 'good', inputSchema: object({ region: marked('Zone') }) }];
  const reads = harness.discovered.length;
  expect(await harness.call('srv', 'good', { region: 'eu' })).toMatchObject({ kind: 'rpc_error', rpcCode: -32020 });
  await until(() => harness.discovered.length > reads);
  await harness.call('srv', 'good', { region: 'eu' });
  const calls = seen.filter(({ method }) => method === 'tools/call').map(({ headers }) => [headers['mcp-param-region'], headers['mcp-param-zone']]);
  expect(calls).toEqual([['eu', undefined], [undefined, 'eu']]);
});
