import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Definition } from '../../shared/capability.ts';
import { definitionFingerprint } from './fingerprint.ts';
import { SchemaChecker } from './schema-checker.ts';

const schemas = new SchemaChecker();
afterAll(() => schemas.close());

const check = (inputSchema: unknown, outputSchema?: unknown) => schemas.check({ name: 'x', inputSchema, ...(outputSchema === undefined ? {} : { outputSchema }) });
let serial = 0;
const accepts = (schema: unknown, value: unknown, use: 'input' | 'output' = 'output'): boolean => {
  const validator = schemas.compile(schema, `test-${serial++}`, use);
  if (!validator.ok) throw new Error(validator.error.message);
  return validator.value(value).ok;
};
const within = (schema: unknown): unknown => ({ type: 'object', properties: { a: schema } });

const shared = process.env['GANTRY_SHARED'] ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const lists = (() => {
  try {
    return readdirSync(join(shared, 'toollists')).map((file) => JSON.parse(readFileSync(join(shared, 'toollists', file), 'utf8')) as { package?: string; result: { tools: Definition[] } });
  } catch {
    return null;
  }
})();

test.skipIf(lists === null)('R10 no schema of the real tool lists is excluded, and each compiles in the host (needs the shared tool lists)', async () => {
  const tools = lists!.flatMap((list) => list.result.tools);
  expect(tools.length).toBeGreaterThan(300);
  const odd: unknown[] = [];
  for (const tool of tools) {
    const state = await schemas.check(tool);
    if (state.state !== 'checked') odd.push([tool.name, state]);
  }
  expect(odd).toEqual([]);
  for (const tool of tools) {
    const fingerprint = definitionFingerprint(tool);
    if (!fingerprint.ok) throw new Error(fingerprint.error.message);
    expect(schemas.compile(tool.inputSchema, fingerprint.value, 'input').ok).toBe(true);
  }
});

test('S01 a reference that leaves the document is excluded with its place, and never fetched', async () => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.end('{}');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/schema.json`;
  for (const reference of [url, `${url}#/definitions/a`, 'file:///etc/passwd', 'other.json', '../x#/a', 'https://json-schema.org/draft/2019-09/schema']) {
    expect(await check(within({ $ref: reference })), reference).toMatchObject({ state: 'excluded', pointer: '/inputSchema/properties/a/$ref' });
  }
  expect(await check({ type: 'object' }, { anyOf: [{ $ref: url }] })).toMatchObject({ state: 'excluded', pointer: '/outputSchema/anyOf/0/$ref' });
  expect(schemas.compile(within({ $ref: url }), 'remote')).toMatchObject({ ok: false, error: { code: 'schema_excluded' } });
  expect(asked).toBe(0);
  server.close();
});

test('S01 a dangling reference is excluded with its place', async () => {
  for (const reference of ['#/$defs/nope', '#nope', '#/properties/b', '#/%zz']) {
    expect(await check(within({ $ref: reference })), reference).toMatchObject({ state: 'excluded', pointer: '/inputSchema/properties/a/$ref' });
  }
});

test('S01 local references of every kind are kept', async () => {
  const good = [
    { type: 'object', $defs: { s: { type: 'string' } }, properties: { a: { $ref: '#/$defs/s' } } },
    { type: 'object', $defs: { s: { $anchor: 'name', type: 'string' } }, properties: { a: { $ref: '#name' } } },
    { $id: 'https://example.test/root', type: 'object', $defs: { s: { $id: 's', type: 'string' } }, properties: { a: { $ref: 's' } } },
    { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', definitions: { 'a/b': { type: 'string' } }, properties: { a: { $ref: '#/definitions/a~1b' } } },
    { type: 'object', properties: { b: { type: 'string' }, a: { $ref: '#/properties/b' } } },
    { $ref: '#/definitions/root', definitions: { root: { type: 'object', properties: { a: { type: 'string' } } } }, $schema: 'http://json-schema.org/draft-07/schema#' },
  ];
  for (const schema of good) {
    expect(await check(schema), JSON.stringify(schema)).toEqual({ state: 'checked' });
    expect(accepts(schema, { a: 'x' }, 'input')).toBe(true);
    expect(accepts(schema, { a: 1 }, 'input')).toBe(false);
  }
});

test('S01 one schema that names itself is not found by another', async () => {
  expect(await check({ $id: 'https://example.test/shared', type: 'object', $defs: { s: { $id: 'inner', type: 'string' } } })).toEqual({ state: 'checked' });
  expect(await check(within({ $ref: 'https://example.test/inner' }))).toMatchObject({ state: 'excluded' });
});

test('S02 recursion over data is kept and judged', async () => {
  const tree = { type: 'object', properties: { value: { type: 'number' }, children: { type: 'array', items: { $ref: '#' } } }, required: ['value'] };
  const mutual = { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { properties: { b: { $ref: '#/$defs/b' } } }, b: { properties: { a: { $ref: '#/$defs/a' } }, type: 'object' } } };
  expect(await check(tree)).toEqual({ state: 'checked' });
  expect(await check(mutual)).toEqual({ state: 'checked' });
  expect(accepts(tree, { value: 1, children: [{ value: 2, children: [] }] })).toBe(true);
  expect(accepts(tree, { value: 1, children: [{ children: [] }] })).toBe(false);
});

