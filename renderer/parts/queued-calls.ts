import type { Invocation } from '../../shared/call.ts';
import { isObject } from '../../shared/is-object.ts';
import type { EvidenceEvent } from '../../shared/run.ts';

/** A call that the model wants and that is not on the line yet: another one of its server has to end before. */
export interface QueuedCall {
  readonly id: string;
  /** as the model was shown it */
  readonly name: string;
}

const HOSTS = /^host__/;
const shownOf = ({ data: { shown } }: EvidenceEvent): string | null => (isObject(shown) ? `${String(shown['turn'])} ${String(shown['callId'])}` : null);

/**
 * Calls of the last turn that wait for their place at their server. `replies`: the rows of replies; `entered`: the rows of calls that are on the line. While none of
 * them is under way nothing is waited for: what is not there yet is about to come.
 */
export const queuedCalls = (replies: readonly EvidenceEvent[], entered: readonly EvidenceEvent[], isUnderWay: boolean): readonly QueuedCall[] => {
  const last = replies.findLast(({ type }) => type === 'turn.reply');
  if (!isUnderWay || last === undefined || !Array.isArray(last.data['calls'])) return [];
  const there = new Set(entered.map(shownOf));
  return (last.data['calls'] as readonly unknown[]).flatMap((one) => {
    if (!isObject(one) || typeof one['id'] !== 'string' || typeof one['name'] !== 'string') return [];
    return HOSTS.test(one['name']) || there.has(`${String(last.data['turn'])} ${one['id']}`) ? [] : [{ id: one['id'], name: one['name'] }];
  });
};

/** A person said yes, and it is not sent yet: something of its turn is under way at its server, or its server is not ready. */
export const isHeldAfterYes = ({ state }: Pick<Invocation, 'state'>, events: readonly EvidenceEvent[]): boolean => {
  if (state !== 'awaiting_approval') return false;
  const last = events.findLast(({ type }) => type.startsWith('approval.'));
  return last?.type === 'approval.decided' && last.data['decision'] === 'approve';
};
