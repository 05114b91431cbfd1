import { expect, test } from 'vitest';
import { activeIn, chosenIn, moved, startOf, type CommandedOptions } from './commanded-list.ts';

const of = (words: string, ids: readonly string[], more: Partial<CommandedOptions> = {}): CommandedOptions => ({ words, ids, answered: true, takesFirst: true, ...more });

test('U160 Enter chooses among the options of the words in the field, and none while those of other words stand there', () => {
  const place = startOf('b');
  expect(chosenIn(place, of('b', ['a1', 'a2'], { answered: false }))).toBeNull();
  expect(chosenIn(place, of('b', ['b1', 'b2']))).toBe('b1');
  expect(chosenIn(startOf('a'), of('b', ['b1']))).toBeNull();
  expect(chosenIn(place, of('b', []))).toBeNull();
  expect(chosenIn(place, of('b', ['b1'], { takesFirst: false }))).toBeNull();
});

test('U160 an option that was gone to before the answer is chosen where it is among it, and nothing in its place where it is not', () => {
  const early = moved(startOf('b'), of('b', ['a1', 'a2'], { answered: false }), 'down', false);
  expect(chosenIn(early, of('b', ['b1', 'a2']))).toBe('a2');
  expect(chosenIn(early, of('b', ['b1', 'b2']))).toBeNull();
  // a field that also takes free text goes to no option of other words
  const free = of('b', ['a1', 'a2'], { answered: false, takesFirst: false });
  expect(moved(startOf('b'), free, 'down', true)).toEqual(startOf('b'));
});

test('U161 the keyboard stays at its option when the list changes around it, and is at the first of other words', () => {
  const before = of('b', ['x', 'y']);
  const place = moved(startOf('b'), before, 'down', false);
  expect(activeIn(place, before)).toBe('y');
  expect(activeIn(place, of('b', ['new', 'x', 'y', 'z']))).toBe('y');
  expect(activeIn(place, of('b', ['x', 'z']))).toBe('x');
  expect(activeIn(place, of('c', ['x', 'y']))).toBe('x');
  expect(activeIn(place, of('c', ['x', 'y'], { takesFirst: false }))).toBeNull();
});

test('U161 arrow keys go from option to option, to the end or around', () => {
  const options = of('b', ['x', 'y', 'z']);
  const walk = (loops: boolean, ways: readonly ('down' | 'up')[], with_ = options): string | null => activeIn(ways.reduce((place, way) => moved(place, with_, way, loops), startOf('b')), with_);
  expect(walk(false, ['down', 'down', 'down'])).toBe('z');
  expect(walk(true, ['down', 'down', 'down'])).toBe('x');
  expect(walk(false, ['up'])).toBe('x');
  expect(walk(true, ['up'])).toBe('z');
  const free = of('b', ['x', 'y', 'z'], { takesFirst: false });
  expect([walk(true, [], free), walk(true, ['down'], free), walk(true, ['up'], free)]).toEqual([null, 'x', 'z']);
});
