import { expect, test } from 'vitest';
import { isNarrowed, NO_RUN_FILTER, RUN_FILTER, runQuery } from './run-filter.ts';

test('U97 the filters of the runs are read back from their address; what there is not narrows nothing', () => {
  for (const filter of [NO_RUN_FILTER, { words: '读 & q=1', standing: 'unclear', serverId: 'a b', capabilityId: 'mcp:a b:tool:x&y=%', from: '2026-02-28', to: '2026-03-01' } as const]) expect(RUN_FILTER.read(RUN_FILTER.write(filter))).toEqual(filter);
  expect(RUN_FILTER.write(NO_RUN_FILTER)).toBe('');
  expect(RUN_FILTER.read('state=constructor&server=&from=2026-02-30&to=yesterday&q=a')).toEqual({ ...NO_RUN_FILTER, words: 'a' });
});

test('U97 days are those of the person, both included', () => {
  const day = { ...NO_RUN_FILTER, from: '2026-11-30', to: '2026-11-30' };
  expect(runQuery(day)).toEqual({ from: new Date(2026, 10, 30).getTime(), to: new Date(2026, 11, 1).getTime() });
  expect(runQuery({ ...NO_RUN_FILTER, words: '  ' })).toEqual({});
  expect([isNarrowed(NO_RUN_FILTER), isNarrowed({ ...NO_RUN_FILTER, words: ' ' }), isNarrowed(day)]).toEqual([false, false, true]);
});
