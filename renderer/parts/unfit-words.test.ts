import { expect, test } from 'vitest';
import { en } from './en.ts';
import { unfitWords } from './unfit-words.ts';
import { zh } from './zh.ts';

const wordsOf = (parts: { readonly unfit: Readonly<Record<string, string>> }) => {
  const all: Readonly<Record<string, string>> = { ...Object.fromEntries(Object.entries(parts.unfit).map(([key, words]) => [`parts.unfit.${key}`, words])), 'code.invalid_input.sentence': 'does not fit', 'parts.fault.unknown_code': 'unknown' };
  const t = (key: string, values: Record<string, unknown> = {}): string => (all[key] ?? key).replace('{{expected}}', String(values['expected'] ?? ''));
  return (code: string, details?: Record<string, unknown>): string => unfitWords({ code, details }, t, (key) => Object.hasOwn(all, key));
};

test('U154 what a value breaks is told at its field in the language of the window, with what is wanted there', () => {
  expect(wordsOf(en)('invalid_input', { keyword: 'maximum', expected: '10' })).toContain('10');
  expect(wordsOf(zh)('invalid_input', { keyword: 'type', expected: 'integer' })).toMatch(/^[^a-z]*integer[^a-z]*$/);
  for (const keyword of Object.keys(zh.unfit)) expect(wordsOf(zh)('invalid_input', { keyword, expected: '' })).not.toMatch(/[a-z]{2}/i);
});

test('U154 a keyword without words of its own is told by its code; hidden characters of what is wanted are spelled out', () => {
  expect(wordsOf(zh)('invalid_input', { keyword: 'hasOwnProperty' })).toBe('does not fit');
  expect(wordsOf(zh)('invalid_input')).toBe('does not fit');
  expect(wordsOf(en)('enum_gone')).toBe('unknown');
  expect(wordsOf(en)('invalid_input', { keyword: 'enum', expected: 'a\u202eb' })).not.toContain('\u202e');
});
