import { z } from 'zod';
import type { ReadDb } from './database.ts';

const CountsSchema = z.object({ total: z.number(), failed: z.number().nullable(), unknown: z.number().nullable(), last_unknown_at: z.number().nullable() });

/** How the calls to one server's capabilities ended; `lastUnknownAt` in ms since epoch. Uses the index over capability ids. */
export const countOutcomes = (db: ReadDb, serverId: string): { readonly total: number; readonly failed: number; readonly unknown: number; readonly lastUnknownAt: number | null } => {
  const row = CountsSchema.parse(
    db.get(
      `SELECT count(*) AS total, sum(state = 'failed') AS failed, sum(code = 'outcome_unknown') AS unknown, max(CASE WHEN code = 'outcome_unknown' THEN ended_at END) AS last_unknown_at
       FROM invocations WHERE capability_id >= ? AND capability_id < ?`,
      [`mcp:${serverId}:`, `mcp:${serverId};`],
    ),
  );
  return { total: row.total, failed: row.failed ?? 0, unknown: row.unknown ?? 0, lastUnknownAt: row.last_unknown_at };
};
