import { expect, test } from 'vitest';
import { clockTime, countdown, dayOf, duration, exactTime, isoTime, minuteOf, relativeTime } from './times.ts';

test('U59 times are relative in the user\'s language, and beyond a week a date', () => {
  const now = Date.UTC(2026, 10, 29, 12);
  expect(relativeTime(now - 240_000, now, 'en')).toBe('4 minutes ago');
  expect(relativeTime(now - 240_000, now, 'zh')).toBe('4 分钟前');
  expect(relativeTime(now - 400, now, 'en')).toBe('now');
  expect(relativeTime(now + 3_700_000, now, 'en')).toBe('in 1 hour');
  expect(relativeTime(now - 30 * 86_400_000, now, 'en')).toMatch(/2026/);
});

test('U59 amounts of time carry their unit', () => {
  expect(duration(214, 'en')).toBe('0.21 s');
  expect(duration(200_000, 'en')).toBe('3 min 20 s');
  expect(duration(4.2, 'en')).toBe('4.2 ms');
  expect(duration(42.4, 'en')).toBe('42 ms');
  expect(duration(200_000, 'zh')).toBe('3 分 20 秒');
  expect([60_000, 3_600_000, 5_400_000].map((ms) => [duration(ms, 'en'), duration(ms, 'zh')])).toEqual([['1 min', '1 分钟'], ['1 h', '1 小时'], ['1 h 30 min', '1 小时 30 分']]);
  expect(countdown(271_000)).toBe('4:31');
  expect(countdown(-5)).toBe('0:00');
});

test('U151 what is no time is a dash, whatever asks for it', () => {
  for (const at of [1e300, -1e300, 8.64e15 + 1, Number.NaN]) expect([relativeTime(at, 0, 'en'), exactTime(at, 'zh'), clockTime(at), dayOf(at, 'en'), minuteOf(at, 'en'), isoTime(at)]).toEqual(['–', '–', '–', '–', '–', undefined]);
  expect(isoTime(8.64e15)).toBe('+275760-09-13T00:00:00.000Z');
});
