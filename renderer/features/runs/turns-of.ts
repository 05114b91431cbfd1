import { BINDING_PARTS, type BindingPart } from '../../../shared/binding-parts.ts';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import { RENDERING_STATES, ROUTE_IDS, type RenderingState, type RouteId } from '../../../shared/route-ids.ts';
import type { EvidenceEvent } from '../../../shared/run.ts';
import { carriedHistory, type CarriedHistory } from '../../parts/carried-history.ts';

/** What a turn bound a tool to. */
export interface Bound {
  /** covers the others; the hash of each call's input covers it */
  readonly fingerprint: string;
  readonly launch: string;
  /** null: the server gave none */
  readonly instructions: string | null;
  /** null: nobody reviewed it */
  readonly review: string | null;
  /** what is another than in the last turn before that showed the tool */
  readonly moved: readonly BindingPart[];
}

export interface Turn {
  readonly turn: number;
  readonly model: string;
  readonly route: RouteId;
  readonly exposed: readonly { readonly name: string; readonly capabilityId: string; readonly definitionFingerprint: string; readonly form: RouteId; readonly state: RenderingState; readonly bound: Bound | null; readonly hostField: boolean }[];
  /** granted and still not shown, which is what a person would miss */
  readonly missed: readonly { readonly capabilityId: string; readonly reason: string }[];
  /** null in records from before it was told */
  readonly history: CarriedHistory | null;
  /** its row, without what was left out of the reading */
  readonly row: EvidenceEvent;
}

const record = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const routeId = (value: unknown): RouteId | undefined => ROUTE_IDS.find((id) => id === value);
const LATE = new Set(['fresh_healthy', 'fits_route', 'exposed']);

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Null for a row of a version that did not write it. */
const boundOf = (tool: Readonly<Record<string, unknown>>, sources: Readonly<Record<string, unknown>>): Omit<Bound, 'moved'> | null => {
  const source = record(sources[parseCapabilityId(String(tool['capabilityId']))?.serverId ?? '']);
  const [fingerprint, launch] = [text(tool['bindingFingerprint']), text(source['launchFingerprint'])];
  return fingerprint === null || launch === null ? null : { fingerprint, launch, instructions: text(source['instructionsFingerprint']), review: text(tool['review']) };
};

interface Seen {
  readonly definition: string;
  readonly bound: Omit<Bound, 'moved'>;
}
const movedSince = (before: Seen | undefined, now: Seen): readonly BindingPart[] => {
  if (before === undefined || before.bound.fingerprint === now.bound.fingerprint) return [];
  const isOther: Readonly<Record<BindingPart, boolean>> = {
    gone: false, definition: before.definition !== now.definition, launch: before.bound.launch !== now.bound.launch, instructions: before.bound.instructions !== now.bound.instructions, review: before.bound.review !== now.bound.review,
  };
  return BINDING_PARTS.filter((part) => isOther[part]);
};

/** The turns of a run, from its evidence; rows of an earlier version are left to the evidence. */
export const turnsOf = (events: readonly EvidenceEvent[]): readonly Turn[] => {
  const seen = new Map<string, Seen>();
  const boundIn = (tool: Readonly<Record<string, unknown>>, sources: Readonly<Record<string, unknown>>): Bound | null => {
    const bound = boundOf(tool, sources);
    if (bound === null) return null;
    const now = { definition: String(tool['definitionFingerprint']), bound };
    const moved = movedSince(seen.get(String(tool['capabilityId'])), now);
    seen.set(String(tool['capabilityId']), now);
    return { ...bound, moved };
  };
  return events.flatMap((row) => {
    const { type, data } = row;
    const route = routeId(data['route']);
    if (type !== 'turn.request' || route === undefined || !Array.isArray(data['funnel'])) return [];
    const exposed = list(data['exposed']).flatMap((one) => {
      const { name, capabilityId, definitionFingerprint, form, state, hostField } = record(one);
      const bound = boundIn(record(one), record(data['sources']));
      const shownAs = routeId(form);
      const shownState = RENDERING_STATES.find((known) => known === state);
      return shownAs && shownState ? [{ name: String(name), capabilityId: String(capabilityId), definitionFingerprint: String(definitionFingerprint), form: shownAs, state: shownState, bound, hostField: hostField === true }] : [];
    });
    const missed = list(data['funnel']).flatMap((stage) => (LATE.has(String(record(stage)['stage'])) ? list(record(stage)['lost']).map((lost) => ({ capabilityId: String(record(lost)['capabilityId']), reason: String(record(lost)['reason']) })) : []));
    return [{ turn: Number(data['turn']), model: String(data['model']), route, exposed, missed, history: carriedHistory(row), row }];
  });
};
