import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortedInSlices } from './sorted-in-slices.ts';

const sorted = <T>(all: readonly T[], textOf: (item: T) => string): { readonly items: T[]; readonly slices: number } => {
  const sorting = sortedInSlices(all, textOf);
  for (let slices = 0; ; slices += 1) {
    const step = sorting.next();
    if (step.done) return { items: step.value, slices };
  }
};

test('M76 texts are sorted in slices as they are in one go, ties as they were', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[ab\ud800文]{0,12}$/), { minLength: 1_500, maxLength: 2_500 }), (texts) => {
      const items = texts.map((text, at) => ({ text, at }));
      const { items: found } = sorted(items, ({ text }) => text);
      expect(found).toEqual(items.toSorted((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : a.at - b.at)));
    }),
    { numRuns: 15 },
  );
});

test('M76 no slice has more than a thousand to sort, also where all begin alike', () => {
  const texts = Array.from({ length: 20_000 }, (_, at) => `${'x'.repeat(40)}${(at * 7_919) % 20_000}`);
  const { items, slices } = sorted(texts, (text) => text);
  expect(slices).toBeGreaterThanOrEqual(20);
  expect(items).toEqual([...texts].sort());
});
