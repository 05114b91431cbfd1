import type { CapabilityRow } from '../../../shared/capability.ts';
import type { CapabilityKind } from '../../../shared/capability-id.ts';
import type { CapabilityStanding } from '../../../shared/capability-standings.ts';
import type { InputOf } from '../../../shared/contract/contract.ts';
import { BUILT_IN_AGENT } from '../../../shared/principal.ts';
import type { Tier } from '../../../shared/tier.ts';

export const SHOWS = ['all', 'allowed', 'notAllowed', 'needsReview', 'changed', 'leftOut', 'unavailable'] as const;
export type Show = (typeof SHOWS)[number];

export interface CapabilityFilter {
  readonly text: string;
  readonly kind: CapabilityKind | 'all';
  readonly tier: Tier | 'all';
  readonly show: Show;
}
export const NO_FILTER: CapabilityFilter = { text: '', kind: 'all', tier: 'all', show: 'all' };

export const isAllowed = (capability: CapabilityRow): boolean => capability.grantedTo.includes(BUILT_IN_AGENT);

/** What a switch can turn on: admitted, with a schema that can be used, of a kind that the agent uses. */
export const isGrantable = (capability: CapabilityRow): boolean => capability.kind !== 'prompt' && capability.admitted && capability.schemaState !== 'excluded';

const STANDINGS: Readonly<Record<Show, CapabilityStanding | null>> = { all: null, allowed: 'allowed', notAllowed: 'not_allowed', needsReview: 'needs_review', changed: 'changed', leftOut: 'excluded', unavailable: 'unavailable' };

/** As the host is asked for one server's capabilities that pass the filter. */
export const capabilityQuery = (serverId: string, { text, kind, tier, show }: CapabilityFilter): Pick<InputOf<'capabilities:rows'>, 'serverId' | 'words' | 'kind' | 'tier' | 'standing'> => {
  const standing = STANDINGS[show];
  return { serverId, ...(text.trim() === '' ? {} : { words: text.trim() }), ...(kind === 'all' ? {} : { kind }), ...(tier === 'all' ? {} : { tier }), ...(standing === null ? {} : { standing }) };
};
