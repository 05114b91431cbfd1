import type { Scope } from '../../shared/agent-profile.ts';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import { USER } from '../../shared/principal.ts';
import type { Via } from '../../shared/principal.ts';
import type { Candidate } from '../capabilities/candidate.ts';
import type { Undo } from '../capabilities/routes/undo.ts';
import { bindingChanged, driftOf, type TurnBinding } from '../capabilities/turn-binding.ts';

/** A model's own call: the name it used, its id in the model's reply, the turn of the run (from 1). */
export interface ShownAs {
  readonly turn: number;
  readonly name: string;
  readonly callId: string;
}

/** What a caller brings. `text` is raw JSON text and is preferred: numbers survive in it exactly. */
export interface CallRequest {
  readonly capabilityId: string;
  readonly principal: string;
  readonly via?: Via | undefined;
  /** the run it belongs to: what a tool of the host's own may look at */
  readonly runId: string;
  /** of the run: narrows what the principal may use */
  readonly scope?: Scope | null | undefined;
  readonly input: { readonly text: string } | { readonly value: unknown };
  /** the turn's binding, where there is a turn: another one now is drift */
  readonly binding?: TurnBinding | undefined;
  /** where the model asked for it, for the evidence */
  readonly shown?: ShownAs | undefined;
  /** the turn's request did not carry it, an earlier one of the run did */
  readonly isUnshown?: boolean | undefined;
  /** what the rendering that the model saw introduced, to be taken out before the original judges */
  readonly undo?: Undo | null | undefined;
  /** to be sent again as a new call: no first result answers it, its key is a new one, and where it may have effects a person is asked */
  readonly fresh?: boolean | undefined;
  /** a key that stands in the input was written by a person and stays */
  readonly keepsKey?: boolean | undefined;
}

/** The one decision that funnel, candidates and planning share. */
export interface CandidatePort {
  /** `scope` narrows what the principal may use further. */
  candidate(capabilityId: string, principal: string, scope?: Scope | null): Result<Candidate, Fault>;
  /** what the capability is bound by now, whoever asks; null: not offered */
  bound(capabilityId: string): TurnBinding | null;
}

/** A request that may be made: by this principal, of this capability, as it stands at this moment. */
export interface PlannedCall {
  readonly stage: 'planned';
  readonly request: CallRequest;
  readonly candidate: Candidate;
}

/**
 * Tool Guard: a call of a turn is a call of what the turn was shown. Drift comes before what else stands against the call, which mostly follows from it (a
 * changed definition has lost its review); a review that only withdrew admission is told as that.
 */
const guard = (bound: TurnBinding, capabilityId: string, registry: CandidatePort, found: Result<Candidate, Fault>): Fault | null => {
  if (found.ok && found.value.bindingFingerprint === bound.fingerprint) return null;
  const drift = driftOf(bound, registry.bound(capabilityId));
  const standing = found.ok ? null : found.error;
  return found.ok || drift.moved.some((part) => part !== 'review') ? bindingChanged(drift, standing) : null;
};

/** Errors by name: unknown_capability, not_allowed, schema_excluded, binding_changed, and what the registry says of an absent source. Never another source. */
export const plan = (request: CallRequest, registry: CandidatePort): Result<PlannedCall, Fault> => {
  if (request.shown?.name.trim() === '') return err(fault('unknown_capability', 'The call names no tool.', { remedy: 'Name one of the tools of this request.', details: { reason: 'no_name' } }));
  const found = registry.candidate(request.capabilityId, request.principal, request.scope);
  const drifted = request.binding === undefined ? null : guard(request.binding, request.capabilityId, registry, found);
  if (drifted) return err(drifted);
  if (!found.ok) return found;
  if (request.isUnshown === true) return err(fault('not_allowed', 'The request of this turn did not carry this tool, though an earlier one did.', { remedy: 'Use the tools of this request.', details: { reason: 'not_in_turn' } }));
  const candidate = found.value;
  if (candidate.capability.kind === 'prompt' && request.principal !== USER) return err(fault('not_allowed', 'A prompt is started by a person, never by a model.', { details: { reason: 'prompt_by_person' } }));
  const schema = candidate.schemaState;
  if (schema.state === 'excluded') return err(fault('schema_excluded', `The schema of this tool cannot be used: ${schema.reason}`, { field: schema.pointer }));
  return ok({ stage: 'planned', request, candidate });
};
