import type { CapabilityRow } from '../../../shared/capability.ts';
import { BUILT_IN_AGENT } from '../../../shared/principal.ts';
import type { Tier } from '../../../shared/tier.ts';

export const SHOWS = ['all', 'allowed', 'notAllowed', 'needsReview', 'changed', 'leftOut', 'unavailable'] as const;
export type Show = (typeof SHOWS)[number];

export interface CapabilityFilter {
  readonly text: string;
  readonly tier: Tier | 'all';
  readonly show: Show;
}

export const isAllowed = (capability: CapabilityRow): boolean => capability.grantedTo.includes(BUILT_IN_AGENT);

/** What a switch can turn on: admitted, with a schema that can be used, of a kind the agent calls. */
export const isGrantable = (capability: CapabilityRow): boolean => capability.kind === 'tool' && capability.admitted && capability.schemaState !== 'excluded';

const shows = (capability: CapabilityRow, show: Show): boolean => {
  switch (show) {
    case 'all':
      return true;
    case 'allowed':
      return isAllowed(capability);
    case 'notAllowed':
      return !isAllowed(capability);
    case 'needsReview':
      return capability.needsReview;
    case 'changed':
      return capability.changedFields.length > 0;
    case 'leftOut':
      return capability.schemaState === 'excluded';
    case 'unavailable':
      return !capability.available;
  }
};

const KINDS = { tool: 0, resource: 1, prompt: 2 } as const;

/** One server's capabilities that pass the filter: tools, then resources, then prompts, each by name. */
export const filtered = (all: readonly CapabilityRow[], filter: CapabilityFilter): readonly CapabilityRow[] => {
  const words = filter.text.toLowerCase().split(/\s+/).filter((word) => word !== '');
  return all
    .filter((one) => (filter.tier === 'all' || one.tier === filter.tier) && shows(one, filter.show))
    .filter((one) => words.every((word) => `${one.id} ${one.title ?? ''} ${one.description ?? ''}`.toLowerCase().includes(word)))
    .toSorted((a, b) => KINDS[a.kind] - KINDS[b.kind] || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
};
