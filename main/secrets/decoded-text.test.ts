import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText } from './decoded-text.ts';
import { createMasker } from './mask.ts';

const VALUE = 'p4/ss&w<rd+9xQ~7z%Lk "ü';
const maskerFor = (value: string) => {
  const known = [{ ref: 'a', value }];
  return createMasker(() => known);
};
const hex = (c: string): string => c.codePointAt(0)!.toString(16);
const percent = (c: string): string => [...Buffer.from(c)].map((b) => `%${b.toString(16).padStart(2, '0')}`).join('');

test.each<[string, (value: string) => string]>([
  ['quoted by Python', (v) => encodeURIComponent(v).replaceAll('%2F', '/')],
  ['in JSON of Go', (v) => JSON.stringify(v).slice(1, -1).replace(/[&<>]/g, (c) => `\\u00${hex(c)}`)],
  ['in a URL of a browser', (v) => new URL(`https://a.example/?k=${v.replace('%', '%25')}`).href.slice(21)],
  ['in JSON of Go, and of PHP again', (v) => JSON.stringify(JSON.stringify(v).slice(1, -1).replace(/[&<>]/g, (c) => `\\u00${hex(c)}`)).slice(1, -1).replaceAll('/', '\\/')],
  ['in padded entities', (v) => [...v].map((c) => `&#${String(c.codePointAt(0)).padStart(4, '0')};`).join('')],
  ['in escapes with braces', (v) => [...v].map((c) => `\\u{${hex(c)}}`).join('')],
  ['in a dump of pairs', (v) => Buffer.from(v).toString('hex').replace(/(.{4})(?=.)/g, '$1 ')],
  ['with a slash encoded', (v) => v.replaceAll('/', '%2F')],
])('K33 a value is masked %s', (_how, write) => {
  expect(maskerFor(VALUE)(`[${write(VALUE)}]`)).toBe('[[secret]]');
});

test('K33 any choice of escapes for each character hides the value, and nothing around it', () => {
  const ways: readonly ((c: string) => string)[] = [(c) => c, percent, (c) => percent(c).toUpperCase(), (c) => c.replace(/[^]/g, (u) => `\\u${u.charCodeAt(0).toString(16).padStart(4, '0')}`), (c) => `&#${c.codePointAt(0)};`, (c) => `&#x0${hex(c)};`, (c) => `\\u{${hex(c)}}`];
  const mask = maskerFor('Kq7-xv_Z+Lmü/42p😀T=R');
  fc.assert(
    fc.property(fc.array(fc.nat(ways.length - 1), { minLength: 20, maxLength: 20 }), (chosen) => {
      const text = [...'Kq7-xv_Z+Lmü/42p😀T=R'].map((c, i) => ways[chosen[i] ?? 0]!(c)).join('');
      expect(mask(`before %41 ${text} after \\n`)).toBe('before %41 [secret] after \\n');
    }),
  );
});

test('K33 a value that has escapes of its own is masked, and a text that only looks escaped stays', () => {
  expect(maskerFor('abc%2Fdef&amp;g')(`x ${'abc%2Fdef&amp;g'.replace('d', '%64')} y`)).toBe('x [secret] y');
  const text = 'C:\\users %zz &nope; 100% \\u12 &#; %C3';
  expect(maskerFor('abcdef')(text)).toBe(text);
  expect(decodeText('%E2%82%AC\\u20ac&#8364;')?.text).toBe('€€€');
});

test('K33 where a value may have begun in escapes is told', () => {
  const mask = maskerFor('p4/ss&word-9');
  for (const tail of ['p4%2Fss', 'p4%2Fss%', 'p4%2Fss\\u00']) expect(mask.unfinishedAt(`get ${tail}`)).toBe(4);
});
