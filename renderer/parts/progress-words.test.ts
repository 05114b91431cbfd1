import { expect, test } from 'vitest';
import { progressWords } from './progress-words.ts';

test('QU20 progress with a total is told with its amount and its share, without one as an amount alone', () => {
  expect(progressWords({ progress: 3, total: 12 }, 'en')).toEqual({ key: 'of', done: '3', total: '12', share: 0.25 });
  expect(progressWords({ progress: 1234.5678, total: 5000 }, 'en')).toMatchObject({ done: '1,234.57', total: '5,000' });
  expect(progressWords({ progress: 7 }, 'en')).toEqual({ key: 'at', done: '7' });
});

test('QU20 odd numbers of a server make no share: more than the total, less than nothing, no total, nothing at all', () => {
  expect(progressWords({ progress: 30, total: 12 }, 'en')).toEqual({ key: 'at', done: '30' });
  expect(progressWords({ progress: -1, total: 12 }, 'en')).toEqual({ key: 'at', done: '-1' });
  expect(progressWords({ progress: 0, total: 0 }, 'en')).toEqual({ key: 'at', done: '0' });
  expect(progressWords({}, 'en')).toEqual({ key: 'none' });
});
