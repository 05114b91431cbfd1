import { z } from 'zod';
import { ViaSchema } from './principal-schema.ts';
import { TierSchema } from './tier-schema.ts';

/** pending -> approved -> consumed | denied | expired | void; single use (A01). */
export const ApprovalStateSchema = z.enum(['pending', 'approved', 'consumed', 'denied', 'expired', 'void']);
export type ApprovalState = z.infer<typeof ApprovalStateSchema>;

/** Why an approval became void: kept as its reason, and as `cause` in the fault of its call and in the evidence. Besides these, the code of the fault that was met. */
export const VOID_CAUSES = ['edited', 'stopped', 'rules_changed', 'binding_changed', 'definition_changed', 'access_revoked', 'not_admitted', 'out_of_scope', 'gone', 'configuration_changed', 'clock_set_back', 'input_not_shown', 'restarted', 'disabled', 'quarantined', 'removed', 'source_failed'] as const;
export type VoidCause = (typeof VOID_CAUSES)[number];

export const ApprovalSchema = z.object({
  id: z.string(),
  invocationId: z.string(),
  runId: z.string(),
  runTitle: z.string(),
  principal: z.string(),
  /** the way in of its run, where it was recorded */
  via: ViaSchema.optional(),
  capabilityId: z.string(),
  capabilityTitle: z.string(),
  /** the server's own words, untrusted */
  serverSays: z.string().optional(),
  tier: TierSchema,
  state: ApprovalStateSchema,
  frozenInput: z.string(),
  inputBytes: z.number(),
  inputHash: z.string(),
  /** what of the input tells it from another of the same tool, in a line */
  telling: z.string().optional(),
  nonce: z.string(),
  /** why it asks: the deciding rule in words */
  ruleId: z.string(),
  /** the last completed call of the same capability, for the difference view */
  previous: z.object({ invocationId: z.string(), at: z.number(), frozenInput: z.string(), identical: z.boolean() }).nullable(),
  /** what is not checked, or has changed; `place` is a JSON Pointer or a field, `kind` a code that says more of it, `detail` the host's English */
  notices: z.array(z.object({ code: z.string(), detail: z.string(), place: z.string().optional(), kind: z.string().optional() })),
  /** it waits, and its run ended with an earlier process: the call alone is sent, nobody goes on with its result */
  runLeft: z.literal(true).optional(),
  createdAt: z.number(),
  expiresAt: z.number(),
  decidedAt: z.number().nullable(),
  decidedBy: z.string().nullable(),
  /** denied: what the person wrote; void and expired: the cause, a code */
  reason: z.string().nullable(),
});
export type Approval = z.infer<typeof ApprovalSchema>;

/** An approval as a list shows it: without its input and what else is only decided on. */
export const ApprovalRowSchema = ApprovalSchema.pick({
  id: true, invocationId: true, runId: true, runTitle: true, principal: true, via: true, capabilityId: true, capabilityTitle: true, tier: true, state: true, telling: true, createdAt: true, expiresAt: true, decidedAt: true,
  decidedBy: true, reason: true,
});
export type ApprovalRow = z.infer<typeof ApprovalRowSchema>;
