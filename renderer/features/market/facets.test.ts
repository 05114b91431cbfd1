import { expect, test } from 'vitest';
import type { MarketEntry } from '../../../shared/market.ts';
import { facetCounts, needOf, NO_FACETS, picked } from './facets.ts';

const entry = (part: Partial<MarketEntry>): MarketEntry => ({
  id: 'x', name: 'X', publisher: 'p', description: { en: '', zh: '' }, kind: 'npm', transport: 'stdio', spec: { kind: 'npm', package: 'x' }, inputs: [], licence: 'MIT', categories: [], highestTier: 'read_only', verified: true,
  source: [{ facts: ['package'], from: 'npm_metadata', ref: 'x@1.0.0' }], checkedAt: '', reviewer: '', reviewedTools: [], observed: null, installedServerIds: [], ...part,
});
const input = { target: 'env' as const, name: 'K', label: { en: '', zh: '' }, required: true, secret: true, format: 'string' as const, repeated: false };
const all = [
  entry({ id: 'environment', name: 'Environment', kind: 'builtin', spec: { kind: 'builtin', name: 'environment' }, description: { en: 'Facts about this computer', zh: '本机信息' } }),
  entry({ id: 'files', name: 'Files', highestTier: 'high_write', inputs: [{ ...input, secret: false }] }),
  entry({ id: 'notes', name: 'Notes', highestTier: 'high_write', inputs: [input], categories: ['documents'] }),
];

test('U18 the market counts each facet and says what an app needs before it can start', () => {
  expect(all.map(needOf)).toEqual(['nothing', 'settings', 'key']);
  expect(facetCounts(all)).toMatchObject({ kind: { builtin: 1, npm: 2, remote: 0 }, tier: { read_only: 1, high_write: 2 } });
});

test('U18 search looks at names, descriptions in both languages and categories, and facets narrow it', () => {
  const ids = (query: string, facets = NO_FACETS): string[] => picked(all, query, facets).map((one) => one.id);
  expect(ids('本机')).toEqual(['environment']);
  expect(ids('DOCUMENTS notes')).toEqual(['notes']);
  expect(ids('文档')).toEqual(['notes']);
  expect(ids('', { ...NO_FACETS, tier: ['high_write'], needs: ['key'] })).toEqual(['notes']);
  expect(ids('nothing like it')).toEqual([]);
});
