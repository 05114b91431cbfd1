import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distinctNames } from './distinct-names.ts';

test('RS08 whatever the names, no two are told alike, and the first of a kind is told as it is', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'a (2)', 'a (3)', 'a (2) (2)', 'b', '', '__proto__'), { maxLength: 30 }), (names) => {
      const distinct = distinctNames();
      const told = names.map(distinct);
      expect(new Set(told).size).toBe(names.length);
      if (names.length > 0) expect(told[0]).toBe(names[0]);
    }),
  );
});
