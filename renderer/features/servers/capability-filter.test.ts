import { expect, test } from 'vitest';
import type { CapabilityRow } from '../../../shared/capability.ts';
import { capabilityQuery, isAllowed, isGrantable, NO_FILTER } from './capability-filter.ts';

const row = (more: Partial<CapabilityRow>): CapabilityRow => ({
  id: 'mcp:files:tool:read', serverId: 'files', kind: 'tool', name: 'read', schemaState: 'checked', tier: 'read_only', admitted: true, needsReview: false, changedFields: [], grantedTo: [], available: true, flagCount: 0, ...more,
});

test('U16 the host is asked for one server by words, tier and state', () => {
  expect(capabilityQuery('files', NO_FILTER)).toEqual({ serverId: 'files' });
  expect(capabilityQuery('files', { text: ' read ', kind: 'tool', tier: 'unknown', show: 'leftOut' })).toEqual({ serverId: 'files', words: 'read', kind: 'tool', tier: 'unknown', standing: 'excluded' });
  expect((['allowed', 'notAllowed', 'needsReview', 'changed', 'unavailable'] as const).map((show) => capabilityQuery('a', { ...NO_FILTER, show }).standing)).toEqual(['allowed', 'not_allowed', 'needs_review', 'changed', 'unavailable']);
});

test('U16 only what is admitted and usable can be switched on', () => {
  expect([row({}), row({ admitted: false }), row({ schemaState: 'excluded' }), row({ schemaState: 'partly_checked' }), row({ kind: 'prompt' })].map(isGrantable)).toEqual([true, false, false, true, false]);
  expect([row({ grantedTo: ['agent:default'] }), row({ grantedTo: ['agent:other'] })].map(isAllowed)).toEqual([true, false]);
});
