import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMasker } from './mask.ts';
import type { KnownSecret } from './mask.ts';

const maskerFor = (...values: string[]) => {
  const known: readonly KnownSecret[] = values.map((value, i) => ({ ref: `secret-${i}`, value }));
  return createMasker(() => known);
};
const VALUE = 'sk/live+"1\\2" ü=x&y';

test.each<[string, (value: string) => string]>([
  ['as it is', (v) => v],
  ['in JSON', (v) => JSON.stringify({ v })],
  ['in JSON within JSON', (v) => JSON.stringify({ line: JSON.stringify({ v }) })],
  ['in JSON of ASCII only', (v) => JSON.stringify({ v }).replace('ü', '\\u00fc')],
  ['in JSON with escaped slashes', (v) => JSON.stringify({ v }).replaceAll('/', '\\/')],
  ['in a query', (v) => `https://example.com/?k=${encodeURIComponent(v)}&n=1`],
  ['in a query with small hex digits', (v) => encodeURIComponent(v).replace(/%../g, (c) => c.toLowerCase())],
  ['in a form', (v) => new URLSearchParams({ v }).toString()],
  ['in a URL', (v) => encodeURI(v)],
  ['in base64', (v) => Buffer.from(v).toString('base64')],
  ['in base64url', (v) => Buffer.from(v).toString('base64url')],
  ['in basic authentication', (v) => `Basic ${Buffer.from(`user:${v}`).toString('base64')}`],
  ['in base64 with text around', (v) => Buffer.from(`{"a":"${v}","b":1}`).toString('base64')],
  ['in hex', (v) => Buffer.from(v).toString('hex')],
  ['in HTML', (v) => `<p>${v.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}</p>`],
])('K20 a known value is masked %s', (_form, write) => {
  const text = `before ${write(VALUE)} after`;
  const masked = maskerFor(VALUE)(text);
  expect(masked).toContain('[secret]');
  expect(masked).toMatch(/^before .*after$/);
  for (const leak of ['sk/live', 'sk\\/live', 'sk%2Flive', 'c2svbGl2', Buffer.from('live').toString('hex')]) expect(masked.toLowerCase()).not.toContain(leak.toLowerCase());
});

test('K21 a token is masked without the scheme it was configured with, and a long line of a value with many', () => {
  const pem = `-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\nAASCBKcwggSjAgEAAoIBAQC7VJTU\n-----END KEY-----`;
  const mask = maskerFor('Bearer tok-12345', pem);
  expect(mask('token tok-12345 was refused')).toBe('token [secret] was refused');
  expect(mask('line: AASCBKcwggSjAgEAAoIBAQC7VJTU')).toBe('line: [secret]');
});

test('K22 overlapping values are hidden as one, the longer of two with the same beginning first', () => {
  expect(maskerFor('abcdef', 'defghi')('x abcdefghi y')).toBe('x [secret] y');
  expect(maskerFor('abcd', 'abcdefgh')('abcdefgh abcdx')).toBe('[secret] [secret]x');
});

test('K23 values under four characters are left alone; without values the text comes back as it is', () => {
  expect(maskerFor('abc', '1')('abc 1')).toBe('abc 1');
  const text = 'nothing known';
  expect(maskerFor()(text)).toBe(text);
});

test('K24 where they stand is told with the reference', () => {
  expect(maskerFor('first-value', 'second-value').find('a second-value b first-value')).toEqual([
    { ref: 'secret-1', start: 2, end: 14 },
    { ref: 'secret-0', start: 17, end: 28 },
  ]);
});

test('K25 a value is known from the moment it is put, and no longer when it is removed', () => {
  let known: readonly KnownSecret[] = [];
  const mask = createMasker(() => known);
  expect(mask('later-value')).toBe('later-value');
  known = [{ ref: 'a', value: 'later-value' }];
  expect(mask('later-value')).toBe('[secret]');
  known = [];
  expect(mask('later-value')).toBe('later-value');
});

test('K26 any value is masked in any of its forms, whatever stands around it', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 6, maxLength: 40, unit: 'grapheme' }).filter((v) => v.isWellFormed()), fc.string(), fc.string(), (value, before, after) => {
      const mask = maskerFor(value);
      for (const text of [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]) expect(mask(before + text + after)).not.toContain(text);
      const around = Buffer.concat([Buffer.from(before), Buffer.from(value), Buffer.from(after)]).toString('base64');
      const hidden = mask(around);
      expect(hidden).toContain('[secret]');
    }),
    { numRuns: 300 },
  );
});

test('K27 masking 1 MB with 200 values known takes well under a second', () => {
  const mask = maskerFor(...Array.from({ length: 200 }, (_, i) => `sk-value-${i}-${'z'.repeat(20)}`));
  const text = 'The quick brown fox jumps over the lazy dog, skipping sk-value lines. '.repeat(15_000);
  mask('warm');
  const from = performance.now();
  mask(text);
  expect(performance.now() - from).toBeLessThan(800);
});
