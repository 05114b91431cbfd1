import { z } from 'zod';
import { FaultSchema } from './fault-schema.ts';
import { RouteIdSchema } from './rendering.ts';

/** Per million tokens, in one currency. Without `cachedInput` cached tokens count as input. */
export const PricesSchema = z.object({
  input: z.number().min(0).max(1_000_000),
  output: z.number().min(0).max(1_000_000),
  cachedInput: z.number().min(0).max(1_000_000).optional(),
  /** ISO 4217 */
  currency: z.string().regex(/^[A-Z]{3}$/),
});
export type Prices = z.infer<typeof PricesSchema>;

/** What a model carries, in tokens, as its provider states it; null: not known. */
export const ModelLimitsSchema = z.object({
  contextTokens: z.number().int().min(1_000).max(100_000_000).nullable().default(null),
  maxOutputTokens: z.number().int().min(16).max(10_000_000).nullable().default(null),
});
export type ModelLimits = z.infer<typeof ModelLimitsSchema>;

/** A model that may be asked. The key is not given out. */
export const ModelSchema = z.object({
  id: z.string(),
  /** as the person calls it; else the model's name */
  label: z.string(),
  provider: z.string(),
  baseUrl: z.string(),
  model: z.string(),
  routeId: RouteIdSchema,
  /** a person chose the route; else it follows from provider, model and address */
  routeSet: z.boolean(),
  hasKey: z.boolean(),
  /** asked where nothing else is named */
  isDefault: z.boolean(),
  prices: PricesSchema.nullable(),
  limits: ModelLimitsSchema,
  setAt: z.number(),
});
export type Model = z.infer<typeof ModelSchema>;

/** Tokens as the provider counted them; `estimated` where it did not. `cost` in `currency`; null without a price. Cached tokens are among the input. */
export const UsageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number(),
  cost: z.number().nullable(),
  currency: z.string().nullable(),
  estimated: z.boolean(),
});
export type Usage = z.infer<typeof UsageSchema>;

/**
 * In the order in which they are tried; the first that fails ends the test. `reach`: name, connection, proxy, certificate; `key`; `model`: the name is known;
 * `answer`: in the protocol; `tools`: it calls a tool when asked to.
 */
export const MODEL_TEST_STEPS = ['reach', 'key', 'model', 'answer', 'tools'] as const;
export const ModelTestSchema = z.object({
  ok: z.boolean(),
  steps: z.array(z.object({ step: z.enum(MODEL_TEST_STEPS), state: z.enum(['ok', 'failed', 'not_tried']), fault: FaultSchema.nullable() })),
  /** what the provider said of itself and of the answer, where it came to that */
  answer: z.object({ ms: z.number(), usage: UsageSchema, text: z.string() }).nullable(),
  /** names of models that the address lists, at most 200; null where it lists none */
  offered: z.array(z.string()).nullable(),
});
export type ModelTest = z.infer<typeof ModelTestSchema>;
