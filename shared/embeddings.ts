import { z } from 'zod';
import { FaultSchema } from './fault-schema.ts';

/** The endpoint that vectors come from. The key is not given out. */
export const EmbeddingsSchema = z.object({
  provider: z.string(),
  baseUrl: z.string(),
  model: z.string(),
  /** asked for; null: as the model has it */
  dimensions: z.number().nullable(),
  hasKey: z.boolean(),
  enabled: z.boolean(),
  /** its address is on this computer */
  isLocal: z.boolean(),
  setAt: z.number(),
});
export type Embeddings = z.infer<typeof EmbeddingsSchema>;

/**
 * Why a model takes no part: `too_few` tools with descriptions to judge by; `chance`: it finds a tool by the rest of its own description hardly more often than
 * by chance; `weak`: clearly less often than Gantry's words do; `words_only`: without
 * the words that both halves share it finds less than Gantry's words do; `no_gain`: together they find no more than the words alone.
 */
export const GATE_REASONS = ['too_few', 'chance', 'weak', 'words_only', 'no_gain'] as const;
export type GateReason = (typeof GATE_REASONS)[number];

/** What was measured on the person's own tools. Shares are mean reciprocal ranks, 0 to 1. `weight`: how far, of the best score, a tool may be moved; 0: not at all. */
export const EmbeddingsGateSchema = z.object({
  weight: z.number().min(0).max(1),
  why: z.enum(GATE_REASONS).nullable(),
  /** tools that were tried, among how many */
  tried: z.number(),
  among: z.number(),
  model: z.number(),
  words: z.number(),
  together: z.number(),
  /** whether it reads a Chinese sentence as its English one; null: not tried. Else Chinese requests are ranked by words alone */
  chinese: z.boolean().nullable(),
});
export type EmbeddingsGate = z.infer<typeof EmbeddingsGateSchema>;

export const EMBEDDINGS_STATES = ['none', 'off', 'waiting', 'indexing', 'judging', 'failed', 'gated', 'on'] as const;

/**
 * `waiting`: for the first tools, or for a moment to begin. `gated`: it takes no part, `gate.why` says why. `failed`: `fault`, and `againAt` (ms since epoch) where it is
 * tried again by itself. `done` of `of` definitions have a vector. Requests since the start of the host, `retries` among them; `texts` that went out.
 */
export const EmbeddingsStatusSchema = z.object({
  state: z.enum(EMBEDDINGS_STATES),
  done: z.number(),
  of: z.number(),
  /** of the vectors; null before the first */
  dimension: z.number().nullable(),
  gate: EmbeddingsGateSchema.nullable(),
  fault: FaultSchema.nullable(),
  againAt: z.number().nullable(),
  requests: z.number(),
  retries: z.number(),
  texts: z.number(),
});
export type EmbeddingsStatus = z.infer<typeof EmbeddingsStatusSchema>;

/** In the order in which they are tried; the first that fails ends the test. `vectors`: one for each text, finite, of one dimension, not all alike; `same`: of the dimension of before. */
export const EMBEDDINGS_TEST_STEPS = ['reach', 'key', 'model', 'answer', 'vectors', 'same'] as const;
export const EmbeddingsTestSchema = z.object({
  ok: z.boolean(),
  steps: z.array(z.object({ step: z.enum(EMBEDDINGS_TEST_STEPS), state: z.enum(['ok', 'failed', 'not_tried']), fault: FaultSchema.nullable() })),
  answer: z.object({ ms: z.number(), dimension: z.number() }).nullable(),
});
export type EmbeddingsTest = z.infer<typeof EmbeddingsTestSchema>;