test('S02 a reference that recurs without consuming data is excluded with its place', async () => {
  const endless: [unknown, string][] = [
    [{ $ref: '#' }, '/inputSchema/$ref'],
    [{ type: 'object', allOf: [{ anyOf: [{ $ref: '#' }] }] }, '/inputSchema/allOf/0/anyOf/0/$ref'],
    [{ type: 'object', properties: { x: { $ref: '#/$defs/a' } }, $defs: { a: { not: { $ref: '#/$defs/b' } }, b: { if: { $ref: '#/$defs/a' } } } }, '/inputSchema/$defs/b/if/$ref'],
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema', $dynamicAnchor: 'n', $dynamicRef: '#n' }, '/inputSchema/$dynamicRef'],
  ];
  for (const [schema, pointer] of endless) expect(await check(schema), JSON.stringify(schema)).toMatchObject({ state: 'excluded', pointer });
});

test('S03 S04 schemas and data made to explode end in a value, after a bounded number of steps', async () => {
  const laugh: Record<string, unknown> = { last: { type: 'string' } };
  for (let i = 0; i < 60; i += 1) laugh[`d${i}`] = { allOf: [{ $ref: i === 59 ? '#/$defs/last' : `#/$defs/d${i + 1}` }, { $ref: i === 59 ? '#/$defs/last' : `#/$defs/d${i + 1}` }] };
  const doubling = { type: 'object', properties: { a: { anyOf: [{ $ref: '#' }, { $ref: '#' }] } }, required: ['z'] };
  let data: unknown = {};
  for (let i = 0; i < 80; i += 1) data = { a: data, z: 1 };
  let deep: unknown = {};
  for (let i = 0; i < 5_000; i += 1) deep = { a: deep };
  for (const [schema, value] of [[{ type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs: laugh }, { a: 'x' }], [doubling, data], [within({}), deep]] as const) {
    expect((await check(schema)).state).toBe('checked');
    expect(accepts(schema, value)).toBe(false);
  }
  let looks = 0;
  const many = Array.from({ length: 20_000 }, (_, i) => ({ get i() { looks += 1; return i; } }));
  expect(accepts({ type: 'array', uniqueItems: true }, many)).toBe(true);
  expect(accepts({ type: 'array', uniqueItems: true }, [...many, { i: 7 }])).toBe(false);
  // in pairs it would be 400 million
  expect(looks).toBeLessThan(20 * many.length);
});

test('S04 nested alternatives, deep and wide schemas are bounded before they are compiled', async () => {
  const nest = (depth: number, width: number): unknown => (depth === 0 ? { type: 'string' } : { [depth % 2 ? 'anyOf' : 'allOf']: Array.from({ length: width }, () => nest(depth - 1, width)) });
  expect(await check(within(nest(7, 4)))).toMatchObject({ state: 'excluded', reason: expect.stringContaining('subschemas') });
  let deep: unknown = { type: 'string' };
  for (let i = 0; i < 20_000; i += 1) deep = { not: deep };
  expect(await check(deep)).toMatchObject({ state: 'excluded', reason: expect.stringContaining('too large') });
  expect(await check(within({ description: 'x'.repeat(3_000_000) }))).toMatchObject({ state: 'excluded', reason: expect.stringContaining('too large') });
  expect(await check(within({ enum: Array.from({ length: 10_000 }, (_, i) => `value ${i}`) }))).toEqual({ state: 'checked' });
});

