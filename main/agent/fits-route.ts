import { setImmediate } from 'node:timers/promises';
import type { RouteId } from '../../shared/rendering.ts';
import { tokensOf } from '../../shared/token-weight.ts';
import type { Candidate } from '../capabilities/candidate.ts';
import { isHostFieldUseful } from '../capabilities/host-field.ts';
import { ROUTES } from '../capabilities/routes/profiles.ts';
import type { Rendering } from '../capabilities/routes/rendering.ts';
import type { Renderings } from '../capabilities/routes/renderings.ts';
import { modelNames } from '../capabilities/routes/tool-names.ts';
import type { CapabilityRegistry } from '../capabilities/registry.ts';
import type { RouteRefusal } from '../store/route-refusals.ts';
import { asFunctionTool, type ShownTool } from './exposed-tool.ts';
import type { LeftOut, Weighed } from './exposure.ts';
import type { BoundCandidate, TurnCandidates } from './turn-candidates.ts';

/** Of the host's thread at a stretch. */
const MOST_MS = 8;

export interface RouteQuery {
  readonly routeId: RouteId;
  /** what providers refused on this route and model */
  readonly refusals: readonly RouteRefusal[];
  /** tools of which an answer of this run was large: asking for less would help */
  readonly large?: ReadonlySet<string>;
}
export interface FitsRouteDeps {
  readonly registry: Pick<CapabilityRegistry, 'toolNames'>;
  readonly renderings: Renderings;
}

/** A tool that fits the route, with the form in which a request would carry it. */
export interface Fitting extends Weighed {
  readonly candidate: BoundCandidate;
  readonly tool: ShownTool;
}

/** The form a definition is shown in: another one after a refusal, which holds for that definition only. */
const shownForm = (renderings: Renderings, candidate: Pick<Candidate, 'definition' | 'definitionFingerprint'>, routeId: RouteId, refusal: RouteRefusal | undefined, hostField: boolean): Rendering | { readonly setAside: RouteRefusal } => {
  const holds = refusal?.definitionFingerprint === candidate.definitionFingerprint ? refusal : undefined;
  if (holds?.form === 'set_aside') return { setAside: holds };
  return renderings.of({ definition: candidate.definition, definitionFingerprint: candidate.definitionFingerprint, ...(holds ? { routeId: 'plainest' } : { routeId, hostField }) });
};

/** Which candidates the route carries, and in which form. */
export const fitsRoute = async ({ tools, own, others }: TurnCandidates, { routeId, refusals, large }: RouteQuery, { registry, renderings }: FitsRouteDeps): Promise<{ readonly fits: readonly Fitting[]; readonly lost: readonly LeftOut[] }> => {
  const lost: LeftOut[] = others.map(({ capability: { id, kind } }) => ({ capabilityId: id, reason: kind === 'resource' ? 'by_read_resource' : 'not_a_tool' }));
  const refusalOf = new Map(refusals.map((refusal) => [refusal.capabilityId, refusal]));
  const hostField = (tool: Candidate): boolean => isHostFieldUseful(tool.definition) || large?.has(tool.capability.id) === true;
  await renderings.prepare(tools.map((tool) => ({ definition: tool.definition, definitionFingerprint: tool.definitionFingerprint, routeId, hostField: hostField(tool) })));
  const names = modelNames([...registry.toolNames(), ...tools.filter(({ capability }) => own.has(capability.id)).map(({ capability: { id, serverId, name } }) => ({ id, serverId, name }))], ROUTES[routeId].names);
  const fits: Fitting[] = [];
  let since = performance.now();
  for (const candidate of tools) {
    if (performance.now() - since > MOST_MS) {
      await setImmediate();
      since = performance.now();
    }
    const { id } = candidate.capability;
    const form = shownForm(renderings, candidate, routeId, refusalOf.get(id), hostField(candidate));
    if ('setAside' in form) lost.push({ capabilityId: id, reason: `set_aside: ${form.setAside.model}` });
    else if (form.leftOut) lost.push({ capabilityId: id, reason: `${form.leftOut.code}: ${form.leftOut.reason}` });
    else {
      const tool: ShownTool = { name: names.get(id)!, capabilityId: id, binding: candidate.binding, rendering: form };
      fits.push({ id, candidate, tool, tokens: weightOf(tool) });
    }
  }
  return { fits, lost };
};

/** Tokens that a tool's definition takes of a request, estimated. */
export const weightOf = (tool: Pick<ShownTool, 'name' | 'rendering'>): number => tokensOf(JSON.stringify(asFunctionTool(tool)));
