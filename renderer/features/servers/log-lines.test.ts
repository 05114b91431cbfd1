import { expect, test } from 'vitest';
import type { LogLine } from '../../../shared/server.ts';
import { mergedLines } from './log-lines.ts';

const line = (seq: number): LogLine => ({ seq, at: seq, source: 'stderr', text: String(seq) });

test('U17 lines read and lines heard meanwhile are shown once, in order', () => {
  expect(mergedLines([line(1), line(2)], [line(2), line(3)]).map((one) => one.seq)).toEqual([1, 2, 3]);
  expect(mergedLines([line(3)], [line(1), line(4)]).map((one) => one.seq)).toEqual([1, 3, 4]);
  expect(mergedLines([], [line(5)]).map((one) => one.seq)).toEqual([5]);
});
