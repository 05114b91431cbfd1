import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalText, sha256 } from './canonical.ts';

test('A03 key order, number spelling and -0 give one form; unequal Unicode stays unequal; a lone surrogate is refused', () => {
  expect(canonicalText({ b: 1, a: 2 })).toBe(canonicalText({ a: 2, b: 1.0 }));
  expect(canonicalText([-0])).toBe('[0]');
  expect(canonicalText('\u00e9')).not.toBe(canonicalText('e\u0301'));
  expect(() => canonicalText('\ud800')).toThrow(TypeError);
  expect(() => canonicalText({ '\udc00': 1 })).toThrow(TypeError);
  expect(() => canonicalText(Number.NaN)).toThrow(TypeError);
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('CL10 canonical text equals the canonicalize package for any JSON value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
      expect(canonicalText(value)).toBe(canonicalize(value));
    }),
    { numRuns: 500 },
  );
  const odd = JSON.parse('{"__proto__":{"x":1},"10":1,"9":2,"constructor":[]}') as unknown;
  expect(canonicalText(odd)).toBe('{"10":1,"9":2,"__proto__":{"x":1},"constructor":[]}');
});
