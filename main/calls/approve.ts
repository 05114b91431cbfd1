import type { VoidCause } from '../../shared/approval.ts';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { ApprovalRow } from '../store/approvals.ts';
import { inputHashOf } from './normalize.ts';
import type { FrozenCall } from './normalize.ts';
import type { JudgedCall } from './judge.ts';

/** What lets a call through: a rule, or one approval, used up by it. */
export type Permit = { readonly kind: 'rule'; readonly ruleId: string } | { readonly kind: 'approval'; readonly approvalId: string; readonly by: string };

const MADE_HERE = Symbol('made by approve');

class Approved {
  readonly #made = true;
  readonly stage = 'approved';
  readonly frozen: FrozenCall;
  readonly permit: Permit;

  constructor(key: typeof MADE_HERE, frozen: FrozenCall, permit: Permit) {
    if (key !== MADE_HERE) throw new TypeError('an approved call is made by approve only');
    this.frozen = frozen;
    this.permit = Object.freeze({ ...permit });
    Object.freeze(this);
  }

  static is(value: unknown): value is Approved {
    return typeof value === 'object' && value !== null && #made in value && value.#made;
  }
}

/** What dispatch takes. The class is not exported as a value: nothing outside this file can make one. */
export type ApprovedCall = Approved;
export const isApprovedCall = (value: unknown): value is ApprovedCall => Approved.is(value);

/** For a call that policy allows. Null when policy asks: then only a person's approval opens the way. */
export const approveByRule = (judged: JudgedCall): ApprovedCall | null =>
  judged.decision.effect === 'allow' ? new Approved(MADE_HERE, judged.frozen, { kind: 'rule', ruleId: judged.decision.ruleId }) : null;

const voided = (cause: VoidCause, message: string): Result<never, Fault> => err(fault('approval_void', message, { remedy: 'Ask again; nothing was sent.', details: { cause } }));

/** Everything the approval is bound to, once more, at the last moment (A04). `now` in ms. Errors: approval_void, approval_expired. */
export const stillHolds = (
  approval: ApprovalRow,
  present: { readonly bindingFingerprint: string; readonly policyVersion: string; readonly frozenInput: string; readonly elapsedMs: number; readonly clockMovedBack: boolean },
): Result<null, Fault> => {
  if (present.clockMovedBack) return voided('clock_set_back', 'The clock of this computer was set back after the approval was asked for.');
  if (present.elapsedMs >= approval.expiresAt - approval.createdAt) return err(fault('approval_expired', 'Nobody decided in time; nothing was sent.', { remedy: 'Ask again.' }));
  if (present.bindingFingerprint !== approval.bindingFingerprint) return voided('binding_changed', 'The tool, its launch or its review changed after the approval was asked for.');
  if (present.policyVersion !== approval.policyVersion) return voided('rules_changed', 'A rule changed after the approval was asked for.');
  if (inputHashOf(approval.capabilityId, approval.bindingFingerprint, present.frozenInput) !== approval.inputHash) return voided('input_not_shown', 'The stored input is not the one that was shown.');
  return ok(null);
};

/**
 * Uses the approval up: `consume` is the one atomic update and says whether this caller made it (A01). `present` as for stillHolds.
 * Errors: approval_void, approval_expired, conflict (already used).
 */
export const approveByPerson = (
  frozen: FrozenCall,
  approval: ApprovalRow,
  present: Parameters<typeof stillHolds>[1],
  consume: () => boolean,
): Result<ApprovedCall, Fault> => {
  const holds = stillHolds(approval, present);
  if (!holds.ok) return holds;
  if (frozen.inputHash !== approval.inputHash) return voided('input_not_shown', 'This approval was given for another input.');
  if (!consume()) return err(fault('conflict', 'This approval was already used.', { details: { state: 'consumed' } }));
  return ok(new Approved(MADE_HERE, frozen, { kind: 'approval', approvalId: approval.id, by: approval.decidedBy ?? 'unknown' }));
};
