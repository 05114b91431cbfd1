import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import type { Scope } from '../../shared/agent-profile.ts';
import type { Funnel, FunnelRequest, FunnelStage } from '../../shared/capability.ts';
import { parseCapabilityId } from '../../shared/capability-id.ts';
import type { RouteId } from '../../shared/rendering.ts';
import type { Candidate } from '../capabilities/candidate.ts';
import { isHostFieldUseful } from '../capabilities/host-field.ts';
import type { CapabilityRegistry } from '../capabilities/registry.ts';
import { ROUTES } from '../capabilities/routes/profiles.ts';
import type { Rendering } from '../capabilities/routes/rendering.ts';
import type { Renderings } from '../capabilities/routes/renderings.ts';
import { modelNames } from '../capabilities/routes/tool-names.ts';
import type { TurnBinding } from '../capabilities/turn-binding.ts';
import type { RouteRefusal } from '../store/route-refusals.ts';
import { expose, fitsWhole, limitsFor, tokensOf, type ExposureLimits, type ExposureWishes, type LeftOut, type Weighed } from './exposure.ts';

/** One turn's binding of a name: the capability and what it stood for when the model saw it, and in which rendering. */
export interface ExposedTool {
  readonly name: string;
  readonly capabilityId: string;
  readonly binding: TurnBinding;
  readonly rendering: Rendering;
}

export interface TurnTools {
  /** every stage evaluated; the scope where the run or its profile has one */
  readonly funnel: Funnel;
  readonly exposed: readonly ExposedTool[];
  readonly limits: ExposureLimits;
}

export interface TurnToolsDeps {
  readonly registry: Pick<CapabilityRegistry, 'funnel' | 'candidate' | 'bound' | 'toolNames'>;
  readonly renderings: Renderings;
}
export type BoundCandidate = Candidate & { readonly binding: TurnBinding };
export interface TurnQuery {
  readonly principal: string;
  readonly serverId?: string | undefined;
  /** of the run, beside that of the profile */
  readonly scope?: Scope | null | undefined;
  readonly routeId: RouteId;
  /** servers that should have been read anew and could not be */
  readonly unread?: ReadonlySet<string>;
  /** sources that this run does not use any more, each with its reason */
  readonly isolated?: ReadonlyMap<string, string>;
  /** tools of which an answer of this run was large: asking for less would help */
  readonly large?: ReadonlySet<string>;
  /** what providers refused on this route and model */
  readonly refusals: readonly RouteRefusal[];
  /** the best of these for what the person asked, at most so many; asked where one request does not carry all that fit */
  readonly choose?: (tools: readonly BoundCandidate[], count: number) => Promise<readonly string[]>;
  /** the host's own tools that this turn has a use for */
  readonly hostTools?: readonly BoundCandidate[];
  /** those by which resources are read: carried where the principal may read one */
  readonly resourceTools?: readonly BoundCandidate[];
  /** those by which others are searched for: carried where a request does not carry all */
  readonly searchTools?: readonly BoundCandidate[];
  /** what this run searched for and found, newest first: before what ranks best */
  readonly found?: readonly string[];
  /** what the person set for every request */
  readonly wishes?: ExposureWishes;
}

interface Fitting extends Weighed {
  readonly candidate: BoundCandidate;
  readonly tool: ExposedTool;
}

/** So many are ranked though fewer go out: a person sees at which place a tool was. */
const MOST_PLACED = 500;

/** The form a definition is shown in: another one after a refusal, which holds for that definition only. */
const shownForm = (renderings: Renderings, candidate: Pick<Candidate, 'definition' | 'definitionFingerprint'>, routeId: RouteId, refusal: RouteRefusal | undefined, hostField: boolean): Rendering | { readonly setAside: RouteRefusal } => {
  const holds = refusal?.definitionFingerprint === candidate.definitionFingerprint ? refusal : undefined;
  if (holds?.form === 'set_aside') return { setAside: holds };
  return renderings.of({ definition: candidate.definition, definitionFingerprint: candidate.definitionFingerprint, ...(holds ? { routeId: 'plainest' } : { routeId, hostField }) });
};

/**
 * What one request to a model carries, and where every other capability dropped out: the one funnel, for the runtime and for whoever asks why a tool is
 * not seen. Candidates come from the registry's one decision.
 */
