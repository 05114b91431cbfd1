import { expect, test } from 'vitest';
import { foldText } from '../store/fold-text.ts';
import { excerptOf, marksOf } from './found-words.ts';

test('MD05 a text is folded and looked through in a time that grows with its length: marks of accents in a row, a million characters of two scripts', () => {
  expect(foldText(`Ann${'e\u0301'}e ${'e'}${'\u0301'.repeat(500_000)} ドム`)).toBe('annee e ドム');
  expect(foldText(`\u4e2d${'\u0301'.repeat(3)}`)).toBe(`\u4e2d${'\u0301'.repeat(3)}`);
  expect(excerptOf(`${'é中'.repeat(500_000)} Find here`, ['find'])).toMatch(/^….*Find here$/);
  expect(excerptOf(`${'\ufdfa'.repeat(20_000)} Find here`, ['find'])).toMatch(/^….*Find here$/);
});

test('AP23 marks stand on whole characters where folding makes a text longer or shorter', () => {
  const text = '\ufdfa ﬁnd Straße e\u0301find';
  expect(marksOf(text, ['find', 'stra']).map(({ from, to }) => text.slice(from, to))).toEqual(['ﬁnd', 'Stra', 'find']);
});
