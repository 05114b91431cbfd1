import { expect, test } from 'vitest';
import type { CapabilityRow } from '../../../shared/capability.ts';
import { filtered, isGrantable } from './capability-filter.ts';

const capability = (part: Partial<CapabilityRow>): CapabilityRow => ({
  id: `mcp:s:${part.kind ?? 'tool'}:${part.name ?? 'x'}`, serverId: 's', kind: 'tool', name: 'x', schemaState: 'checked', tier: 'read_only',
  admitted: true, needsReview: false, changedFields: [], grantedTo: [], available: true, flagCount: 0, ...part,
});
const all = [
  capability({ name: 'write', tier: 'high_write', grantedTo: ['agent:default'] }),
  capability({ name: 'read', description: 'Reads one file' }),
  capability({ name: 'notes', kind: 'resource' }),
  capability({ name: 'odd', schemaState: 'excluded', changedFields: ['description'], needsReview: true, admitted: false }),
];
const names = (part: object): string[] => filtered(all, { text: '', tier: 'all', show: 'all', ...part }).map((one) => one.name);

test('U16 a filter narrows by words, tier and state; tools come first, each kind by name', () => {
  expect(names({})).toEqual(['odd', 'read', 'write', 'notes']);
  expect(names({ text: 'FILE reads' })).toEqual(['read']);
  expect(names({ tier: 'high_write' })).toEqual(['write']);
  expect(names({ show: 'allowed' })).toEqual(['write']);
  expect(names({ show: 'changed' })).toEqual(['odd']);
  expect(names({ show: 'leftOut' })).toEqual(['odd']);
});

test('U16 only what is admitted and usable can be switched on', () => {
  expect(all.filter(isGrantable).map((one) => one.name)).toEqual(['write', 'read']);
});
