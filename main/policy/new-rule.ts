import { randomUUID } from 'node:crypto';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { PolicyRule } from '../../shared/rule.ts';
import { wellFormed } from '../evidence/well-formed.ts';

/** What a person fills in on the rules page. */
export type RuleInput = Pick<PolicyRule, 'effect' | 'principal' | 'capabilityId' | 'serverId' | 'tier' | 'conditions' | 'note' | 'expiresAt'>;

const needsValue = (op: string): boolean => op !== 'present' && op !== 'absent';

/**
 * A rule ready to stand. An allow rule names one capability and is pinned to its present definition, which `definitionOf` tells (A16);
 * only read only ones may be allowed by tier alone. Errors: invalid_request (field), or what definitionOf answers.
 */
export const newRule = (
  input: RuleInput,
  context: { readonly now: number; readonly by: string; readonly definitionOf: (capabilityId: string) => Result<string, Fault> },
): Result<PolicyRule, Fault> => {
  if (input.expiresAt !== null && input.expiresAt <= context.now) return err(fault('invalid_request', 'The end of the rule lies in the past.', { field: 'expiresAt' }));
  if (wellFormed(input.note).mended) return err(fault('invalid_request', 'The note holds half of a character (an unpaired surrogate).', { field: 'note' }));
  for (const [i, condition] of input.conditions.entries()) {
    const field = `conditions.${i}.value`;
    const sound = wellFormed(condition);
    if (sound.mended || sound.endlessAt !== null) return err(fault('invalid_request', 'The condition holds half of a character (an unpaired surrogate) or a number without end; no input can have it.', { field }));
    if (needsValue(condition.op) && condition.value === undefined) return err(fault('invalid_request', `The condition "${condition.op}" needs a value.`, { field }));
    if ((condition.op === 'starts_with' || condition.op === 'within_path') && typeof condition.value !== 'string') return err(fault('invalid_request', `The condition "${condition.op}" needs a text.`, { field }));
    if (condition.op === 'less_or_equal' && typeof condition.value !== 'number') return err(fault('invalid_request', 'The condition "less_or_equal" needs a number.', { field }));
  }
  let definitionFingerprint: string | null = null;
  if (input.effect === 'allow') {
    if (input.capabilityId === null && input.tier !== 'read_only') {
      return err(fault('invalid_request', 'An allow rule names one capability, or the read only tier.', { field: 'capabilityId', remedy: 'Choose the capability that this rule is for.' }));
    }
    if (input.capabilityId !== null) {
      const definition = context.definitionOf(input.capabilityId);
      if (!definition.ok) return definition;
      definitionFingerprint = definition.value;
    }
  }
  return ok({ ...input, id: randomUUID(), builtIn: false, definitionFingerprint, createdAt: context.now, createdBy: context.by, revokedAt: null });
};
