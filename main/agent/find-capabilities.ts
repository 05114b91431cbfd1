import type { FoundCapability, SearchCapabilities } from '../calls/host-tools/search-capabilities.ts';
import type { CapabilityRegistry } from '../capabilities/registry.ts';
import type { Scope } from '../../shared/agent-profile.ts';
import { choosables, rankableOf } from './choosable.ts';
import type { SelectionPipeline } from './selection/pipeline.ts';
import type { Reason } from './selection/rank.ts';

export interface FindDeps {
  readonly registry: Pick<CapabilityRegistry, 'funnel' | 'candidates'>;
  readonly pipeline: Pick<SelectionPipeline, 'rank'>;
  readonly serverName: (serverId: string) => string;
}

/** Of one run, the newest first: what a model searches for again and again does not push out the rest of the request. */
const MOST_KEPT = 20;
/** Behind this share of the first one's score nothing is an answer. */
const LEAST_OF_BEST = 0.4;

/**
 * What runs have searched for. A search looks at the asking principal's candidates alone, and finding gives no right: the next turn exposes what was found
 * where it is a candidate then, with a binding made then.
 */
export class FoundCapabilities {
  readonly #deps: FindDeps;
  readonly #ofRun = new Map<string, { readonly scope: Scope | null; readonly ids: readonly string[] }>();

  constructor(deps: FindDeps) {
    this.#deps = deps;
  }

  /** From here on this run may search, within its scope; what does not belong to a run that began finds nothing. */
  begin(runId: string, scope: Scope | null): void {
    this.#ofRun.set(runId, { scope, ids: [] });
  }

  readonly search: SearchCapabilities = async ({ runId, principal, signal }, request, most) => {
    const { registry, pipeline, serverName } = this.#deps;
    const run = this.#ofRun.get(runId);
    if (!run) return { searched: 0, found: [] };
    const { scope } = run;
    const ids = registry.funnel({ principal, scope }).stages.find(({ stage }) => stage === 'fresh_healthy')?.capabilityIds ?? [];
    const decided = registry.candidates(principal, scope);
    const tools = ids.flatMap((id) => {
      const found = decided(id);
      return found.ok && found.value.capability.kind === 'tool' ? [found.value] : [];
    });
    const byId = new Map(tools.map((tool) => [tool.capability.id, tool]));
    const candidates = choosables(tools.map(rankableOf), serverName);
    const { tools: ranked, failed } = await pipeline.rank({ request, principal, candidates, decides: true, ...(signal === undefined ? {} : { signal }) });
    if (failed) throw new Error('tools cannot be ranked');
    const best = ranked[0]?.score ?? 0;
    const fitting = ranked.filter(({ score }) => score > 0 && score >= best * LEAST_OF_BEST).slice(0, most);
    if (this.#ofRun.has(runId)) this.#ofRun.set(runId, { scope, ids: [...new Set([...fitting.map(({ id }) => id), ...this.of(runId)])].slice(0, MOST_KEPT) });
    return {
      searched: tools.length,
      found: fitting.map(({ id, gives }): FoundCapability => {
        const { capability, definition } = byId.get(id)!;
        const why = (Object.keys(gives) as Reason[]).filter((reason) => gives[reason] > 0).sort((a, b) => gives[b] - gives[a]);
        return { capabilityId: id, name: capability.name, server: serverName(capability.serverId), description: definition.description ?? definition.title ?? '', tier: capability.tier, why: why.slice(0, 2) };
      }),
    };
  };

  /** What this run found, newest first. */
  of(runId: string): readonly string[] {
    return this.#ofRun.get(runId)?.ids ?? [];
  }

  /** The run has ended. */
  forget(runId: string): void {
    this.#ofRun.delete(runId);
  }
}
