import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { FormIndex, FormSearch } from './form-index.ts';
import { secretForms } from './secret-forms.ts';

const indexOf = (values: readonly string[]): { readonly index: FormIndex; readonly forms: ReadonlySet<string> } => {
  const index = new FormIndex();
  const forms = new Set<string>();
  for (const value of values) for (const form of secretForms(value).whole) forms.add(form);
  for (const form of forms) index.add('a', form);
  return { index, forms };
};
const workOn = (text: string, index: FormIndex): number => {
  const search = new FormSearch(text, index);
  for (let at = 0; at + 4 <= text.length; at += 1) search.at(at);
  for (let at = 0; at < text.length; at += 1) search.isBegunAt(at);
  return search.work;
};
const workOfSearch = (text: string, index: FormIndex): number => {
  const search = new FormSearch(text, index);
  for (let at = 0; at + 4 <= text.length; at += 1) search.at(at);
  return search.work;
};
/** Look-ups, hashing and comparing for one character: 1 + log2(1000 lengths) + 3 + 4. */
const MOST = 18;
const PEM = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

test.each([
  ['a private key', [PEM], ['-', '\\u002d', '2d', '&#45;', '45,', 'LS0t', '\\x2d', '0x2d,', '%2d', '%252D', '-----BEGIN ', PEM.slice(0, -20), PEM.slice(0, 700)]],
  ['one letter', ['a'.repeat(4000), `${'a'.repeat(4000)}b`], ['a', `${'a'.repeat(3999)}c`]],
  ['200 of one family', Array.from({ length: 200 }, (_, i) => `sk-a${'b'.repeat(i)}${i}`), ['sk-a', 'sk-abbbbbbbbbbbbbbbb', `sk-a${'b'.repeat(199)}`]],
])('K27 the work for a character is bounded whatever is known and whatever is read: %s', (_name, values, pieces) => {
  const { index } = indexOf(values);
  for (const piece of pieces) for (const length of [20_000, 80_000]) expect(workOfSearch(piece.repeat(Math.ceil(length / piece.length)).slice(0, length), index) / length).toBeLessThan(MOST);
  for (const piece of pieces) expect(workOn(piece.repeat(Math.ceil(20_000 / piece.length)).slice(0, 20_000), index) / 20_000).toBeLessThan(MOST + 256 + 1);
});

test('K27 the longest form at a place is the one that comparing all of them finds', () => {
  const values = ['aaaab', 'aaaabc', 'aaaabcdefg', 'aaaaXaaaab', 'aaaaXaaaabZZ', 'aaaa', 'aaaaXa'];
  const { index, forms } = indexOf(values);
  let seed = 7;
  const next = (n: number): number => (seed = (seed * 48_271) % 0x7fffffff) % n;
  const text = Array.from({ length: 3000 }, () => (next(3) === 0 ? values[next(values.length)]! : 'abXcdZ'[next(6)]!)).join('');
  const search = new FormSearch(text, index);
  for (let at = 0; at + 4 <= text.length; at += 1) {
    const longest = [...forms].filter((form) => text.startsWith(form, at)).reduce((most, form) => Math.max(most, form.length), 0);
    expect((search.at(at)?.end ?? at) - at).toBe(longest);
  }
});
