import { z } from 'zod';
import { FunnelStageSchema } from './capability.ts';
import { TierSchema } from './tier-schema.ts';

/** What speaks for a tool: its name, its words, what it does, what it is about, its first sentence, neighbouring words, one thing or many. */
export const PLAN_REASONS = ['name', 'words', 'verb', 'meaning', 'lead', 'pairs', 'number'] as const;
export type PlanReason = (typeof PLAN_REASONS)[number];

export const PlannedToolSchema = z.object({
  capabilityId: z.string(),
  serverId: z.string(),
  /** how the person calls the server */
  serverName: z.string(),
  name: z.string(),
  title: z.string().optional(),
  /** the server's words, cut at 400 characters */
  description: z.string().optional(),
  tier: TierSchema,
  /** the strongest first, at most three */
  reasons: z.array(z.enum(PLAN_REASONS)),
  /** words of the request that the tool's own name or texts have, as the person wrote them */
  matched: z.array(z.string()),
  /** where it drops out for this principal; null: it may be used now */
  loss: z.object({ stage: FunnelStageSchema, reason: z.string() }).nullable(),
  /** the person may fill in its input by hand: it can be reached, and its schema can be used */
  usable: z.boolean(),
});
export type PlannedTool = z.infer<typeof PlannedToolSchema>;
