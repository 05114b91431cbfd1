import { expect, test } from 'vitest';
import { grownPages, isShort } from './grown-pages.ts';

const pages = (...of: readonly (readonly [number, string])[]): ReadonlyMap<number, readonly string[]> => new Map(of.map(([page, rows]) => [page, [...rows]]));
const drawn = (of: ReadonlyMap<number, readonly string[]>): string => [...of].sort(([a], [b]) => a - b).map(([page, rows]) => `${page}:${rows.join('')}`).join(' ');

test('RV05 rows that came are added after the last one known, in pages that are there; what is not there is asked for when it comes into sight', () => {
  const before = pages([0, 'abc'], [1, 'd']);
  expect(drawn(grownPages(before, 3, 4, [...'efgh']))).toBe('0:abc 1:def 2:gh');
  expect(drawn(before)).toBe('0:abc 1:d');
  // the page of the end was never in sight
  expect(drawn(grownPages(pages([0, 'abc']), 3, 7, [...'hij']))).toBe('0:abc 3:j');
  // another reading brought some of them already: none stands twice
  expect(drawn(grownPages(pages([1, 'def']), 3, 4, [...'efg']))).toBe('1:def 2:g');
});

test('RV05 a page whose reading was on its way while the list grew is known to be short', () => {
  expect(isShort(1, 3, 1, 6)).toBe(true);
  expect(isShort(1, 3, 2, 5)).toBe(false);
  expect(isShort(1, 3, 3, 900)).toBe(false);
});
