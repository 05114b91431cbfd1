import type { CapabilityRow } from '../../../shared/capability.ts';
import { BUILT_IN_AGENT } from '../../../shared/principal.ts';
import { TIERS, type Tier } from '../../../shared/tier.ts';
import type { FilterWords } from '../../stores/list-filters.ts';

export const STANDINGS = ['allowed', 'not_allowed', 'needs_review', 'changed', 'unavailable', 'partly_checked', 'excluded', 'flagged'] as const;
export type StandingFilter = (typeof STANDINGS)[number];

export interface CapabilityFilter {
  readonly words: string;
  readonly serverId: string | null;
  readonly tier: Tier | null;
  readonly standing: StandingFilter | null;
}

export const NO_FILTER: CapabilityFilter = { words: '', serverId: null, tier: null, standing: null };

const LONGEST_WORDS = 200;

/** In an address, `q=read&server=files&tier=read_only&standing=allowed`. */
export const CAPABILITY_FILTER: FilterWords<CapabilityFilter> = {
  read: (text) => {
    const fields = new URLSearchParams(text);
    return {
      words: (fields.get('q') ?? '').slice(0, LONGEST_WORDS),
      serverId: fields.get('server') || null,
      tier: TIERS.find((one) => one === fields.get('tier')) ?? null,
      standing: STANDINGS.find((one) => one === fields.get('standing')) ?? null,
    };
  },
  write: ({ words, serverId, tier, standing }) => {
    const fields = new URLSearchParams();
    if (words !== '') fields.set('q', words.slice(0, LONGEST_WORDS).toWellFormed());
    if (serverId !== null) fields.set('server', serverId);
    if (tier !== null) fields.set('tier', tier);
    if (standing !== null) fields.set('standing', standing);
    return fields.toString();
  },
};

export const isAllowed = (capability: Pick<CapabilityRow, 'grantedTo'>): boolean => capability.grantedTo.includes(BUILT_IN_AGENT);

/** Only what was admitted can be given to the agent; the rest waits for a review or cannot be used at all. */
export const mayBeAllowed = (capability: Pick<CapabilityRow, 'admitted' | 'schemaState' | 'kind'>): boolean => capability.admitted && capability.schemaState !== 'excluded' && capability.kind === 'tool';

const STANDS: Readonly<Record<StandingFilter, (c: CapabilityRow) => boolean>> = {
  allowed: isAllowed,
  not_allowed: (c) => !isAllowed(c),
  needs_review: (c) => c.needsReview,
  changed: (c) => c.changedFields.length > 0,
  unavailable: (c) => !c.available,
  partly_checked: (c) => c.schemaState === 'partly_checked',
  excluded: (c) => c.schemaState === 'excluded',
  flagged: (c) => c.flagCount > 0,
};

/** Every word has to be in the id, the title or the description; case does not count. */
export const filterCapabilities = (all: readonly CapabilityRow[], filter: CapabilityFilter): readonly CapabilityRow[] => {
  const words = filter.words.toLowerCase().split(/\s+/).filter((w) => w !== '');
  return all.filter((c) => {
    if (filter.serverId !== null && c.serverId !== filter.serverId) return false;
    if (filter.tier !== null && c.tier !== filter.tier) return false;
    if (filter.standing !== null && !STANDS[filter.standing](c)) return false;
    if (words.length === 0) return true;
    const text = `${c.id} ${c.title ?? ''} ${c.description ?? ''}`.toLowerCase();
    return words.every((w) => text.includes(w));
  });
};

export interface BulkChange {
  /** what the change would really move */
  readonly ids: readonly string[];
  readonly byTier: Readonly<Record<Tier, number>>;
  /** shown, but not to be allowed before a review */
  readonly leftOut: number;
}

/** What "allow" or "withdraw" would do to the rows on show: only those it changes, counted by tier. */
export const bulkChange = (shown: readonly CapabilityRow[], allow: boolean): BulkChange => {
  const moved = shown.filter((c) => (allow ? mayBeAllowed(c) && !isAllowed(c) : isAllowed(c)));
  const byTier: Record<Tier, number> = { read_only: 0, low_write: 0, high_write: 0, unknown: 0 };
  for (const c of moved) byTier[c.tier] += 1;
  return { ids: moved.map((c) => c.id), byTier, leftOut: allow ? shown.filter((c) => !mayBeAllowed(c)).length : 0 };
};
