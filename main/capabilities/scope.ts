import type { Scope } from '../../shared/agent-profile.ts';
import { TIERS, type Tier } from '../../shared/tier.ts';

const RANK: Readonly<Record<Tier, number>> = { read_only: TIERS.indexOf('read_only'), low_write: TIERS.indexOf('low_write'), high_write: TIERS.indexOf('high_write'), unknown: TIERS.indexOf('high_write') };

/** Why a capability is not in any of these scopes, as a reason of the funnel; null: in all of them. A scope only narrows (design section 2). */
export const outOfScope = (scopes: readonly (Scope | null)[], { id, serverId, tier }: { readonly id: string; readonly serverId: string; readonly tier: Tier }): string | null => {
  for (const scope of scopes) {
    if (scope === null) continue;
    if (scope.servers !== null && !scope.servers.includes(serverId)) return 'out_of_scope: server';
    if (scope.capabilities !== null && !scope.capabilities.includes(id)) return 'out_of_scope: capability';
    if (scope.topTier !== null && RANK[tier] > RANK[scope.topTier]) return `out_of_scope: tier ${tier}`;
  }
  return null;
};
