import { z } from 'zod';

/** Which ended runs: named ones, those that began before a moment (ms since epoch), those older than so many days, or all. */
export const HistorySelectSchema = z.union([
  z.strictObject({ runIds: z.array(z.string().min(1).max(100)).min(1).max(10_000) }),
  z.strictObject({ before: z.number().int().min(0) }),
  z.strictObject({ olderThanDays: z.number().int().min(1).max(36_500) }),
  z.strictObject({ all: z.literal(true) }),
]);
export type HistorySelect = z.infer<typeof HistorySelectSchema>;

/** Runs that a selection meets and that stay: open ones always, ones with an unknown outcome unless they are asked for, records of deletion always. */
export const HistoryKeptSchema = z.object({
  open: z.number(),
  records: z.number(),
  outcomeUnknown: z.number(),
  /** the newest hundred of them */
  outcomeUnknownRuns: z.array(z.object({ runId: z.string(), title: z.string(), startedAt: z.number() })),
});
export const HistoryPreviewSchema = z.object({
  runs: z.number(),
  events: z.number(),
  calls: z.number(),
  resultBytes: z.number(),
  /** start of the first and the last of them; null where there is none */
  oldestAt: z.number().nullable(),
  newestAt: z.number().nullable(),
  kept: HistoryKeptSchema,
});
export type HistoryPreview = z.infer<typeof HistoryPreviewSchema>;

export const HistoryDeletedSchema = z.object({
  runs: z.number(),
  events: z.number(),
  calls: z.number(),
  /** the run whose chain says what was deleted; null where nothing was */
  recordRunId: z.string().nullable(),
  /** the database with its log */
  beforeBytes: z.number(),
  afterBytes: z.number(),
  /** false: it was cut off by the end of Gantry; what was deleted until then is on record */
  whole: z.boolean(),
  kept: HistoryKeptSchema,
});
export type HistoryDeleted = z.infer<typeof HistoryDeletedSchema>;

/** What is left of a deleted run. */
export const DeletedRunSchema = z.object({
  runId: z.string(),
  kind: z.string(),
  state: z.string(),
  code: z.string().nullable(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  eventCount: z.number(),
  calls: z.number(),
  headHash: z.string(),
  deletedAt: z.number(),
  /** user, script or command as in an approval's record; host where the retention of the settings did it */
  deletedBy: z.string(),
  recordRun: z.string(),
});
export type DeletedRun = z.infer<typeof DeletedRunSchema>;
