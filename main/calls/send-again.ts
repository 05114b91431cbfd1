import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { USER } from '../../shared/principal.ts';
import type { Via } from '../../shared/principal.ts';
import { err } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { EvidenceEvent } from '../../shared/run.ts';
import { canonicalText } from '../evidence/canonical.ts';
import type { Outcome } from './call-outcome.ts';
import { withoutKey } from './idempotency-key.ts';
import type { CallLine } from './run-call.ts';

/** The events of one call, by type. */
export type EventsOfCall = (runId: string, invocationId: string, types: readonly string[]) => readonly EvidenceEvent[];

/**
 * A call that the first result of the same write answered, sent as a new one: by the person, in a run of its own, with the same input under another key, after
 * asking (TM32). Answers at once. Errors: not_found, conflict (no first result answered it), else as any call.
 */
export const sendAgain = async (invocationId: string, via: Via, { line, eventsOf }: { readonly line: CallLine; readonly eventsOf: EventsOfCall }): Promise<Result<Outcome, Fault>> => {
  const call = line.get(invocationId);
  if (!call.ok) return call;
  const { capabilityId, frozenInput, runId } = call.value;
  const events = eventsOf(runId, invocationId, ['call.repeated', 'call.keyed']);
  if (frozenInput === null || !events.some(({ type }) => type === 'call.repeated')) {
    return err(fault('conflict', 'This call was not answered with the first result of another, so there is nothing to send again as new.', { field: 'invocationId', remedy: 'Try the capability on its page.' }));
  }
  const field = events.find(({ type }) => type === 'call.keyed')?.data['field'];
  const inputText = canonicalText(withoutKey(JSON.parse(frozenInput), typeof field === 'string' ? field : undefined));
  return line.tryCall({ capabilityId, principal: USER, via, inputText, fresh: true, wait: false });
};
