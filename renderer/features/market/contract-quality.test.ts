import { expect, test } from 'vitest';
import type { ObservedTool } from '../../../shared/market-observed.ts';
import { contractQuality } from './contract-quality.ts';

const tool = (name: string, part: Partial<ObservedTool> = {}): ObservedTool => ({ name, definitionFingerprint: '0'.repeat(64), schemaState: 'checked', ...part });

test('U84 the quality of the contracts is counted over every tool that was observed', () => {
  const tools = [
    tool('a', { outputSchema: true, annotations: { readOnlyHint: false } }),
    tool('b', { outputSchema: false, annotations: { title: 'no hint', readOnlyHint: 'yes' } }),
    tool('c', { outputSchema: false, schemaState: 'partly_checked', defects: ['pattern'] }),
    tool('d', { outputSchema: true, schemaState: 'excluded' }),
  ];
  expect(contractQuality({ tools })).toEqual({ total: 4, states: { checked: 2, partly_checked: 1, excluded: 1 }, output: 2, hints: 1, odd: tools.slice(2) });
});

test('U84 what an older record does not say is unknown, not zero', () => {
  expect(contractQuality({ tools: [tool('a', { outputSchema: true }), tool('b')] }).output).toBeNull();
});
