import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rankTools } from './rank.ts';
import { Senses } from './senses.ts';
import { indexOf, SELECTION_ASSETS, toolText as tool, words } from './tool-index.fixture.ts';

const EVERYDAY = [
  tool('a', 'q1', 'Plans meals and counts calories.'),
  tool('a', 'q2', 'Tells how healthy a food is.'),
  tool('b', 'q3', 'Books flights and hotel rooms.'),
  tool('c', 'q4', 'Plays songs of an artist.'),
];

test.each([
  ['What should I eat for dinner?', 'a'],
  ['I would like to go on vacation in Spain', 'b'],
  ['Put some jazz on', 'c'],
])('SE30 %s is about the same as server %s, without a word in common', (request, serverId) => {
  const ranked = rankTools(request, indexOf(EVERYDAY), { count: EVERYDAY.length });
  const nearest = ranked.toSorted((one, other) => other.reasons.sense - one.reasons.sense)[0]!;
  expect(nearest.id.split('/')[0]).toBe(serverId);
  expect(nearest.gives.sense).toBeGreaterThan(0);
});

test('SE30 tools of one server are as near as each other, and what a server lost counts no longer', () => {
  const index = indexOf(EVERYDAY);
  const senseOf = (id: string): number => rankTools('What should I eat for dinner?', index, { count: 9 }).find((one) => one.id === id)!.reasons.sense;
  expect(senseOf('a/q1')).toBe(senseOf('a/q2'));
  const before = senseOf('a/q1');
  index.removeServer('a');
  index.add(EVERYDAY[0]!);
  expect(senseOf('a/q1')).not.toBe(before);
  expect(senseOf('a/q1')).toBeCloseTo(rankTools('What should I eat for dinner?', indexOf(EVERYDAY.filter(({ id }) => id !== 'a/q2')), { count: 9 }).find(({ id }) => id === 'a/q1')!.reasons.sense, 6);
});

test('SE30 in a whole task it says nothing', () => {
  const task = `${'I want to cook something good for my friends at the weekend, find a nice recipe and tell me what to buy. '.repeat(3)}`;
  for (const { gives } of rankTools(task, indexOf(EVERYDAY), { count: 9 })) expect(Math.abs(gives.sense)).toBe(0);
});

test('SE30 a file that lost rows is refused, and words that are not in it say nothing', () => {
  const bytes = readFileSync(`${SELECTION_ASSETS}/senses.bin`);
  expect(() => new Senses(bytes.subarray(0, bytes.length - 1))).toThrow('senses.bin');
  expect(words.senses.of(['qzxqv', '__proto__', 'the', '天气']).every((x) => x === 0)).toBe(true);
});
