import { z } from 'zod';
import { CapabilityRowSchema } from '../capability.ts';
import { ENTRY_KINDS } from '../market-facets.ts';
import { RunSchema } from '../run.ts';
import { request } from './define.ts';

const FoundCapabilitySchema = CapabilityRowSchema.pick({ id: true, serverId: true, kind: true, name: true, title: true });

export const searchRequests = {
  /**
   * The best of what a window does not hold itself, asked at every key stroke: capabilities and market entries by their words, runs and calls by the beginning of
   * their id (six characters or more). Nothing typed finds nothing, and makes the indexes.
   */
  'search:find': request(
    'read',
    z.object({ query: z.string().max(1000).default(''), limit: z.number().int().min(1).max(50).default(7) }),
    z.object({
      capabilities: z.array(FoundCapabilitySchema),
      entries: z.array(z.object({ id: z.string(), name: z.string(), publisher: z.string(), kind: z.enum(ENTRY_KINDS) })),
      runs: z.array(RunSchema.pick({ id: true, kind: true, title: true, startedAt: true })),
      calls: z.array(z.object({ id: z.string(), runId: z.string(), capabilityId: z.string(), createdAt: z.number() })),
    }),
  ),
} as const;
