import { z } from 'zod';
import { EmbeddingsSchema, EmbeddingsStatusSchema, EmbeddingsTestSchema } from '../embeddings.ts';
import { Empty, request } from './define.ts';

/** `key`: absent leaves the one that is kept for this very address, null takes it away. `dimensions`: asked of the model; null: as it has them. */
const EmbeddingsDraft = z.strictObject({
  provider: z.string().min(1).max(100),
  baseUrl: z.url({ protocol: /^https?$/ }).max(2000),
  model: z.string().trim().min(1).max(300),
  key: z.string().min(1).max(10_000).nullable().optional(),
  dimensions: z.number().int().min(8).max(8192).nullable().optional(),
});

/** The one embeddings endpoint that may help to rank tools (any that answers POST /embeddings as OpenAI's does). */
export const embeddingsRequests = {
  /** Null where none is set. The table of presets is shared/embedding-presets.ts. */
  'embeddings:get': request('read', Empty, z.object({ embeddings: EmbeddingsSchema.nullable(), status: EmbeddingsStatusSchema })),
  /**
   * Sets it, or with `enabled` alone switches it on or off; off, nothing is sent and what was computed stays. From then on the names, titles, descriptions and parameter names
   * of tools go to the address, and the texts of requests for which tools are ranked. Errors: not_found (`enabled` alone where none is set), those of the secret store (field /key).
   */
  'embeddings:set': request('write', EmbeddingsDraft.partial().extend({ enabled: z.boolean().optional() }), Empty),
  /** Asks for the vectors of four sentences of Gantry's own. `draft` without a key uses the kept one where the address is the same. What is wrong is in the steps. Errors: not_found, secret_store_locked. */
  'embeddings:test': request('write', z.object({ draft: EmbeddingsDraft.optional() }), EmbeddingsTestSchema),
  /** Tries again now what failed. Error: not_found. */
  'embeddings:retry': request('write', Empty, Empty),
  /** Its key and all its vectors go too. */
  'embeddings:remove': request('write', Empty, Empty),
} as const;
