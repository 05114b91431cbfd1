import { z } from 'zod';
import { DeletedRunSchema, HistoryDeletedSchema, HistoryPreviewSchema, HistorySelectSchema } from '../history.ts';
import { request } from './define.ts';

export const historyRequests = {
  /** What `history:delete` would delete, and what it would keep. Changes nothing. */
  'history:preview': request('read', z.object({ select: HistorySelectSchema }), HistoryPreviewSchema),
  /**
   * Deletes ended runs with their calls, approvals, results and events for good, and gives the room back to the disk. A row and an event of a new
   * run keep that each was there. `conflict` while one is under way.
   */
  'history:delete': request('write', z.object({ select: HistorySelectSchema, includeOutcomeUnknown: z.boolean().default(false) }), HistoryDeletedSchema),
  /** Newest first. */
  'history:deleted': request('read', z.object({ limit: z.number().int().min(1).max(500).default(100), before: z.number().optional() }), z.object({ deleted: z.array(DeletedRunSchema) })),
} as const;
