import { expect, test } from 'vitest';
import { withProgress } from './step-progress.mjs';

const step = { begins: 'Building it.', name: 'Building it', ends: 'It is built.', everyMs: 1 };

test('I49 a long step says that it begins, how far it is while it lasts, and that it has ended', async () => {
  const said: string[] = [];
  let twice = (): void => {};
  const heard = new Promise<void>((resolve) => { twice = resolve; });
  const log = (line: string): void => {
    said.push(line);
    if (said.length === 3) twice();
  };
  let done = 0;
  expect(await withProgress({ ...step, log, countDone: () => `${++done} of 9 packages, ` }, () => heard.then(() => 'whole'))).toBe('whole');
  expect(said[0]).toBe('Building it.');
  expect(said.slice(1, 3)).toEqual([expect.stringMatching(/^Building it: 1 of 9 packages, \d+ s so far\.$/), expect.stringMatching(/^Building it: 2 of 9 packages, \d+ s so far\.$/)]);
  expect(said.at(-1)).toMatch(/^It is built\. \(\d+ s\)$/);
});

test('I49 a step that fails says no end, and nothing after it', async () => {
  const said: string[] = [];
  await expect(withProgress({ ...step, everyMs: 60_000, log: (line) => void said.push(line) }, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(said).toEqual(['Building it.']);
});
