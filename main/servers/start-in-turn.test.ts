import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startInTurn } from './start-in-turn.ts';

test('S60 a handful starts at once; a crowd starts after a pause, in order, a few at a time', async () => {
  let running = 0;
  let most = 0;
  const begun: number[] = [];
  const start = async (one: number): Promise<void> => {
    begun.push(one);
    running += 1;
    most = Math.max(most, running);
    await pause(5);
    running -= 1;
  };
  const few = startInTurn([1, 2, 3], start, { atOnce: 3, firstAfterMs: 60_000, turnMs: 1000 });
  expect(begun).toEqual([1, 2, 3]);
  await few;
  const many = startInTurn([4, 5, 6, 7, 8, 9], start, { atOnce: 3, firstAfterMs: 20, turnMs: 1000 });
  expect(begun).toEqual([1, 2, 3]);
  await many;
  expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(most).toBe(3);
});

test('S60 one that hangs at its start does not keep the others from theirs', async () => {
  const begun: number[] = [];
  const start = (one: number): Promise<void> => {
    begun.push(one);
    return one < 2 ? new Promise(() => {}) : Promise.resolve();
  };
  await startInTurn([0, 1, 2, 3, 4], start, { atOnce: 2, firstAfterMs: 0, turnMs: 30 });
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});
