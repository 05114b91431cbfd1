import { z } from 'zod';
import type { ReadDb } from './database.ts';
import { readableRows } from './readable-rows.ts';

const Data = z.string().transform((text) => z.record(z.string(), z.unknown()).parse(JSON.parse(text)));
const Row = z.object({ run_id: z.string(), invocation_id: z.string().nullable(), capability_id: z.string().nullable(), asked: Data, end_type: z.string().nullable(), end_at: z.number().nullable(), ended: Data.nullable() });

/** What is on record of a question: that it was asked, and how it ended; null where it does not say. */
export type AskedRow = z.infer<typeof Row>;

/** What servers asked, of the runs begun last, the newest first. One that no call was known for stands in each run that it may belong to. */
export const lastAsked = (db: ReadDb, limit: number): readonly AskedRow[] =>
  readableRows(
    db.all(
      `SELECT r.id AS run_id, a.invocation_id, i.capability_id, a.data_json AS asked, z.type AS end_type, z.at AS end_at, z.data_json AS ended
       FROM (SELECT id, run, invocation_id, data_json FROM events WHERE type = 'question.asked' ORDER BY id DESC LIMIT ?) a
       JOIN runs r ON r.n = a.run
       LEFT JOIN invocations i ON i.id = a.invocation_id
       LEFT JOIN events z ON z.id = (
         SELECT e.id FROM events e
         WHERE e.id > a.id AND e.id < (a.run + 1) << 24 AND e.type IN ('question.answered', 'question.voided') AND e.data_json ->> '$.questionId' = a.data_json ->> '$.questionId'
         ORDER BY e.id LIMIT 1)
       ORDER BY a.id DESC`,
      [limit],
    ),
    (raw) => Row.parse(raw),
  );
