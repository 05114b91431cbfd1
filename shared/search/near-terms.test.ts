import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forgiven, lettersOf, nearTerms, typosToBeginning } from './near-terms.ts';

/** The whole table, by the book. */
const distance = (a: string, b: string): number => {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)));
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      table[i]![j] = Math.min(table[i - 1]![j]! + 1, table[i]![j - 1]! + 1, table[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) table[i]![j] = Math.min(table[i]![j]!, table[i - 2]![j - 2]! + 1);
    }
  }
  return table[a.length]![b.length]!;
};
const word = fc.string({ unit: fc.constantFrom(...'abcde1'), minLength: 1, maxLength: 9 });

test('M70 the typos to the best beginning are those that the whole table gives', () => {
  fc.assert(
    fc.property(word, word, (typed, term) => {
      const best = Math.min(...Array.from({ length: term.length + 1 }, (_, end) => distance(typed, term.slice(0, end))));
      expect(typosToBeginning(typed, term, 2)).toBe(Math.min(best, 3));
    }),
  );
});

test('M70 the quick look at letters leaves out no term that is near', () => {
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 20 }), (typed, terms) => {
      const most = forgiven(typed);
      const near = most === 0 ? [] : terms.flatMap((term, at) => (typosToBeginning(typed, term, most) <= most ? [at] : []));
      expect(nearTerms(typed, terms, Int32Array.from(terms, lettersOf)).map(({ at }) => at)).toEqual(near);
    }),
  );
});
