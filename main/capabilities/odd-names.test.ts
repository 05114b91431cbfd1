import { afterAll, expect, test } from 'vitest';
import { jsonEqual } from './json-equal.ts';
import { SchemaChecker } from './schema-checker.ts';

const schemas = new SchemaChecker();
afterAll(() => schemas.close());
let n = 0;
/** null: accepted; else the pointer of what was refused. Both as JSON text: a literal would set a prototype. */
const judge = (schema: string, value: string): string | null => {
  const compiled = schemas.compile(JSON.parse(schema), `f${n++}`, 'input');
  if (!compiled.ok) throw new Error(compiled.error.message);
  const verdict = compiled.value(JSON.parse(value));
  return verdict.ok ? null : verdict.pointer;
};

const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__', '__lookupSetter__'];

test.each(NAMES)('R14 a schema that names or requires %s judges it like any other name', async (name) => {
  const closed = `{"type":"object","properties":{"${name}":{"type":"string"}},"required":["${name}"],"additionalProperties":false}`;
  expect(await schemas.check({ name: 't', inputSchema: JSON.parse(closed) })).toEqual({ state: 'checked' });
  expect([judge(closed, `{"${name}":"a"}`), judge(closed, `{"${name}":1}`), judge(closed, '{}'), judge(closed, `{"${name}":"a","x":1}`)]).toEqual([null, `/${name}`, `/${name}`, '/x']);
  expect(judge(`{"type":"object","additionalProperties":false}`, `{"${name}":"a"}`)).toBe(`/${name}`);
  expect(judge(`{"properties":{"${name}":{"type":"string"}},"unevaluatedProperties":false}`, `{"${name}":"a"}`)).toBeNull();
  expect(judge(`{"patternProperties":{"^__proto__$":{"maxLength":3}},"properties":{"${name}":{"type":"string"}}}`, `{"${name}":1}`)).toBe(`/${name}`);
  expect(judge(`{"properties":{"${name}":{"type":"string"},"x":{"$ref":"#/properties/${name}"}}}`, '{"x":1}')).toBe('/x');
  expect([judge(`{"dependentRequired":{"${name}":["z"]}}`, `{"${name}":1}`), judge(`{"dependentRequired":{"z":["${name}"]}}`, '{"z":1}')]).toEqual(['/z', `/${name}`]);
  for (const dependencies of [`{"${name}":["z"]}`, `{"${name}":{"required":["z"]}}`]) {
    const schema = `{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":${dependencies}}`;
    expect([judge(schema, `{"${name}":1}`) === null, judge(schema, `{"${name}":1,"z":1}`), judge(schema, '{}')]).toEqual([false, null, null]);
  }
  expect([judge(`{"dependentSchemas":{"${name}":{"required":["z"]}}}`, `{"${name}":1}`), judge(`{"dependentSchemas":{"${name}":{"required":["z"]}}}`, '{}')]).toEqual(['/z', null]);
});

test.each(NAMES)('R14 enum, const and uniqueItems compare members named %s', (name) => {
  const one = `{"${name}":{"a":1}}`;
  for (const schema of [`{"properties":{"v":{"enum":[1,"x",${one}]}}}`, `{"properties":{"v":{"const":${one}}}}`]) {
    expect([judge(schema, `{"v":${one}}`), judge(schema, `{"v":{"${name}":{"a":2}}}`), judge(schema, '{"v":{}}'), judge(schema, `{"v":{"b":{"a":1}}}`)]).toEqual([null, '/v', '/v', '/v']);
  }
  expect([judge('{"properties":{"v":{"uniqueItems":true}}}', `{"v":[${one},${one}]}`), judge('{"properties":{"v":{"uniqueItems":true}}}', `{"v":[${one},{}]}`)]).toEqual(['/v', null]);
});

test('R14 JSON values are equal by what they hold', () => {
  expect([jsonEqual([1, { a: null }], [1, { a: null }]), jsonEqual([1], { 0: 1 }), jsonEqual({ a: undefined }, { b: 1 }), jsonEqual('1', 1), jsonEqual(null, {})]).toEqual([true, false, false, false, false]);
  expect(judge('{"properties":{"v":{"enum":["a",1,null,true]}}}', '{"v":null}')).toBeNull();
  expect(judge('{"properties":{"v":{"enum":["a",1,null,true]}}}', '{"v":false}')).toBe('/v');
});
