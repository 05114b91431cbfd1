import { z } from 'zod';
import { RunSchema } from './run.ts';
import { RUN_STANDINGS } from './run-standings.ts';

export const RunStandingSchema = z.enum(RUN_STANDINGS);

/** What a list of runs is narrowed by. Every word has to be in the title, the ids or the id of a capability that was called. Times are ms since epoch, `to` is not included. */
export const RunFilterSchema = z.object({
  words: z.string().max(500).optional(),
  standing: RunStandingSchema.optional(),
  serverId: z.string().max(200).optional(),
  capabilityId: z.string().max(2048).optional(),
  from: z.number().int().optional(),
  to: z.number().int().optional(),
});
export type RunFilter = z.infer<typeof RunFilterSchema>;

export const RunCountsSchema = z.record(RunStandingSchema, z.number());

/** `found` of `total` fit; `counts`: of those that all but the standing lets through; `upTo`: the newest run of this answer's question. */
export const RunListSchema = z.object({ runs: z.array(RunSchema), found: z.number().optional(), total: z.number().optional(), upTo: z.string().optional(), counts: RunCountsSchema.optional() });
