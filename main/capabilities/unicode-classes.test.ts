import { expect, test } from 'vitest';
import { complement, UNICODE_VERSION, unicodeRanges, type Ranges } from './unicode-classes.ts';
import table from './unicode-classes.json' with { type: 'json' };

const has = (ranges: Ranges, codePoint: number): boolean => ranges.some(([from, to]) => codePoint >= from && codePoint <= to);

test('RT10 every range of the table is what this Unicode version says, at every edge and in every gap', () => {
  const keys = [...Object.keys(table.classes), 'L', 'LC', 'M', 'N', 'P', 'S', 'Z', 'C', 'Cn', 'Any', 'ASCII'];
  for (const key of keys) {
    const [name, script] = key.startsWith('sc=') ? [key.slice(3), 'Script'] : [key, undefined];
    const ranges = unicodeRanges(script, name)!;
    const native = new RegExp(`^\\p{${key}}$`, 'u');
    // the edges of every range decide it; all code points of 200 properties would take a minute
    for (const [from, to] of ranges) {
      for (const inside of [from, to]) expect(native.test(String.fromCodePoint(inside)), `${key} ${inside.toString(16)}`).toBe(true);
      for (const outside of [from - 1, to + 1]) if (outside >= 0 && outside <= 0x10ffff) expect(native.test(String.fromCodePoint(outside)), `${key} ${outside.toString(16)}`).toBe(false);
    }
    for (const [from, to] of complement(ranges)) for (const outside of [from, to, (from + to) >> 1]) expect(native.test(String.fromCodePoint(outside)), `${key} ${outside.toString(16)}`).toBe(false);
  }
  expect(process.versions.unicode?.split('.')[0]).toBe(UNICODE_VERSION.split('.')[0]);
});

test('RT10 long names, short names and script codes lead to one set; an unknown property has none', () => {
  expect(unicodeRanges(undefined, 'Letter')).toEqual(unicodeRanges('gc', 'L'));
  expect(unicodeRanges('sc', 'Hani')).toEqual(unicodeRanges('Script', 'Han'));
  expect(has(unicodeRanges('sc', 'Han')!, 0x4e2d)).toBe(true);
  for (const name of ['Nonsense', 'constructor', '__proto__']) expect(unicodeRanges(undefined, name)).toBeNull();
  expect(unicodeRanges('Script_Extensions', 'Han')).toBeNull();
});
