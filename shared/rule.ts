import { z } from 'zod';
import { TierSchema } from './tier-schema.ts';

export const RuleEffectSchema = z.enum(['allow', 'ask', 'deny']);
export type RuleEffect = z.infer<typeof RuleEffectSchema>;

/** A condition on one argument, addressed by JSON Pointer. All conditions of a rule must hold. */
export const ArgumentConditionSchema = z.object({
  pointer: z.string().regex(/^(\/[^/]*)*$/),
  op: z.enum(['equals', 'not_equals', 'starts_with', 'within_path', 'less_or_equal', 'present', 'absent']),
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
});
export type ArgumentCondition = z.infer<typeof ArgumentConditionSchema>;

/**
 * A standing decision. Deny wins over ask, ask over allow. An allow rule names one capability and its definition,
 * so that a changed definition voids it (A16).
 */
export const PolicyRuleSchema = z.object({
  id: z.string(),
  builtIn: z.boolean(),
  effect: RuleEffectSchema,
  principal: z.string().nullable(),
  capabilityId: z.string().nullable(),
  serverId: z.string().nullable(),
  tier: TierSchema.nullable(),
  conditions: z.array(ArgumentConditionSchema),
  definitionFingerprint: z.string().nullable(),
  note: z.string(),
  createdAt: z.number(),
  createdBy: z.string(),
  expiresAt: z.number().nullable(),
  revokedAt: z.number().nullable(),
});
export type PolicyRule = z.infer<typeof PolicyRuleSchema>;
