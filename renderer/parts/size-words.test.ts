import { expect, test } from 'vitest';
import { sizeWords } from './size-words.ts';

test('DA02 sizes are told in the unit that fits, in both languages', () => {
  expect([0, 999, 1_000, 64_499, 1_000_000, 9_940_000, 12_300_000, 999_999_999, 2_340_000_000].map((bytes) => sizeWords(bytes, 'en'))).toEqual(['0 B', '999 B', '1 kB', '64 kB', '1 MB', '9.9 MB', '12 MB', '1,000 MB', '2.3 GB']);
  expect(sizeWords(12_300_000, 'zh')).toBe('12 MB');
});
