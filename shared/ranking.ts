import { z } from 'zod';

/** One candidate of a request as it was ranked. */
export const RankedCandidateSchema = z.object({
  capabilityId: z.string(),
  /** from 1 */
  place: z.number(),
  /** what the parts come to; the same request and tools give the same score */
  score: z.number(),
  /** what each reason gives to the score (shared/planner.ts, and `semantic`, `learned`), rounded; what gives nothing is left out */
  parts: z.record(z.string(), z.number()),
  exposed: z.boolean(),
  /** what brought it in (host_tool, pinned, found, rank, or rest: a place was left), or why it was left out */
  reason: z.string(),
});
export type RankedCandidate = z.infer<typeof RankedCandidateSchema>;

/** Whether the semantic stage took part in the order, and why where it did not: off, all_fit, nothing_to_match, failed, timeout, or the stage's own reason. */
export const SemanticPartSchema = z.object({ tookPart: z.boolean(), reason: z.string().optional() });
export type SemanticPart = z.infer<typeof SemanticPartSchema>;

/** How the candidates of one request were ranked: all of them, or the best of many. */
export const SelectionRecordSchema = z.object({
  /** candidates that fit the route */
  of: z.number(),
  /** so many of them were looked at closely: the best by words and meaning, and those that come before others */
  topK: z.number(),
  semantic: SemanticPartSchema,
  /** no ranking could be had: the candidates stand in their usual order */
  failed: z.boolean().optional(),
  ranked: z.array(RankedCandidateSchema),
});
export type SelectionRecord = z.infer<typeof SelectionRecordSchema>;
