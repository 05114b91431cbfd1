import type { SelectionRecord } from '../../shared/ranking.ts';
import type { ExposedTool } from './exposed-tool.ts';
import { expose, type ExposureLimits, type LeftOut } from './exposure.ts';
import type { Fitting } from './fits-route.ts';
import type { Ranking } from './selection/pipeline.ts';

export interface ExposeQuery {
  /** ids of the host's own */
  readonly own: ReadonlySet<string>;
  /** what the person has marked to come first */
  readonly pinned: readonly string[];
  /** what this run searched for and found, newest first */
  readonly found: readonly string[];
  readonly limits: ExposureLimits;
  /** null: nobody asked anything */
  readonly ranking: Ranking | null;
}
export interface ExposedTools {
  /** in their usual order, whatever their places: what a provider has read before stays the same */
  readonly exposed: readonly ExposedTool[];
  readonly lost: readonly LeftOut[];
  readonly record: SelectionRecord | null;
}

const SCORE_DIGITS = 1_000;
const rounded = (value: number): number => Math.round(value * SCORE_DIGITS) / SCORE_DIGITS;

/**
 * Stage 5, the last: what goes out. The host's own, what the person marked, what was searched for, the best for the request, and the rest: what says
 * nothing to the request is still better than an empty place.
 */
export const exposeTools = (fits: readonly Fitting[], { own, pinned, found, limits, ranking }: ExposeQuery): ExposedTools => {
  const byId = new Map(fits.map((one) => [one.id, one]));
  const ranked = ranking?.tools ?? [];
  const isRanked = new Set(ranked.map(({ id }) => id));
  const isOwn = (id: string): boolean => own.has(id);
  const first = fits.filter(({ id }) => isOwn(id));
  const inOrder = [...new Set([...first, ...[...pinned, ...found, ...ranked.map(({ id }) => id)].flatMap((id) => byId.get(id) ?? []), ...fits])];
  const exposure = expose(inOrder, first.length, limits);
  // among what was chosen from: the host's own are not
  const others = ranked.filter(({ id }) => !isOwn(id));
  const places = new Map(others.map(({ id }, at) => [id, { at: at + 1, of: fits.length - first.length }]));
  const lost = exposure.lost.map((one) => ({ ...one, ...(places.has(one.capabilityId) ? { place: places.get(one.capabilityId) } : {}) }));
  const lossOf = new Map(lost.map(({ capabilityId, reason }) => [capabilityId, reason]));
  const broughtBy = (id: string): string => lossOf.get(id) ?? (isOwn(id) ? 'host_tool' : pinned.includes(id) ? 'pinned' : found.includes(id) ? 'found' : 'rank');
  return {
    exposed: fits.filter(({ id }) => exposure.ids.has(id)).map(({ tool }) => tool as ExposedTool),
    lost,
    record: ranking && {
      of: ranking.of, topK: ranking.topK, semantic: ranking.semantic, ...(ranking.failed ? { failed: true } : {}),
      ranked: [
        ...ranked.map(({ id, score, gives, semantic, learned }, at) => ({ capabilityId: id, place: at + 1, score: rounded(score), parts: told({ ...gives, semantic, learned }), exposed: exposure.ids.has(id), reason: broughtBy(id) })),
        // behind the top K, in the order in which places were filled
        ...inOrder.filter(({ id }) => exposure.ids.has(id) && !isRanked.has(id)).map(({ id }, at) => ({ capabilityId: id, place: ranked.length + at + 1, score: 0, parts: {}, exposed: true, reason: isOwn(id) || pinned.includes(id) || found.includes(id) ? broughtBy(id) : 'rest' })),
      ],
    },
  };
};

const told = (parts: Readonly<Record<string, number>>): Readonly<Record<string, number>> => Object.fromEntries(Object.entries(parts).flatMap(([name, value]) => (Math.abs(value) < 1 / SCORE_DIGITS ? [] : [[name, rounded(value)]])));
