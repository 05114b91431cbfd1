import { z } from 'zod';

/**
 * Reviewed: the tool takes a key of the caller in this argument and carries a repeat with the same key out once only. `required`: it is not called where the key
 * cannot be filled in.
 */
export const IdempotencySchema = z.object({ field: z.string().min(1).max(200), required: z.boolean() });
export type Idempotency = z.infer<typeof IdempotencySchema>;

/** The member of a request's `_meta` that carries the key as well (MCP: a prefix, a slash, a name). */
export const IDEMPOTENCY_META_KEY = 'gantry/idempotencyKey';

/** How long the first result answers repeats of the same write, in ms. */
export const FIRST_RESULT_KEPT_MS = 86_400_000;