export const turnTools = async ({ registry, renderings }: TurnToolsDeps, query: TurnQuery): Promise<TurnTools> => {
  const { routeId, principal } = query;
  const base = registry.funnel({ principal, serverId: query.serverId, scope: query.scope });
  const fresh = base.stages.find(({ stage }) => stage === 'fresh_healthy')!;
  const lost: Record<'fresh_healthy' | 'fits_route' | 'exposed', LeftOut[]> = { fresh_healthy: [...fresh.lost], fits_route: [], exposed: [] };

  const candidates: BoundCandidate[] = [];
  const isolationOf = (capabilityId: string): string | undefined => query.isolated?.get(parseCapabilityId(capabilityId)?.serverId ?? '');
  lost.fresh_healthy = lost.fresh_healthy.map(({ capabilityId, reason }) => ({ capabilityId, reason: isolationOf(capabilityId) ?? reason }));
  for (const id of fresh.capabilityIds) {
    const candidate = registry.candidate(id, principal, query.scope);
    const binding = registry.bound(id);
    const isolation = isolationOf(id);
    if (isolation !== undefined) lost.fresh_healthy.push({ capabilityId: id, reason: isolation });
    else if (!candidate.ok) lost.fresh_healthy.push({ capabilityId: id, reason: candidate.error.code });
    else if (query.unread?.has(candidate.value.capability.serverId)) lost.fresh_healthy.push({ capabilityId: id, reason: 'source_not_fresh' });
    else if (binding) candidates.push({ ...candidate.value, binding });
  }
  const kept: Record<'fresh_healthy' | 'fits_route' | 'exposed', string[]> = { fresh_healthy: candidates.map((c) => c.capability.id), fits_route: [], exposed: [] };

  const refusalOf = new Map(query.refusals.map((refusal) => [refusal.capabilityId, refusal]));
  const hasResources = candidates.some(({ capability }) => capability.kind === 'resource');
  const searchTools = query.searchTools ?? [];
  let hostTools = [...searchTools, ...(query.hostTools ?? []), ...(hasResources ? (query.resourceTools ?? []) : [])];
  // the host's own come first: they are few, and a limit on the number is no reason to lose them
  const tools = [...hostTools, ...candidates.filter((c) => c.capability.kind === 'tool')];
  for (const other of candidates) if (other.capability.kind !== 'tool') lost.fits_route.push({ capabilityId: other.capability.id, reason: other.capability.kind === 'resource' ? 'by_read_resource' : 'not_a_tool' });
  const hostField = (tool: Candidate): boolean => isHostFieldUseful(tool.definition) || query.large?.has(tool.capability.id) === true;
  await renderings.prepare(tools.map((tool) => ({ definition: tool.definition, definitionFingerprint: tool.definitionFingerprint, routeId, hostField: hostField(tool) })));
  const names = modelNames([...registry.toolNames(), ...hostTools.map(namedOf)], ROUTES[routeId].names);
  let fits: Fitting[] = [];
  for (const candidate of tools) {
    const { id } = candidate.capability;
    const form = shownForm(renderings, candidate, routeId, refusalOf.get(id), hostField(candidate));
    if ('setAside' in form) lost.fits_route.push({ capabilityId: id, reason: `set_aside: ${form.setAside.model}` });
    else if (form.leftOut) lost.fits_route.push({ capabilityId: id, reason: `${form.leftOut.code}: ${form.leftOut.reason}` });
    else {
      const tool: ExposedTool = { name: names.get(id)!, capabilityId: id, binding: candidate.binding, rendering: form };
      fits.push({ id, candidate, tool, tokens: weightOf(tool) });
    }
  }
  const withoutSearch = fits.filter(({ candidate }) => !searchTools.includes(candidate));
  const isOwn = ({ candidate }: Fitting): boolean => hostTools.includes(candidate);
  if (fitsWhole(withoutSearch, limitsFor(ROUTES[routeId], query.wishes, withoutSearch.filter(isOwn).length))) {
    fits = withoutSearch;
    hostTools = hostTools.filter((tool) => !searchTools.includes(tool));
  }
  kept.fits_route = fits.map(({ id }) => id);
  const own = fits.filter(isOwn);
  const limits = limitsFor(ROUTES[routeId], query.wishes, own.length);
  const { inOrder, places } = await inOrderOfUse(fits, own, limits, query);
  const exposure = expose(inOrder, own.length, limits);
  lost.exposed.push(...exposure.lost.map((one) => ({ ...one, ...placed(places, one.capabilityId) })));
  const exposed = fits.filter(({ id }) => exposure.ids.has(id)).map(({ tool }) => tool);
  kept.exposed = exposed.map((tool) => tool.capabilityId);
  const hostIds = hostTools.map((tool) => tool.capability.id);
  const counted = base.stages.map((stage) => (stage.evaluated && hostIds.length > 0 ? { ...stage, count: stage.count + hostIds.length, capabilityIds: [...hostIds, ...stage.capabilityIds] } : stage));
  kept.fresh_healthy.unshift(...hostIds);
  const stages = counted.map((stage) => (isTurnStage(stage.stage) ? { stage: stage.stage, evaluated: true, count: kept[stage.stage].length, capabilityIds: kept[stage.stage], lost: lost[stage.stage] } : stage));
  const pinned = kept.fits_route.filter((id) => query.wishes?.pinned.includes(id));
  return { funnel: { principal, stages, request: carriedBy(exposed, limits), ...(pinned.length === 0 ? {} : { pinned }) }, exposed, limits };
};