test('S04 a schema over its time costs the worker its life, and the next one is judged by a new worker', async () => {
  const impatient = new SchemaChecker({ limitMs: 1 });
  const wide = within({ anyOf: Array.from({ length: 1_000 }, (_, i) => ({ properties: { [`p${i}`]: { type: 'string', pattern: `^[a-z]{1,${100 + (i % 9)}}$` } } })) });
  await impatient.check({ name: 'warm', inputSchema: { type: 'object' } });
  expect(await impatient.check({ name: 'slow', inputSchema: wide })).toMatchObject({ state: 'excluded', reason: expect.stringContaining('too long') });
  expect(await impatient.check({ name: 'next', inputSchema: { type: 'object' } })).toEqual({ state: 'checked' });
  await impatient.close();
});

test('S04 what counts is the processor time of the worker: a machine busy with others makes no schema too slow, but for ever none is waited for', async () => {
  const wide = within({ anyOf: Array.from({ length: 600 }, (_, i) => ({ properties: { [`p${i}`]: { type: 'string', pattern: `^[a-z]{1,${100 + (i % 9)}}$` } } })) });
  const judged = async (limits: ConstructorParameters<typeof SchemaChecker>[0]): Promise<unknown> => {
    const checker = new SchemaChecker({ limitMs: 1, ...limits });
    await checker.check({ name: 'warm', inputSchema: { type: 'object' } });
    const { state } = await checker.check({ name: 'slow', inputSchema: wide });
    await checker.close();
    return state;
  };
  const none = () => Promise.resolve(0);
  expect(await judged({ usedMs: none, clockMs: 60_000 })).toBe('checked');
  expect(await judged({ usedMs: none, clockMs: 2 })).toBe('excluded');
  expect(await judged({ clockMs: 60_000 })).toBe('excluded');
});

test('S05 each dialect is judged as itself', async () => {
  const four = { $schema: 'http://json-schema.org/draft-04/schema#', ...(within({ type: 'number', minimum: 1, exclusiveMinimum: true }) as object) };
  const seven = { $schema: 'http://json-schema.org/draft-07/schema', ...(within({ type: 'array', items: [{ type: 'string' }], additionalItems: false }) as object) };
  const six = { $schema: 'http://json-schema.org/draft-06/schema#', ...(within({ exclusiveMinimum: 1 }) as object) };
  const nineteen = { $schema: 'https://json-schema.org/draft/2019-09/schema', ...(within({ dependentRequired: { x: ['y'] } }) as object) };
  const twenty = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...(within({ prefixItems: [{ type: 'string' }], items: false }) as object) };
  const cases: [unknown, unknown, unknown][] = [[four, 2, 1], [seven, ['a'], ['a', 'b']], [six, 2, 1], [nineteen, { x: 1, y: 1 }, { x: 1 }], [twenty, ['a'], ['a', 1]]];
  for (const [schema, good, bad] of cases) {
    expect(await check(schema), JSON.stringify(schema)).toEqual({ state: 'checked' });
    expect(accepts(schema, { a: good }, 'input'), JSON.stringify(schema)).toBe(true);
    expect(accepts(schema, { a: bad }, 'input'), JSON.stringify(schema)).toBe(false);
  }
});

test('S05 an undeclared dialect is 2020-12, or the older one that alone accepts it', async () => {
  expect(await check(within({ minimum: 1, exclusiveMinimum: true }))).toEqual({ state: 'checked' });
  expect(accepts(within({ minimum: 1, exclusiveMinimum: true }), { a: 1 })).toBe(false);
  expect(await check(within({ items: [{ type: 'string' }] }))).toEqual({ state: 'checked' });
  expect(accepts(within({ items: [{ type: 'string' }] }), { a: [1] })).toBe(false);
});

test('S05 boolean schemas, missing types, unknown formats and keywords are no obstacle; an unknown dialect is', async () => {
  expect(await check(true)).toEqual({ state: 'checked' });
  expect(await check({})).toEqual({ state: 'checked' });
  expect(await check(undefined)).toEqual({ state: 'checked' });
  expect(await check(within(false))).toEqual({ state: 'checked' });
  expect(await check({ properties: { a: { format: 'phone-of-mars', 'x-widget': {}, id: 'a', nullable: true, example: 1 } }, id: 'tool' })).toEqual({ state: 'checked' });
  expect(accepts({ properties: {} }, [], 'input')).toBe(false);
  expect(accepts({ properties: {} }, {}, 'input')).toBe(true);
  for (const dialect of ['http://json-schema.org/draft-03/schema#', 'https://example.test/mine', 5]) expect(await check({ $schema: dialect, type: 'object' })).toMatchObject({ state: 'excluded', pointer: '/inputSchema/$schema' });
  for (const odd of ['text', null, [], 7]) expect((await check(odd)).state).toBe('excluded');
  expect(await check({ type: 'string' })).toMatchObject({ state: 'excluded', pointer: '/inputSchema/type' });
});

