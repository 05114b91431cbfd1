import type { PickedFacets } from '../../../shared/market-view.ts';
import { FACET_NAMES, MARKET_FACETS, MARKET_SORTS, type FacetName, type MarketSort } from '../../../shared/market-facets.ts';
import type { FilterWords } from '../../stores/list-filters.ts';

/** What the person has typed, ticked and chosen. */
export interface MarketFilters {
  readonly query: string;
  readonly facets: PickedFacets;
  readonly sort: MarketSort;
}
export const NO_FILTERS: MarketFilters = { query: '', facets: {}, sort: 'best' };

const LONGEST_QUERY = 200;

/** As it stands in an address, `kind=npm,remote&q=files`; empty where nothing is narrowed. */
export const filtersText = ({ query, facets, sort }: MarketFilters): string => {
  const fields = new URLSearchParams();
  if (query !== '') fields.set('q', query.slice(0, LONGEST_QUERY).toWellFormed());
  for (const name of FACET_NAMES) if ((facets[name]?.length ?? 0) > 0) fields.set(name, facets[name]!.join(','));
  if (sort !== 'best') fields.set('sort', sort);
  return fields.toString();
};

/** What was written there. Values that there are not, as from another version, are left out. */
export const readFilters = (text: string): MarketFilters => {
  const fields = new URLSearchParams(text);
  const facets = Object.fromEntries(
    FACET_NAMES.flatMap((name) => {
      const known = MARKET_FACETS[name] as readonly string[];
      const values = known.filter((value) => fields.get(name)?.split(',').includes(value));
      return values.length === 0 ? [] : [[name, values]];
    }),
  ) as PickedFacets;
  const sort = MARKET_SORTS.find((one) => one === fields.get('sort')) ?? 'best';
  return { query: (fields.get('q') ?? '').slice(0, LONGEST_QUERY), facets, sort };
};

export const MARKET_FILTERS: FilterWords<MarketFilters> = { read: readFilters, write: filtersText };

export const isNarrowed = ({ query, facets }: MarketFilters): boolean => query.trim() !== '' || FACET_NAMES.some((name) => (facets[name]?.length ?? 0) > 0);

/** With one value ticked or unticked; values stay in the order of the facet. */
export const toggled = (facets: PickedFacets, name: FacetName, value: string): PickedFacets => {
  const before: readonly string[] = facets[name] ?? [];
  const after = (MARKET_FACETS[name] as readonly string[]).filter((one) => (one === value ? !before.includes(one) : before.includes(one)));
  const { [name]: _, ...others } = facets;
  return after.length === 0 ? others : { ...others, [name]: after };
};