/**
 * The host's own, what the person marked, what was searched for, the best for the request, and the rest: what says nothing to the request is still better
 * than an empty place. `places`: those of the ranking, from 1.
 */
const inOrderOfUse = async (fits: readonly Fitting[], own: readonly Fitting[], limits: ExposureLimits, { choose, found = [], wishes }: TurnQuery): Promise<{ readonly inOrder: readonly Fitting[]; readonly places: ReadonlyMap<string, LeftOut['place']> }> => {
  if (fitsWhole(fits, limits)) return { inOrder: fits, places: new Map() };
  const others = fits.filter((one) => !own.includes(one));
  const ranked = choose ? await choose(others.map(({ candidate }) => candidate), Math.min(others.length, Math.max(1, limits.tools - own.length, MOST_PLACED))) : [];
  const byId = new Map(others.map((one) => [one.id, one]));
  return {
    inOrder: [...new Set([...own, ...[...(wishes?.pinned ?? []), ...found, ...ranked].flatMap((id) => byId.get(id) ?? []), ...others])],
    places: new Map(ranked.map((id, at) => [id, { at: at + 1, of: others.length }])),
  };
};

const placed = (places: ReadonlyMap<string, LeftOut['place']>, id: string): Pick<LeftOut, 'place'> => {
  const place = places.get(id);
  return place === undefined ? {} : { place };
};

const namedOf = ({ capability }: Candidate): { readonly id: string; readonly serverId: string; readonly name: string } => ({ id: capability.id, serverId: capability.serverId, name: capability.name });

const isTurnStage = (stage: FunnelStage): stage is 'fresh_healthy' | 'fits_route' | 'exposed' => stage === 'fresh_healthy' || stage === 'fits_route' || stage === 'exposed';

/** Names and words of a tool as a request carries them; there is no `execute`: the library asks and answers, Gantry calls. */
export const asFunctionTool = ({ name, rendering }: Pick<ExposedTool, 'name' | 'rendering'>): LanguageModelV3FunctionTool => ({
  type: 'function',
  name,
  ...(rendering.description === null ? {} : { description: rendering.description }),
  inputSchema: rendering.schema as LanguageModelV3FunctionTool['inputSchema'],
  ...(rendering.strict ? { strict: true } : {}),
});

const weightOf = (tool: Pick<ExposedTool, 'name' | 'rendering'>): number => tokensOf(JSON.stringify(asFunctionTool(tool)));

/** What a request with these tools carries, beside what it may. */
export const carriedBy = (tools: readonly ExposedTool[], limits: ExposureLimits): FunnelRequest => ({ tools: tools.length, maxTools: limits.tools, tokens: tools.reduce((sum, tool) => sum + weightOf(tool), 0), maxTokens: limits.tokens });

/** The funnel of the request that was accepted: what a provider was proved to refuse does not fit the route, what stayed undecided was not exposed. */
export const funnelOfRequest = (funnel: Funnel, { setAside, undecided }: { readonly setAside: readonly string[]; readonly undecided: readonly string[] }, model: string): Funnel => {
  const without = (ids: readonly string[], gone: readonly string[]): string[] => ids.filter((id) => !gone.includes(id));
  return {
    ...funnel,
    stages: funnel.stages.map((stage) => {
      if (stage.stage !== 'fits_route' && stage.stage !== 'exposed') return stage;
      const lostHere = stage.stage === 'fits_route' ? setAside.map((capabilityId) => ({ capabilityId, reason: `set_aside: ${model}` })) : undecided.map((capabilityId) => ({ capabilityId, reason: 'undecided' }));
      const capabilityIds = without(stage.capabilityIds, stage.stage === 'fits_route' ? setAside : [...setAside, ...undecided]);
      return { ...stage, count: capabilityIds.length, capabilityIds, lost: [...stage.lost, ...lostHere] };
    }),
  };
};
