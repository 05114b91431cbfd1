import { expect, test } from 'vitest';
import type { LogLine } from '../../../shared/server.ts';
import { linesOf, logRows, mergedLines, NO_LINES, withHeard, withRead } from './log-lines.ts';

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

const run = (from: number, count: number): LogLine[] => Array.from({ length: count }, (_, n) => line(from + n));

test('C115 a window keeps a bounded number of lines, what the host holds of a flood among them however long it goes on, and says where lines are missing', () => {
  let kept = withHeard(NO_LINES, run(1, 100)).lines;
  // the host holds the start, the failure in the middle and the latest
  const heldAt = (last: number): LogLine[] => [...run(1, 50), line(9000), ...run(last - 1999, 2000)];
  for (let at = 10_001; at <= 60_000; at += 100) {
    const heard = withHeard(kept, run(at, 100));
    kept = heard.lines;
    if (heard.isCut) kept = withRead(kept, heldAt(at + 99));
  }
  const lines = linesOf(kept);
  expect(lines.length).toBeLessThanOrEqual(5051);
  expect(lines.slice(0, 51).map(({ seq }) => seq)).toEqual([...run(1, 50), line(9000)].map(({ seq }) => seq));
  expect(lines.at(-1)!.seq).toBe(60_000);
  const gaps = logRows(lines, '').filter((row) => row.kind === 'gap');
  expect(gaps.map(({ before }) => before)).toEqual([9000, lines[51]!.seq]);
  expect(gaps.reduce((sum, { count }) => sum + count, 0) + lines.length).toBe(60_000);
  expect(logRows([line(4)], '')[0]).toEqual({ kind: 'gap', before: 4, count: 3 });
  expect(logRows([{ ...line(1), text: 'An ERROR here' }, line(2)], ' error ').map((row) => row.kind === 'line' && row.line.seq)).toEqual([1]);
});

test('C115 a window that cut what it heard says so, so that what the host kept of it is read; what was read earlier stays as long as there is room', () => {
  let cuts = 0;
  let kept = NO_LINES;
  for (let at = 1; at <= 5600; at += 100) {
    const heard = withHeard(kept, run(at, 100));
    kept = heard.lines;
    if (heard.isCut) cuts += 1;
  }
  expect(cuts).toBe(2);
  const twice = withRead(withRead(NO_LINES, run(1, 500)), run(400, 500));
  expect(linesOf(twice).map(({ seq }) => seq)).toEqual(run(1, 899).map(({ seq }) => seq));
});
