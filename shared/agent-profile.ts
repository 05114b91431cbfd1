import { z } from 'zod';
import { TierSchema } from './tier-schema.ts';

/** Only narrows what a principal is granted. null: all of them. `topTier`: the highest risk that is let in; `unknown` counts as high write. */
export const ScopeSchema = z.object({
  servers: z.array(z.string().max(200)).max(1000).nullable().default(null),
  capabilities: z.array(z.string().max(2048)).max(10_000).nullable().default(null),
  topTier: TierSchema.nullable().default(null),
});
export type Scope = z.infer<typeof ScopeSchema>;

/** Of one run: model requests, tokens in and out together, money in the model's currency. null: no limit but the step limit's default. */
export const RunLimitsSchema = z.object({
  steps: z.number().int().min(1).max(200).nullable().default(null),
  tokens: z.number().int().min(100).max(1_000_000_000).nullable().default(null),
  money: z.number().min(0).max(1_000_000).nullable().default(null),
});
export type RunLimits = z.infer<typeof RunLimitsSchema>;
export const DEFAULT_STEPS = 20;

/** What a profile says: which model, how to work, and how far it may go. Its principal is `agent:<id>`; access is granted to that one. */
export const AgentProfileSchema = z.object({
  id: z.string(),
  principal: z.string(),
  /** empty for the profile `default` until a person names it */
  name: z.string(),
  /** null: the model in use */
  modelId: z.string().nullable(),
  instructions: z.string(),
  scope: ScopeSchema.nullable(),
  limits: RunLimitsSchema,
  setAt: z.number().nullable(),
});
export type AgentProfile = z.infer<typeof AgentProfileSchema>;
export const DEFAULT_PROFILE = 'default';
