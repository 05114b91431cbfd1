import { expect, test } from 'vitest';
import { inTurns } from './in-turns.ts';

test('M76 long work lets others in while it goes on, and short work is done in one turn', async () => {
  const heard: number[] = [];
  let done = 0;
  function* work(slices: number): Generator<void, string> {
    for (done = 0; done < slices; done += 1) {
      const until = performance.now() + 1;
      while (performance.now() < until);
      yield;
    }
    return 'done';
  }
  const tick = (): void => {
    heard.push(done);
    if (done < 60) setImmediate(tick);
  };
  setImmediate(tick);
  expect(await inTurns(work(60))).toBe('done');
  expect(heard.filter((at) => at > 0 && at < 60).length).toBeGreaterThan(2);
  heard.length = 0;
  setImmediate(() => heard.push(0));
  expect(await inTurns(work(1))).toBe('done');
  expect(heard).toEqual([]);
});
