import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { PolicyDecision, PolicyQuestion } from '../policy/decide.ts';
import type { FrozenCall } from './normalize.ts';

export interface PolicyPort {
  decide(question: PolicyQuestion): PolicyDecision;
  /** hash of the rules in force at `now` */
  version(now: number): string;
}

/** A frozen call that may go on: by a rule at once (allow), or after a person's yes (ask). A denied one has no such value. */
export interface JudgedCall {
  readonly stage: 'judged';
  readonly frozen: FrozenCall;
  readonly decision: PolicyDecision & { readonly effect: 'allow' | 'ask' };
  readonly policyVersion: string;
}

/** Reviewed by a person or by our catalogue: a server's own word never lowers risk (S12). */
const isReviewed = (frozen: FrozenCall): boolean => {
  const { tierSource, needsReview } = frozen.planned.candidate.capability;
  return (tierSource === 'catalog' || tierSource === 'user') && !needsReview;
};

export const questionOf = (frozen: FrozenCall, now: number): PolicyQuestion => {
  const { request, candidate } = frozen.planned;
  return {
    principal: request.principal,
    capabilityId: request.capabilityId,
    serverId: candidate.capability.serverId,
    tier: candidate.tier,
    reviewed: isReviewed(frozen),
    partlyChecked: candidate.schemaState.state === 'partly_checked',
    definitionFingerprint: candidate.definitionFingerprint,
    input: frozen.value,
    now,
  };
};

/** The policy stage. Error: denied, with the rule that decided (details.ruleId). */
export const judge = (frozen: FrozenCall, policy: PolicyPort, now: number): Result<JudgedCall, Fault & { readonly code: 'denied' }> => {
  const decision = policy.decide(questionOf(frozen, now));
  if (decision.effect === 'deny') {
    const denied = fault('denied', `A rule denies this call: ${decision.reason}`, { details: { by: 'rule', ruleId: decision.ruleId }, remedy: 'The rules page shows the rule; it can be revoked there.' });
    return err({ ...denied, code: 'denied' });
  }
  return ok({ stage: 'judged', frozen, decision: { ...decision, effect: decision.effect }, policyVersion: policy.version(now) });
};
