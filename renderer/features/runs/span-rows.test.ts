import { expect, test } from 'vitest';
import type { RunSpan } from '../../../shared/run-span.ts';
import { spanRows } from './span-rows.ts';

const span = (id: string, parent: string | null, kind: RunSpan['kind'], startedAt: number, endedAt: number | null): RunSpan => ({ id, parent, kind, startedAt, endedAt, outcome: null, failed: false });
const SPANS = [span('t1', null, 'turn', 100, 200), span('m1', 't1', 'model', 100, 150), span('c1', 't1', 'call', 150, 200), span('a1', 'c1', 'attempt', 160, 200), span('t2', null, 'turn', 200, null)];
const drawn = (toggled: readonly string[]): string => spanRows(SPANS, new Set(toggled), { startedAt: 100, until: 300 }).map(({ span: { id }, depth, open, from, share }) => `${'-'.repeat(depth)}${id}${open ? ' open' : ''} ${from}/${share}`).join(', ');

test('RV01 turns are open and calls closed at first; what has not ended reaches to now', () => {
  expect(drawn([])).toBe('t1 open 0/0.5, -m1 0/0.25, -c1 0.25/0.25, t2 0.5/0.5');
  expect(drawn(['c1'])).toBe('t1 open 0/0.5, -m1 0/0.25, -c1 open 0.25/0.25, --a1 0.3/0.2, t2 0.5/0.5');
  expect(drawn(['t1'])).toBe('t1 0/0.5, t2 0.5/0.5');
});

test('RV01 a turn goes on while a call of it does, and ends with the last', () => {
  const ends = (until: number | null) => spanRows([span('t', null, 'turn', 100, 110), span('a', 't', 'call', 105, 180), span('b', 't', 'call', 105, until)], new Set(), { startedAt: 100, until: 300 })[0];
  expect(ends(null)).toMatchObject({ span: { endedAt: null }, share: 1 });
  expect(ends(140)).toMatchObject({ span: { endedAt: 180 }, share: 0.4 });
});
