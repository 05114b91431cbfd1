import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { Via } from '../../shared/principal.ts';
import type { Candidate } from '../capabilities/candidate.ts';
import type { Undo } from '../capabilities/routes/undo.ts';

/** What a caller brings. `text` is raw JSON text and is preferred: numbers survive in it exactly. */
export interface CallRequest {
  readonly capabilityId: string;
  readonly principal: string;
  readonly via?: Via | undefined;
  readonly input: { readonly text: string } | { readonly value: unknown };
  /** the turn's binding, where there is a turn: another one now is drift */
  readonly bindingFingerprint?: string | undefined;
  /** what the rendering that the model saw introduced, to be taken out before the original judges */
  readonly undo?: Undo | null | undefined;
}

/** The one decision that funnel, candidates and planning share. */
export interface CandidatePort {
  candidate(capabilityId: string, principal: string): Result<Candidate, Fault>;
}

/** A request that may be made: by this principal, of this capability, as it stands at this moment. */
export interface PlannedCall {
  readonly stage: 'planned';
  readonly request: CallRequest;
  readonly candidate: Candidate;
}

/** Errors by name: unknown_capability, not_allowed, schema_excluded, binding_changed, and what the registry says of an absent source. Never another source. */
export const plan = (request: CallRequest, registry: CandidatePort): Result<PlannedCall, Fault> => {
  const found = registry.candidate(request.capabilityId, request.principal);
  if (!found.ok) return found;
  const candidate = found.value;
  if (candidate.capability.kind !== 'tool') return err(fault('not_allowed', 'Only tools are called; this is a resource or a prompt.', { details: { reason: 'not_a_tool' } }));
  const schema = candidate.schemaState;
  if (schema.state === 'excluded') return err(fault('schema_excluded', `The schema of this tool cannot be used: ${schema.reason}`, { field: schema.pointer }));
  if (request.bindingFingerprint !== undefined && request.bindingFingerprint !== candidate.bindingFingerprint) {
    return err(fault('binding_changed', 'The tool changed since this turn began; nothing was sent.', { remedy: 'Look at the present definition and ask again.' }));
  }
  return ok({ stage: 'planned', request, candidate });
};
