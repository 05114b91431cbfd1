import { expect, test } from 'vitest';
import type { LogLine } from '../../../shared/server.ts';
import { logRows, mergedLines } from './log-lines.ts';

const line = (seq: number): LogLine => ({ seq, at: seq, source: 'stderr', text: String(seq) });

test('U17 lines read and lines heard meanwhile are shown once, in order', () => {
  expect(mergedLines([line(1), line(2)], [line(2), line(3)]).map((one) => one.seq)).toEqual([1, 2, 3]);
  expect(mergedLines([line(3)], [line(1), line(4)]).map((one) => one.seq)).toEqual([1, 3, 4]);
  expect(mergedLines([], [line(5)]).map((one) => one.seq)).toEqual([5]);
});

test('S76 a line that was repeated meanwhile is shown once, with the greater count, whichever was heard first', () => {
  const repeated = { ...line(2), count: 5, lastAt: 9 };
  expect(mergedLines([line(1), line(2)], [repeated])).toEqual([line(1), repeated]);
  expect(mergedLines([line(1), repeated], [line(2), line(3)])).toEqual([line(1), repeated, line(3)]);
});

test('C115 a window keeps a bounded number of lines, the first among them, and says where lines are missing', () => {
  let kept: readonly LogLine[] = [];
  for (let at = 1; at <= 50_000; at += 100) kept = mergedLines(kept, Array.from({ length: 100 }, (_, n) => line(at + n)));
  expect(kept).toHaveLength(5000);
  expect([kept[0]!.seq, kept.at(-1)!.seq]).toEqual([1, 50_000]);
  const rows = logRows(kept, '');
  expect(rows.filter((row) => row.kind === 'gap')).toEqual([{ kind: 'gap', before: 45_201, count: 45_000 }]);
  expect(logRows([line(4)], '')[0]).toEqual({ kind: 'gap', before: 4, count: 3 });
  expect(logRows([{ ...line(1), text: 'An ERROR here' }, line(2)], ' error ').map((row) => row.kind === 'line' && row.line.seq)).toEqual([1]);
});
