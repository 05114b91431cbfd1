import { expect, test } from 'vitest';
import { schemaFit } from './schema-fit.ts';

const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}): unknown => ({ type: 'object', properties, ...more });
const reason = (schema: unknown): string => {
  const fit = schemaFit(schema);
  return fit.fits ? `fits ${fit.fields}` : `${fit.reason} ${fit.pointer}`.trim();
};

test('U58 plain fields, choices, lists of them and objects in objects fit a form', () => {
  expect(reason(object({ path: { type: 'string' }, n: { type: 'integer', minimum: 0 }, on: { type: 'boolean' }, kind: { enum: ['a', 'b'] } }))).toBe('fits 4');
  expect(reason(object({ paths: { type: 'array', items: { type: 'string' } }, o: object({ x: { type: 'number' } }) }))).toBe('fits 3');
  expect(reason({ properties: { a: { type: 'string' } } })).toBe('fits 1');
});

test('U58 what a form cannot show whole goes to raw JSON, and says why and where', () => {
  expect(reason({ type: 'object' })).toBe('no_fields');
  expect(reason({ type: 'array', items: {} })).toBe('not_an_object');
  expect(reason(object({ v: { anyOf: [{ type: 'string' }, { type: 'number' }] } }))).toBe('union /properties/v');
  expect(reason(object({ v: { type: ['string', 'null'] } }))).toBe('union /properties/v');
  expect(reason(object({ n: { $ref: '#/$defs/n' } }))).toBe('reference /properties/n');
  expect(reason(object({ m: { type: 'object', additionalProperties: { type: 'string' } } }))).toBe('free_keys /properties/m');
  expect(reason(object({ m: { type: 'object' } }))).toBe('free_keys /properties/m');
  expect(reason(object({ 'a/b': {} }))).toBe('any_value /properties/a~1b');
  expect(reason(object({ big: { type: 'integer', maximum: 1e19 } }))).toBe('big_number /properties/big');
  expect(reason(object({ big: { type: 'integer', format: 'int64' } }))).toBe('big_number /properties/big');
  expect(reason(object({ t: { type: 'array', prefixItems: [{ type: 'string' }] } }))).toBe('open_list /properties/t');
  expect(reason(object({ t: { type: 'array' } }))).toBe('open_list /properties/t');
  expect(reason(object({ a: object({ b: object({ c: object({ d: object({ e: { type: 'string' } }) }) }) }) }))).toMatch(/^too_deep/);
  expect(reason(object(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`f${i}`, { type: 'string' }]))))).toBe('too_many');
  expect(reason(true)).toBe('any_value');
});

test('U58 names that the form library would drop go to raw JSON', () => {
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
    expect(reason(JSON.parse(`{"type":"object","properties":{"${name}":{"type":"string"}}}`))).toBe(`odd_name /properties/${name}`);
    expect(reason(JSON.parse(`{"type":"object","properties":{"o":{"type":"object","properties":{"${name}":{"type":"string"}}}}}`))).toBe(`odd_name /properties/o/properties/${name}`);
  }
});
