import { z } from 'zod';
import type { ReadDb } from './database.ts';

const Row = z.object({ capability_id: z.string(), principal: z.string(), stage: z.string(), code: z.string().nullable(), class: z.string().nullable(), created_at: z.number(), message: z.string().nullable() });

/** A call that failed, without its input. Times in ms since epoch; `message` is the fault's, as it is stored: masked. */
export interface FailedCall {
  readonly capabilityId: string;
  readonly principal: string;
  readonly stage: string;
  readonly code: string | null;
  readonly class: string | null;
  readonly at: number;
  readonly message: string | null;
}

/** Newest first: the last rows of the table are looked at, and no more. */
export const lastFailures = (db: ReadDb, limit: number): readonly FailedCall[] =>
  db
    .all(
      `SELECT capability_id, principal, stage, code, class, created_at, CASE WHEN json_valid(fault_json) THEN fault_json ->> 'message' END AS message
       FROM (SELECT * FROM invocations ORDER BY rowid DESC LIMIT 5000) WHERE state = 'failed' ORDER BY created_at DESC LIMIT ?`,
      [limit],
    )
    .map((raw) => {
      const r = Row.parse(raw);
      return { capabilityId: r.capability_id, principal: r.principal, stage: r.stage, code: r.code, class: r.class, at: r.created_at, message: r.message };
    });
