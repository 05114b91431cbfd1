import { z } from 'zod';
import { CapabilityKindSchema, CapabilityRowSchema } from './capability.ts';
import { CAPABILITY_STANDINGS } from './capability-standings.ts';
import { BUILT_IN_AGENT } from './principal.ts';
import { PrincipalSchema } from './principal-schema.ts';
import { TierSchema } from './tier-schema.ts';

export const CapabilityStandingSchema = z.enum(CAPABILITY_STANDINGS);

/** What a list of capabilities is narrowed by: every word has to be in id, title or description; case does not count. */
export const CapabilityFilterSchema = z.object({
  serverId: z.string().optional(),
  needsReview: z.boolean().optional(),
  kind: CapabilityKindSchema.optional(),
  tier: TierSchema.optional(),
  words: z.string().max(500).optional(),
  standing: CapabilityStandingSchema.optional(),
  principal: PrincipalSchema.default(BUILT_IN_AGENT),
});
export type CapabilityFilter = z.infer<typeof CapabilityFilterSchema>;

/**
 * A page of what fits. Whatever the page: `total` fit, out of `of` of this server or of all, of which `toReview` wait for a review; `allowable` and `allowed` of those
 * that fit could be allowed to the principal now, or are.
 */
export const CapabilityPageSchema = z.object({ rows: z.array(CapabilityRowSchema), total: z.number(), of: z.number(), toReview: z.number(), allowable: z.number(), allowed: z.number() });

/** What allowing or withdrawing all that fits would move; `leftOut` fit, but may not be allowed as they are. */
export const AccessPreviewSchema = z.object({ capabilityIds: z.array(z.string()), byTier: z.record(TierSchema, z.number()), leftOut: z.number() });
export type AccessPreview = z.infer<typeof AccessPreviewSchema>;
