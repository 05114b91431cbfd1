import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallProgress } from '../../shared/call.ts';
import { ProgressNotes } from './progress-notes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const open = () => {
  const told: CallProgress[] = [];
  const written: Readonly<Record<string, unknown>>[] = [];
  const clock = { now: () => Date.now(), monotonic: () => Date.now() };
  const notes = new ProgressNotes({ clock, filter: { text: (text: string) => text.replaceAll('hunter2', '***') }, write: (data) => written.push(data), tell: (progress) => told.push(progress) });
  return { notes, told, written };
};

test('QU22 a flood of progress reaches windows four times a second, the last report included, and nothing after the end', () => {
  const { notes, told, written } = open();
  for (let step = 0; step <= 1_000; step += 1) {
    notes.add({ progress: step, total: 1_000 });
    vi.advanceTimersByTime(1);
  }
  expect(told.length).toBeLessThanOrEqual(5);
  vi.advanceTimersByTime(1_000);
  expect(told.at(-1)).toEqual({ progress: 1_000, total: 1_000, message: undefined, reports: 1_001 });
  expect(written).toHaveLength(1);
  const before = told.length;
  notes.add({ progress: 1 });
  notes.add({ progress: 2 });
  notes.end();
  vi.advanceTimersByTime(1_000);
  expect(told.length).toBeLessThanOrEqual(before + 1);
  expect(told.at(-1)!.progress).not.toBe(2);
});

test('QU22 what windows are told of progress is filtered and bounded like the record', () => {
  const { notes, told } = open();
  notes.add({ progress: Number.NaN, total: Number.POSITIVE_INFINITY, message: `hunter2 ${'x'.repeat(500)}` });
  expect(told[0]!.message).toMatch(/^\*\*\* x/);
  expect(told[0]!.message).toHaveLength(200);
  expect(told[0]).toMatchObject({ progress: undefined, total: undefined, reports: 1 });
});
