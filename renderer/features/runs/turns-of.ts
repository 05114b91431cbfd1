import { RENDERING_STATES, ROUTE_IDS, type RenderingState, type RouteId } from '../../../shared/route-ids.ts';
import type { EvidenceEvent } from '../../../shared/run.ts';

export interface Turn {
  readonly turn: number;
  readonly model: string;
  readonly route: RouteId;
  readonly request: string;
  readonly exposed: readonly { readonly name: string; readonly capabilityId: string; readonly definitionFingerprint: string; readonly form: RouteId; readonly state: RenderingState }[];
  /** granted and still not shown, which is what a person would miss */
  readonly missed: readonly { readonly capabilityId: string; readonly reason: string }[];
}

const record = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const routeId = (value: unknown): RouteId | undefined => ROUTE_IDS.find((id) => id === value);
const LATE = new Set(['fresh_healthy', 'fits_route', 'exposed']);

/** The turns of a run, from its evidence; rows of an earlier version are left to the evidence. */
export const turnsOf = (events: readonly EvidenceEvent[]): readonly Turn[] =>
  events.flatMap(({ type, data }) => {
    const route = routeId(data['route']);
    if (type !== 'turn.request' || route === undefined || !Array.isArray(data['funnel'])) return [];
    const exposed = list(data['exposed']).flatMap((one) => {
      const { name, capabilityId, definitionFingerprint, form, state } = record(one);
      const shownAs = routeId(form);
      const shownState = RENDERING_STATES.find((known) => known === state);
      return shownAs && shownState ? [{ name: String(name), capabilityId: String(capabilityId), definitionFingerprint: String(definitionFingerprint), form: shownAs, state: shownState }] : [];
    });
    const missed = list(data['funnel']).flatMap((stage) => (LATE.has(String(record(stage)['stage'])) ? list(record(stage)['lost']).map((lost) => ({ capabilityId: String(record(lost)['capabilityId']), reason: String(record(lost)['reason']) })) : []));
    return [{ turn: Number(data['turn']), model: String(data['model']), route, request: String(data['request'] ?? ''), exposed, missed }];
  });