test('S06 a pattern that cannot be bounded makes the tool partly checked, with the place, and the rest is still judged', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string', pattern: '(?=x)y' }, b: { type: 'number' } }, required: ['b'] };
  expect(await check(schema)).toMatchObject({ state: 'partly_checked', places: [{ pointer: '/inputSchema/properties/a/pattern' }] });
  expect(accepts(schema, { a: 'anything', b: 1 })).toBe(true);
  expect(accepts(schema, { a: 5, b: 1 })).toBe(false);
  expect(accepts(schema, { a: 'x' })).toBe(false);
});

test('S06 nothing that rests on a skipped keyword refuses what the original accepts', async () => {
  const back = { type: 'string', pattern: '^(a)\\1$' };
  const cases: [unknown, unknown][] = [
    [{ not: back }, { a: 'b' }],
    [{ oneOf: [back, { type: 'string', minLength: 1 }] }, { a: 'bbb' }],
    [{ if: back, then: { const: 'aa' } }, { a: 'zz' }],
    [{ type: 'object', patternProperties: { '(?=x)x.*': { type: 'number' } }, additionalProperties: false }, { a: { xx: 1 } }],
    [{ type: 'object', allOf: [{ patternProperties: { '(?=x)x.*': {} } }], unevaluatedProperties: false }, { a: { xx: 1 } }],
    [{ contains: back, maxContains: 0, minContains: 0 }, { a: ['b', 'c'] }],
    [{ not: { $ref: '#/$defs/back' } }, { a: 'b' }],
  ];
  for (const [part, value] of cases) {
    const schema = { ...(within(part) as object), $defs: { back } };
    expect((await check(schema)).state, JSON.stringify(part)).toBe('partly_checked');
    expect(accepts(schema, value), JSON.stringify(part)).toBe(true);
  }
});

test('R11 a keyword of the wrong form is skipped with its place, never the whole tool', async () => {
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: { a: { type: 'strin' }, b: 'text', c: { type: 'string', required: true } }, additionalProperties: false };
  const state = await check(schema);
  expect(state).toMatchObject({ state: 'partly_checked' });
  expect(state.state === 'partly_checked' && state.places.map((place) => place.pointer).sort()).toEqual(['/inputSchema/properties/a/type', '/inputSchema/properties/b', '/inputSchema/properties/c/required']);
  expect(accepts(schema, { a: 1, b: 2, c: 'x' })).toBe(true);
  expect(accepts(schema, { d: 1 })).toBe(false);
});

test('R12 $async cannot make a validator answer with a promise', () => {
  expect(accepts({ $async: true, type: 'object', properties: { a: { $async: true, type: 'string' } } }, { a: 1 })).toBe(false);
});

test('R13 a verdict names the place and what was expected; own properties only', () => {
  const validator = schemas.compile({ type: 'object', properties: { 'a/b': { enum: ['x', 'y'] }, price: { multipleOf: 0.01 }, toString: {} }, required: ['toString'], additionalProperties: false }, 'verdict', 'input');
  if (!validator.ok) throw new Error(validator.error.message);
  expect(validator.value({})).toMatchObject({ ok: false, pointer: '/toString' });
  const other = schemas.compile({ properties: { 'a/b': { enum: ['x', 'y'] }, price: { multipleOf: 0.01 } }, additionalProperties: false }, 'verdict', 'input');
  if (!other.ok) throw new Error(other.error.message);
  expect(other.value({ 'a/b': 'z' })).toMatchObject({ ok: false, pointer: '/a~1b', message: expect.stringContaining('"x", "y"') });
  expect(other.value({ q: 1 })).toMatchObject({ ok: false, pointer: '/q' });
  expect(other.value({ price: 19.99 })).toEqual({ ok: true });
  expect(other.value([])).toMatchObject({ ok: false, pointer: '' });
});

test('S07 input and output of one definition keep validators of their own', () => {
  const input = schemas.compile({ properties: { a: { type: 'string' } } }, 'both', 'input');
  const output = schemas.compile({ properties: { a: { type: 'number' } } }, 'both', 'output');
  expect(input.ok && input.value({ a: 'x' }).ok).toBe(true);
  expect(output.ok && output.value({ a: 'x' })).toMatchObject({ ok: false, pointer: '/a' });
  expect(output.ok && output.value({ a: 1 }).ok).toBe(true);
});
