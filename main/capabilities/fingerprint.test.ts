import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Definition } from '../../shared/capability.ts';
import { bindingFingerprint, canonicalJson, definitionFingerprint } from './fingerprint.ts';

const base: Definition = { name: 'read', description: 'reads', inputSchema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } } };
const of = (definition: Definition): string => {
  const result = definitionFingerprint(definition);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

test('R01 key order and absent members do not count, every declared field does', () => {
  expect(of({ inputSchema: { properties: { b: { type: 'number' }, a: { type: 'string' } }, type: 'object' }, description: 'reads', name: 'read' })).toBe(of(base));
  expect(of(JSON.parse(JSON.stringify({ ...base, title: undefined })))).toBe(of(base));
  const changed: Definition[] = [
    { ...base, name: 'Read' }, { ...base, title: 't' }, { ...base, description: 'reads ' }, { ...base, inputSchema: { type: 'object' } }, { ...base, outputSchema: {} },
    { ...base, annotations: { readOnlyHint: true } }, { ...base, meta: { ui: { resourceUri: 'ui://x' } } }, { ...base, uri: 'x://y' }, { ...base, arguments: [] }, { ...base, title: '' },
  ];
  expect(new Set([of(base), ...changed.map(of)]).size).toBe(changed.length + 1);
});

test('R01 _meta that the host does not use is no part of the definition', () => {
  expect(of({ ...base, meta: { 'com.example/servedAt': 123 } })).toBe(of(base));
});

test('R02 RFC 8785: numbers and strings in their one form, unequal Unicode stays unequal', () => {
  expect(canonicalJson({ b: 1.0, a: -0, c: 1e21, d: '\u20ac\n' })).toEqual({ ok: true, value: '{"a":0,"b":1,"c":1e+21,"d":"€\\n"}' });
  expect(canonicalJson('é')).not.toEqual(canonicalJson('é'.normalize('NFD')));
  expect(canonicalJson(JSON.parse('{"__proto__":1,"a":2}'))).toEqual({ ok: true, value: '{"__proto__":1,"a":2}' });
});

test('R03 lone surrogates, NaN, cycles and endless depth are values with a code and the place', () => {
  expect(canonicalJson({ a: [1, { 'b/c': 'x\ud800' }] })).toMatchObject({ ok: false, error: { code: 'not_canonical', field: '/a/1/b~1c' } });
  expect(canonicalJson({ '\udc00': 1 })).toMatchObject({ ok: false, error: { code: 'not_canonical', field: '/\udc00' } });
  expect(canonicalJson({ a: NaN })).toMatchObject({ ok: false, error: { code: 'not_canonical', field: '/a' } });
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  expect(canonicalJson(cycle)).toMatchObject({ ok: false, error: { code: 'not_canonical' } });
  let deep: unknown = 1;
  for (let i = 0; i < 200_000; i += 1) deep = [deep];
  expect(canonicalJson(deep)).toMatchObject({ ok: false, error: { code: 'not_canonical' } });
});

test('R02 canonical text is stable under parse and independent of member order', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      if (!text.ok) return text.error.code === 'not_canonical';
      const again = canonicalJson(JSON.parse(text.value));
      return again.ok && again.value === text.value;
    }),
  );
});

test('R04 S14 the binding moves with definition, server, launch, instructions and review, each by itself', () => {
  const binding = { definitionFingerprint: 'd', serverId: 's', launchFingerprint: 'l', instructions: 'be nice', reviewVersion: null } as const;
  const all = [
    binding, { ...binding, definitionFingerprint: 'e' }, { ...binding, serverId: 't' }, { ...binding, launchFingerprint: null }, { ...binding, instructions: 'be nice!' },
    { ...binding, instructions: undefined }, { ...binding, reviewVersion: '1' }, { ...binding, instructions: 'lone \ud800' },
  ];
  expect(new Set(all.map(bindingFingerprint)).size).toBe(all.length);
  expect(bindingFingerprint({ ...binding })).toBe(bindingFingerprint(binding));
});
