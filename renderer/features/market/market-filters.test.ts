import { expect, test } from 'vitest';
import { MARKET_FACETS } from '../../../shared/market-facets.ts';
import { filtersText, isNarrowed, NO_FILTERS, readFilters, toggled, type MarketFilters } from './market-filters.ts';

test.each<MarketFilters>([
  NO_FILTERS,
  { query: '文件 & search=a?#/%', facets: { kind: ['npm', 'remote'], tier: ['unknown'] }, sort: 'size' },
  { query: 'x', facets: { category: [...MARKET_FACETS.category], presence: ['update'] }, sort: 'best' },
])('U80 what the list is narrowed by is read back from its address as it was: %j', (filters) => {
  expect(readFilters(filtersText(filters))).toEqual(filters);
});

test('U80 values of another version and rubbish in an address narrow nothing', () => {
  expect(readFilters('kind=npm,vessel&tier=&sort=luck&q=a&__proto__=x&constructor=y')).toEqual({ query: 'a', facets: { kind: ['npm'] }, sort: 'best' });
  expect(filtersText(NO_FILTERS)).toBe('');
  expect(readFilters(filtersText({ ...NO_FILTERS, query: `${'x'.repeat(500)}\ud800` })).query).toHaveLength(200);
  expect(readFilters(filtersText({ ...NO_FILTERS, query: 'a\ud800' })).query).toBe('a\ufffd');
});

test('U80 a tick is taken back by a second one, and an empty facet is none', () => {
  const once = toggled({ tier: ['unknown'] }, 'kind', 'remote');
  expect(toggled(once, 'kind', 'npm')).toEqual({ tier: ['unknown'], kind: ['npm', 'remote'] });
  expect(toggled(once, 'kind', 'remote')).toEqual({ tier: ['unknown'] });
  expect([isNarrowed({ ...NO_FILTERS, sort: 'name' }), isNarrowed({ ...NO_FILTERS, facets: once }), isNarrowed({ ...NO_FILTERS, query: ' ' })]).toEqual([false, true, false]);
});
