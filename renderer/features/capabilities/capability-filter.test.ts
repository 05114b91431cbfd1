import { expect, test } from 'vitest';
import type { CapabilityRow } from '../../../shared/capability.ts';
import { bulkChange, CAPABILITY_FILTER, filterCapabilities, NO_FILTER } from './capability-filter.ts';

const capability = (name: string, more: Partial<CapabilityRow> = {}): CapabilityRow => ({
  id: `mcp:files:tool:${name}`, serverId: 'files', kind: 'tool', name, schemaState: 'checked',
  tier: 'read_only', admitted: true, needsReview: false, changedFields: [], grantedTo: [], available: true, flagCount: 0, ...more,
});
const all = [
  capability('read_file'), capability('write_file', { tier: 'high_write', grantedTo: ['agent:default'] }), capability('odd', { admitted: false, needsReview: true, tier: 'unknown' }),
  capability('query', { id: 'mcp:notes:tool:query', serverId: 'notes', schemaState: 'excluded', admitted: false }),
];
const none = NO_FILTER;

test('U66 rows are filtered by words, server, tier and standing together', () => {
  expect(filterCapabilities(all, { ...none, words: 'FILE write' }).map((c) => c.name)).toEqual(['write_file']);
  expect(filterCapabilities(all, { ...none, serverId: 'notes' }).map((c) => c.name)).toEqual(['query']);
  expect(filterCapabilities(all, { ...none, standing: 'needs_review' }).map((c) => c.name)).toEqual(['odd']);
  expect(filterCapabilities(all, { ...none, standing: 'allowed', tier: 'read_only' })).toEqual([]);
});

test('U66 a bulk change names only what it moves, and what has to be reviewed first', () => {
  expect(bulkChange(all, true)).toEqual({ ids: ['mcp:files:tool:read_file'], byTier: { read_only: 1, low_write: 0, high_write: 0, unknown: 0 }, leftOut: 2 });
  expect(bulkChange(all, false)).toMatchObject({ ids: ['mcp:files:tool:write_file'], leftOut: 0 });
});

test('U80 the filters of the capabilities are read back from their address; what there is not narrows nothing', () => {
  for (const filter of [NO_FILTER, { words: '读 & q=1', serverId: 'a b', tier: 'unknown', standing: 'changed' } as const]) expect(CAPABILITY_FILTER.read(CAPABILITY_FILTER.write(filter))).toEqual(filter);
  expect(CAPABILITY_FILTER.write(NO_FILTER)).toBe('');
  expect(CAPABILITY_FILTER.read('server=&tier=constructor&standing=toString&q=a')).toEqual({ ...NO_FILTER, words: 'a' });
});
