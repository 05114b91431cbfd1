import type { Funnel, FunnelStage } from '../../shared/capability.ts';

export interface FunnelBar {
  readonly stage: FunnelStage;
  readonly count: number;
  /** share of the widest stage, 0..1 */
  readonly share: number;
  /** how many the step before had and this has not */
  readonly lost: number;
  readonly evaluated: boolean;
}

/** Heights and losses of the funnel. A stage that was not evaluated has no height and loses nothing. */
export const funnelBars = (funnel: Funnel): FunnelBar[] => {
  const top = Math.max(1, ...funnel.stages.map((s) => (s.evaluated ? s.count : 0)));
  return funnel.stages.map((s) => ({ stage: s.stage, count: s.count, share: s.evaluated ? s.count / top : 0, lost: s.evaluated ? s.lost.length : 0, evaluated: s.evaluated }));
};

/** A resource is no tool of the request and yet at hand: the agent reads it by the host's own tool. */
export const READ_INSTEAD = 'by_read_resource';

/** The last stage that was evaluated says what the principal has now, with the resources that it may read. */
export const funnelEnd = (funnel: Funnel): { readonly seen: number; readonly of: number; readonly stage: FunnelStage } => {
  const evaluated = funnel.stages.filter((s) => s.evaluated);
  const last = evaluated.at(-1);
  const readable = evaluated.reduce((sum, { lost }) => sum + lost.filter(({ reason }) => reason === READ_INSTEAD).length, 0);
  return { seen: (last?.count ?? 0) + readable, of: evaluated[0]?.count ?? 0, stage: last?.stage ?? 'registered' };
};

/** Where one capability drops out and why; null while it is still in. */
export const funnelLoss = (funnel: Funnel, capabilityId: string): { readonly stage: FunnelStage; readonly reason: string } | null => {
  for (const s of funnel.stages) {
    const lost = s.lost.find((l) => l.capabilityId === capabilityId);
    if (lost !== undefined) return { stage: s.stage, reason: lost.reason };
  }
  return null;
};

/** Reasons come as a code, or as a code and a detail after a colon; what is no known code is shown as the host's words. */
export const reasonParts = (reason: string): { readonly code: string; readonly detail: string } => {
  const match = /^([a-z][a-z0-9_]*)(?:: ?([\s\S]*))?$/.exec(reason);
  return match === null ? { code: '', detail: reason } : { code: match[1]!, detail: match[2] ?? '' };
};
