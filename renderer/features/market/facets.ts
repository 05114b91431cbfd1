import { ENTRY_KINDS, type EntryKind, type MarketEntry } from '../../../shared/market.ts';
import { MARKET_CATEGORIES } from '../../../shared/market-categories.ts';
import type { Tier } from '../../../shared/tier.ts';

export const KINDS = ENTRY_KINDS;
export const NEEDS = ['nothing', 'settings', 'key'] as const;
export const HIGHEST = ['read_only', 'low_write', 'high_write', 'unknown'] as const satisfies readonly Tier[];
export type Kind = EntryKind;
export type Need = (typeof NEEDS)[number];

/** Ticked values of each facet; none ticked lets all through. */
export interface PickedFacets {
  readonly kind: readonly Kind[];
  readonly needs: readonly Need[];
  readonly tier: readonly Tier[];
}
export const NO_FACETS: PickedFacets = { kind: [], needs: [], tier: [] };

/** What has to be given before it can start: a secret, another required value, or nothing. */
export const needOf = (entry: MarketEntry): Need => (entry.inputs.some((input) => input.required && input.secret) ? 'key' : entry.inputs.some((input) => input.required && input.default === undefined) ? 'settings' : 'nothing');

export interface FacetCounts {
  readonly kind: Readonly<Record<Kind, number>>;
  readonly needs: Readonly<Record<Need, number>>;
  readonly tier: Readonly<Record<Tier, number>>;
}
export const facetCounts = (entries: readonly MarketEntry[]): FacetCounts => {
  const count = <K extends string>(keys: readonly K[], of: (entry: MarketEntry) => K): Record<K, number> =>
    Object.fromEntries(keys.map((key) => [key, entries.filter((entry) => of(entry) === key).length])) as Record<K, number>;
  return { kind: count(KINDS, (entry) => entry.kind), needs: count(NEEDS, needOf), tier: count(HIGHEST, (entry) => entry.highestTier) };
};

const wordsOf = (entry: MarketEntry): string => [entry.name, entry.publisher, entry.description.en, entry.description.zh, entry.id, ...entry.categories.flatMap((name) => [name, MARKET_CATEGORIES[name].en, MARKET_CATEGORIES[name].zh])].join(' ').normalize('NFKC').toLowerCase();

/** Entries in which every word occurs and which every facet lets through, in the given order. */
export const picked = (entries: readonly MarketEntry[], query: string, facets: PickedFacets): readonly MarketEntry[] => {
  const words = query.normalize('NFKC').toLowerCase().split(/\s+/).filter((word) => word !== '');
  return entries.filter(
    (entry) =>
      (facets.kind.length === 0 || facets.kind.includes(entry.kind)) &&
      (facets.needs.length === 0 || facets.needs.includes(needOf(entry))) &&
      (facets.tier.length === 0 || facets.tier.includes(entry.highestTier)) &&
      words.every((word) => wordsOf(entry).includes(word)),
  );
};
