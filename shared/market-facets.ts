import { MARKET_CATEGORY_NAMES } from './market-categories.ts';
import { TIERS } from './tier.ts';

/** Where an app comes from. `pypi` and `oci` are launched by a program that has to be there (`uvx`, `docker`); `remote` runs elsewhere. */
export const ENTRY_KINDS = ['builtin', 'npm', 'pypi', 'oci', 'remote', 'command'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** What the list of the market can be narrowed by. An entry may have several values of `category`, `standing` and `presence`. */
export const MARKET_FACETS = {
  kind: ENTRY_KINDS,
  needs: ['nothing', 'settings', 'key'],
  standing: ['reviewed', 'connected', 'unverified', 'withdrawn'],
  tier: TIERS,
  presence: ['installed', 'update', 'absent'],
  category: MARKET_CATEGORY_NAMES,
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type FacetName = keyof typeof MARKET_FACETS;
export type FacetValue<F extends FacetName> = (typeof MARKET_FACETS)[F][number];
export const FACET_NAMES = Object.keys(MARKET_FACETS) as readonly FacetName[];

/** Best match first; by name; last looked at first; smallest on disk first, what was never measured last. */
export const MARKET_SORTS = ['best', 'name', 'checked', 'size'] as const;
export type MarketSort = (typeof MARKET_SORTS)[number];

/** Cards of one page of a window's list; a usual window shows fewer. */
export const MARKET_PAGE = 24;

/** Answers to what was typed lately that a window keeps: who takes letters back has them at once. */
export const KEPT_ANSWERS = 16;
