import type { Funnel, FunnelRequest, FunnelStage } from '../../shared/capability.ts';
import type { CapabilityRegistry } from '../capabilities/registry.ts';
import { ROUTES } from '../capabilities/routes/profiles.ts';
import type { Renderings } from '../capabilities/routes/renderings.ts';
import { exposeTools } from './expose-tools.ts';
import type { ExposedTool } from './exposed-tool.ts';
import { fitsWhole, limitsFor, type ExposureLimits, type ExposureWishes, type LeftOut } from './exposure.ts';
import { fitsRoute, weightOf, type RouteQuery } from './fits-route.ts';
import type { Ranking, RankQuestion } from './selection/pipeline.ts';
import { TOP_K } from './selection/top-k.ts';
import { turnCandidates, type BoundCandidate, type CandidatesQuery } from './turn-candidates.ts';

export interface TurnTools {
  /** every stage evaluated; the scope where the run or its profile has one */
  readonly funnel: Funnel;
  readonly exposed: readonly ExposedTool[];
  readonly limits: ExposureLimits;
}

export interface TurnToolsDeps {
  readonly registry: Pick<CapabilityRegistry, 'funnel' | 'candidates' | 'bound' | 'toolNames'>;
  readonly renderings: Renderings;
}
export interface TurnQuery extends CandidatesQuery, RouteQuery {
  /** ranks what fits for what the person asked; absent: nobody asked anything. `decides`: a request does not carry all */
  readonly rank?: (tools: readonly BoundCandidate[], how: Pick<RankQuestion, 'decides' | 'most' | 'also'>) => Promise<Ranking>;
  /** what this run searched for and found, newest first: before what ranks best */
  readonly found?: readonly string[];
  /** what the person set for every request */
  readonly wishes?: ExposureWishes;
}

/**
 * What one request to a model carries, and where every other capability dropped out: the one funnel, for the runtime and for whoever asks why a tool is
 * not seen. The host's tools and those of servers are one pool, and each goes through every stage: candidates, route, ranking, exposure.
 */
export const turnTools = async ({ registry, renderings }: TurnToolsDeps, query: TurnQuery): Promise<TurnTools> => {
  const { routeId, principal, wishes, found = [] } = query;
  const route = ROUTES[routeId];
  const candidates = turnCandidates(registry, query);
  const fitting = await fitsRoute(candidates, query, { registry, renderings });
  const search = new Set((query.searchTools ?? []).map(({ capability }) => capability.id));
  const withoutSearch = fitting.fits.filter(({ id }) => !search.has(id));
  const limitsOf = (fits: typeof fitting.fits): ExposureLimits => limitsFor(route, wishes, fits.filter(({ id }) => candidates.own.has(id)).length);
  const isWhole = fitsWhole(withoutSearch, limitsOf(withoutSearch));
  // nothing is searched for where everything is carried
  const fits = isWhole ? withoutSearch : fitting.fits;
  const limits = limitsOf(fits);
  const ranking = (await query.rank?.(fits.map(({ candidate }) => candidate), { decides: !isWhole, most: Math.max(limits.tools, TOP_K), also: [...candidates.own, ...(wishes?.pinned ?? []), ...found] })) ?? null;
  const { exposed, lost, record } = exposeTools(fits, { own: candidates.own, pinned: wishes?.pinned ?? [], found, limits, ranking });

  const kept = { fresh_healthy: candidates.ids, fits_route: fits.map(({ id }) => id), exposed: exposed.map(({ capabilityId }) => capabilityId) };
  const gone: Record<'fresh_healthy' | 'fits_route' | 'exposed', readonly LeftOut[]> = { fresh_healthy: candidates.lost, fits_route: fitting.lost, exposed: lost };
  const hostIds = [...candidates.own].filter((id) => !isWhole || !search.has(id));
  const stages = candidates.base.map((stage) => {
    if (isTurnStage(stage.stage)) {
      const ids = kept[stage.stage].filter((id) => !isWhole || !search.has(id));
      return { stage: stage.stage, evaluated: true, count: ids.length, capabilityIds: ids, lost: [...gone[stage.stage]] };
    }
    return stage.evaluated && hostIds.length > 0 ? { ...stage, count: stage.count + hostIds.length, capabilityIds: [...hostIds, ...stage.capabilityIds] } : stage;
  });
  const pinned = kept.fits_route.filter((id) => wishes?.pinned.includes(id));
  return { funnel: { principal, stages, request: carriedBy(exposed, limits), ...(pinned.length === 0 ? {} : { pinned }), ...(record === null ? {} : { selection: record }) }, exposed, limits };
};

const isTurnStage = (stage: FunnelStage): stage is 'fresh_healthy' | 'fits_route' | 'exposed' => stage === 'fresh_healthy' || stage === 'fits_route' || stage === 'exposed';

/** What a request with these tools carries, beside what it may. */
export const carriedBy = (tools: readonly ExposedTool[], limits: ExposureLimits): FunnelRequest => ({ tools: tools.length, maxTools: limits.tools, tokens: tools.reduce((sum, tool) => sum + weightOf(tool), 0), maxTokens: limits.tokens });

/** The funnel of the request that was accepted: what a provider was proved to refuse does not fit the route, what stayed undecided was not exposed. */
export const funnelOfRequest = (funnel: Funnel, { setAside, undecided }: { readonly setAside: readonly string[]; readonly undecided: readonly string[] }, model: string): Funnel => {
  const without = (ids: readonly string[], gone: readonly string[]): string[] => ids.filter((id) => !gone.includes(id));
  const reasonOf = (id: string): string | null => (setAside.includes(id) ? `set_aside: ${model}` : undecided.includes(id) ? 'undecided' : null);
  return {
    ...funnel,
    ...(funnel.selection === undefined ? {} : { selection: { ...funnel.selection, ranked: funnel.selection.ranked.map((one) => ({ ...one, ...(reasonOf(one.capabilityId) === null ? {} : { exposed: false, reason: reasonOf(one.capabilityId)! }) })) } }),
    stages: funnel.stages.map((stage) => {
      if (stage.stage !== 'fits_route' && stage.stage !== 'exposed') return stage;
      const lostHere = (stage.stage === 'fits_route' ? setAside : undecided).map((capabilityId) => ({ capabilityId, reason: reasonOf(capabilityId)! }));
      const capabilityIds = without(stage.capabilityIds, stage.stage === 'fits_route' ? setAside : [...setAside, ...undecided]);
      return { ...stage, count: capabilityIds.length, capabilityIds, lost: [...stage.lost, ...lostHere] };
    }),
  };
};
