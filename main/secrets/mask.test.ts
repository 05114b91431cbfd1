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
  ['in a query of a query', (v) => `https://a.example/?u=${encodeURIComponent(`https://b.example/?k=${encodeURIComponent(v)}`)}`],
  ['in a query of a query with small hex digits', (v) => encodeURIComponent(encodeURIComponent(v)).replace(/%25../g, (c) => c.toLowerCase())],
  ['with each byte percent-encoded', (v) => [...Buffer.from(v)].map((b) => `%${b.toString(16)}`).join('')],
  ['in base64 of base64', (v) => Buffer.from(Buffer.from(`user:${v}`).toString('base64')).toString('base64')],
  ['in base64url of base64url, without padding', (v) => Buffer.from(`{"t":"${Buffer.from(v).toString('base64url')}"}`).toString('base64url')],
  ['in base64 in a query', (v) => encodeURIComponent(Buffer.from(`x${v}`).toString('base64'))],
  ['in base64 of JSON', (v) => Buffer.from(JSON.stringify({ v })).toString('base64')],
  ['in base64 of UTF-16', (v) => Buffer.from(`echo ${v}`, 'utf16le').toString('base64')],
  ['in hex of UTF-16', (v) => Buffer.from(v, 'utf16le').swap16().toString('hex')],
  ['in hex with colons', (v) => Buffer.from(v).toString('hex').replace(/..(?=.)/g, '$&:').toUpperCase()],
  ['in a dumped buffer', (v) => `<Buffer ${Buffer.from(v).toString('hex').replace(/..(?=.)/g, '$& ')}>`],
  ['in escapes of C', (v) => Buffer.from(v).toString('hex').replace(/../g, '\\x$&')],
  ['as a list of bytes', (v) => JSON.stringify(Buffer.from(v))],
  ['with each character escaped', (v) => v.replace(/[^]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)],
  ['in numeric entities', (v) => [...v].map((c) => `&#x${c.codePointAt(0)!.toString(16)};`).join('')],
  ['in HTML of another library', (v) => v.replaceAll('&', '&amp;').replaceAll('"', '&#34;').replaceAll('/', '&#x2F;').replaceAll('&#34;', '&quot;').replaceAll('=', '&#x3D;')],
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

const LONG = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKjMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvuNMoSfm76oqFvAp8Gy0iz5sxjZmSnXyCdPEovGhLa0VzMaQ8s+CLOyS56YyCFGeJZ';
const wrap = (text: string, columns: number, between: string): string => (text.match(new RegExp(`.{1,${columns}}`, 'g')) ?? []).join(between);

test.each([
  ['as it is', '\n'], ['with carriage returns and indentation', '\r\n      '], ['in JSON', '\\n'], ['in JSON in JSON', '\\\\n'], ['in pieces of a source', '" +\n  "'], ['in a list', '",\n    "'], ['with a continued line', ' \\\n'], ['in a query', '%0A'], ['as a quotation', '\n> '],
])('K28 a long value wrapped over lines is hidden whole: %s', (_how, between) => {
  const mask = maskerFor(LONG);
  for (const form of [LONG, Buffer.from(`user:${LONG}`).toString('base64'), Buffer.from(LONG).toString('hex')]) {
    for (const columns of [16, 20, 64, 76]) {
      const text = mask(`key: "${wrap(form, columns, between)}" end`);
      // base64 at a place inside a longer text: the characters that other bytes take part in stay
      expect(text).toMatch(/^key: "[A-Za-z0-9+/]{0,7}\[secret\][A-Za-z0-9+/=]{0,3}" end$/);
    }
  }
});

test('K28 a key of many lines is hidden whole, whatever its line breaks became', () => {
  const pem = `-----BEGIN PRIVATE KEY-----\n${wrap(LONG, 64, '\n')}\n-----END PRIVATE KEY-----\n`;
  const mask = maskerFor(pem);
  for (const text of [pem.replaceAll('\n', '\r\n'), pem.replaceAll('\n', '\n    '), pem.replaceAll('\n', ''), JSON.stringify(pem), JSON.stringify(JSON.stringify(pem))]) expect(mask(`a ${text} b`).replaceAll('\\', '')).toMatch(/^a "*\[secret\]\s*n?"* b$/);
});

test('K29 what a line break or a cut has left of a long value is hidden; common words with it are not', () => {
  const mask = maskerFor(LONG, 'https://hooks.example.com/services/T0AB12CD/B0EF34GH/a1b2c3d4e5f6g7h8');
  expect(mask(`key ${LONG.slice(0, 90)}`)).toBe('key [secret]');
  expect(mask(`  ${LONG.slice(64, 128)}`)).toBe('  [secret]');
  expect(mask(`${LONG.slice(100)} end`)).toBe('[secret] end');
  expect(mask(`key ${LONG.slice(0, 40)}... refused`)).toBe('key [secret]... refused');
  for (const text of ['cannot reach https://hooks.example.com', 'https://hooks.example.com/', `the part ${LONG.slice(30, 60)} of it`, `key ${LONG.slice(0, 15)}`]) expect(mask(text)).toBe(text);
});

test('K23 short values are not looked for where their forms are ordinary text', () => {
  const picture = Buffer.from(Array.from({ length: 60_000 }, (_, i) => (i * 7919 + (i >> 3) * 104_729) & 0xff)).toString('base64');
  const values = ['test', 'admin', '1234', 'a b c'];
  for (const value of values) expect(maskerFor(value)(picture)).toBe(picture);
  const text = 'The teste\nst of 12\n34: te\\nst, t\0e\0s\0t, 74:65:73:74';
  expect(maskerFor('test1234', '1234')(text)).toBe(text);
});

test('S61 where a value may have begun is told, never inside one that is whole', () => {
  const mask = maskerFor('token-abcdef', 'cdefghij');
  const at = (text: string): string => text.slice(0, mask.unfinishedAt(text));
  expect(at('get token-ab')).toBe('get ');
  expect(at('get token-abcdef')).toBe('get ');
  expect(at('get token-abcdef so ')).toBe('get token-abcdef so ');
  expect(at('get tok')).toBe('get ');
  expect(at('get to ')).toBe('get to ');
  expect(at(`in ${Buffer.from('token-abcdef').toString('base64').slice(0, 9)}`)).toBe('in ');
});

test('K27 hostile repetitions of almost a value are gone through, and what is whole among them is hidden', () => {
  const mask = maskerFor(LONG, 'a'.repeat(200), 'ab'.repeat(100));
  for (const piece of [LONG.slice(0, -1), `${LONG.slice(0, 24)}x\n`, `${LONG.slice(8, 16)} `.padEnd(100), `${'a'.repeat(199)}b`, `${'ab'.repeat(99)}x\n`]) {
    const text = piece.repeat(Math.ceil(400_000 / piece.length));
    expect(mask(`${text} ${LONG} `).endsWith(' [secret] ')).toBe(true);
  }
});

test('K27 one secret at the end of 1 MB of almost secrets is found with 200 values known', () => {
  const mask = maskerFor(...Array.from({ length: 200 }, (_, i) => `sk-value-${i}-${'z'.repeat(20)}`));
  const text = 'The quick brown fox jumps over the lazy dog, skipping sk-value lines. '.repeat(15_000);
  expect(mask(`${text}sk-value-199-${'z'.repeat(20)}`)).toBe(`${text}[secret]`);
});
