import type { Scope } from '../../shared/agent-profile.ts';
import { FUNNEL_STAGES, type Funnel, type FunnelStage } from '../../shared/capability.ts';
import type { CapabilityIndex, Entry } from './capability-index.ts';
import { decide, type Loss } from './decision.ts';
import type { Sources } from './sources.ts';

/** Stages that need what a registry does not know: a model route, a turn. */
const WITHOUT_CONTEXT: ReadonlySet<FunnelStage> = new Set(['fits_route', 'exposed']);

/** How many of the registered capabilities remain for this principal after each stage, and why each of the others fell. Where no scope is set that stage is not evaluated. */
export const funnelOf = (entries: Iterable<Entry>, principal: string, index: CapabilityIndex, sources: Sources, scopes: readonly (Scope | null)[]): Funnel => {
  const hasScope = scopes.some((scope) => scope !== null);
  const serverReasons = new Map<string, string | null>();
  const reasonOf = (serverId: string): string | null => {
    let reason = serverReasons.get(serverId);
    if (reason === undefined) serverReasons.set(serverId, (reason = sources.serverReason(serverId)));
    return reason;
  };
  const judged: { readonly id: string; readonly loss: Loss | null }[] = [];
  for (const entry of entries) judged.push({ id: entry.row.id, loss: decide(entry, principal, index, sources, reasonOf(entry.row.serverId), scopes) });
  let left = judged;
  const stages = FUNNEL_STAGES.map((stage) => {
    if (WITHOUT_CONTEXT.has(stage) || (stage === 'in_scope' && !hasScope)) return { stage, evaluated: false, count: 0, capabilityIds: [], lost: [] };
    const lost = left.flatMap(({ id, loss }) => (loss?.stage === stage ? [{ capabilityId: id, reason: loss.reason }] : []));
    left = left.filter(({ loss }) => loss?.stage !== stage);
    return { stage, evaluated: true, count: left.length, capabilityIds: left.map(({ id }) => id), lost };
  });
  return { principal, stages };
};
