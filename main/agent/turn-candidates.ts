import type { Scope } from '../../shared/agent-profile.ts';
import type { FunnelStage } from '../../shared/capability.ts';
import { parseCapabilityId } from '../../shared/capability-id.ts';
import type { Candidate } from '../capabilities/candidate.ts';
import type { CapabilityRegistry } from '../capabilities/registry.ts';
import type { TurnBinding } from '../capabilities/turn-binding.ts';
import type { LeftOut } from './exposure.ts';

export type BoundCandidate = Candidate & { readonly binding: TurnBinding };

export interface CandidatesQuery {
  readonly principal: string;
  readonly serverId?: string | undefined;
  /** of the run, beside that of the profile */
  readonly scope?: Scope | null | undefined;
  /** servers that should have been read anew and could not be */
  readonly unread?: ReadonlySet<string>;
  /** sources that this run does not use any more, each with its reason */
  readonly isolated?: ReadonlyMap<string, string>;
  /** the host's own tools that this turn has a use for */
  readonly hostTools?: readonly BoundCandidate[];
  /** those by which resources are read: candidates where the principal may read one */
  readonly resourceTools?: readonly BoundCandidate[];
  /** those by which others are searched for: candidates where a request does not carry all */
  readonly searchTools?: readonly BoundCandidate[];
}

/** Stage 1 of a request: the one pool of what it may carry. */
export interface TurnCandidates {
  /** stages up to the one before this, as the registry counts them: of servers' capabilities alone */
  readonly base: readonly { readonly stage: FunnelStage; readonly evaluated: boolean; readonly count: number; readonly capabilityIds: string[]; readonly lost: LeftOut[] }[];
  /** the host's own first: they are few, and a limit on the number is no reason to lose them */
  readonly tools: readonly BoundCandidate[];
  readonly own: ReadonlySet<string>;
  /** all of them, the host's own first, the others in the registry's order */
  readonly ids: readonly string[];
  /** resources and prompts: candidates, but no tools */
  readonly others: readonly BoundCandidate[];
  readonly lost: readonly LeftOut[];
}

/** Who may be chosen from now, by the registry's one decision, and the host's own beside them. */
export const turnCandidates = (registry: Pick<CapabilityRegistry, 'funnel' | 'candidates' | 'bound'>, query: CandidatesQuery): TurnCandidates => {
  const { principal, serverId, scope, unread, isolated } = query;
  const base = registry.funnel({ principal, serverId, scope }).stages;
  const fresh = base.find(({ stage }) => stage === 'fresh_healthy')!;
  const isolationOf = (capabilityId: string): string | undefined => isolated?.get(parseCapabilityId(capabilityId)?.serverId ?? '');
  const lost: LeftOut[] = fresh.lost.map(({ capabilityId, reason }) => ({ capabilityId, reason: isolationOf(capabilityId) ?? reason }));
  const candidates: BoundCandidate[] = [];
  const decided = registry.candidates(principal, scope);
  for (const id of fresh.capabilityIds) {
    const candidate = decided(id);
    const binding = registry.bound(id);
    const isolation = isolationOf(id);
    if (isolation !== undefined) lost.push({ capabilityId: id, reason: isolation });
    else if (!candidate.ok) lost.push({ capabilityId: id, reason: candidate.error.code });
    else if (unread?.has(candidate.value.capability.serverId)) lost.push({ capabilityId: id, reason: 'source_not_fresh' });
    else if (binding) candidates.push({ ...candidate.value, binding });
  }
  const others = candidates.filter(({ capability }) => capability.kind !== 'tool');
  const hasResources = others.some(({ capability }) => capability.kind === 'resource');
  const own = [...(query.searchTools ?? []), ...(query.hostTools ?? []), ...(hasResources ? (query.resourceTools ?? []) : [])];
  return { base, tools: [...own, ...candidates.filter(({ capability }) => capability.kind === 'tool')], own: new Set(own.map(idOf)), ids: [...own, ...candidates].map(idOf), others, lost };
};

const idOf = ({ capability }: Candidate): string => capability.id;
