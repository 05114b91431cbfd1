import { expect, test } from 'vitest';
import { CAPABILITY_FILTER, capabilityQuery, NO_FILTER } from './capability-filter.ts';

test('U66 the host is asked for what the filter says, and for nothing that it does not say', () => {
  expect(capabilityQuery(NO_FILTER)).toEqual({});
  expect(capabilityQuery({ words: ' read  file ', serverId: 'files', kind: 'resource', tier: 'unknown', standing: 'changed' })).toEqual({ words: 'read  file', serverId: 'files', kind: 'resource', tier: 'unknown', standing: 'changed' });
});

test('U80 the filters of the capabilities are read back from their address; what there is not narrows nothing', () => {
  for (const filter of [NO_FILTER, { words: '读 & q=1', serverId: 'a b', kind: 'prompt', tier: 'unknown', standing: 'changed' } as const]) expect(CAPABILITY_FILTER.read(CAPABILITY_FILTER.write(filter))).toEqual(filter);
  expect(CAPABILITY_FILTER.write(NO_FILTER)).toBe('');
  expect(CAPABILITY_FILTER.read('server=&kind=toString&tier=constructor&standing=toString&q=a')).toEqual({ ...NO_FILTER, words: 'a' });
});
