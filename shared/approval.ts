import { z } from 'zod';
import { TierSchema } from './tier.ts';

/** pending -> approved -> consumed | denied | expired | void; single use (A01). */
export const ApprovalStateSchema = z.enum(['pending', 'approved', 'consumed', 'denied', 'expired', 'void']);
export type ApprovalState = z.infer<typeof ApprovalStateSchema>;

export const ApprovalSchema = z.object({
  id: z.string(),
  invocationId: z.string(),
  runId: z.string(),
  runTitle: z.string(),
  principal: z.string(),
  capabilityId: z.string(),
  capabilityTitle: z.string(),
  /** the server's own words, untrusted */
  serverSays: z.string().optional(),
  tier: TierSchema,
  state: ApprovalStateSchema,
  frozenInput: z.string(),
  inputBytes: z.number(),
  inputHash: z.string(),
  nonce: z.string(),
  /** why it asks: the deciding rule in words */
  ruleId: z.string(),
  /** the last completed call of the same capability, for the difference view */
  previous: z.object({ invocationId: z.string(), at: z.number(), frozenInput: z.string(), identical: z.boolean() }).nullable(),
  /** what is not checked, or has changed */
  notices: z.array(z.object({ code: z.string(), detail: z.string() })),
  createdAt: z.number(),
  expiresAt: z.number(),
  decidedAt: z.number().nullable(),
  decidedBy: z.string().nullable(),
  reason: z.string().nullable(),
});
export type Approval = z.infer<typeof ApprovalSchema>;
