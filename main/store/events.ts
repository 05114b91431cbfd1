import { z } from 'zod';
import type { EvidenceEvent } from '../../shared/run.ts';
import { countIn } from './count-row.ts';
import type { ReadDb, WriteDb } from './database.ts';

/** A row as it lies in the table; `data_json` is not parsed, so that verify can judge the very text. */
export const EventRowSchema = z.object({
  run_id: z.string(),
  seq: z.number(),
  prev_hash: z.string(),
  hash: z.string(),
  at: z.number(),
  type: z.string(),
  invocation_id: z.string().nullable(),
  data_json: z.string(),
});
export type EventRow = z.infer<typeof EventRowSchema>;

/** Append only: there is no update and no delete of an event anywhere. A trigger refuses one that does not follow the event before it (A22). */
export const insertEvent = (db: WriteDb, row: EventRow): void => {
  db.run('INSERT INTO events (run_id, seq, prev_hash, hash, at, type, invocation_id, data_json) VALUES (?,?,?,?,?,?,?,?)', [
    row.run_id, row.seq, row.prev_hash, row.hash, row.at, row.type, row.invocation_id, row.data_json,
  ]);
};

/** Rows with `seq` above `after`, in order, at most `limit`. */
export const eventRows = (db: ReadDb, runId: string, after: number, limit: number): readonly EventRow[] =>
  db.all('SELECT * FROM events WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?', [runId, after, limit]).map((row) => EventRowSchema.parse(row));

const readData = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // an edited row is still listed; verify names it
  }
  return { unreadable: text };
};

export const toEvent = (row: EventRow): EvidenceEvent => ({
  runId: row.run_id,
  seq: row.seq,
  prevHash: row.prev_hash,
  hash: row.hash,
  at: row.at,
  type: row.type,
  invocationId: row.invocation_id,
  data: readData(row.data_json),
});

export const eventsOf = (db: ReadDb, runId: string): readonly EvidenceEvent[] => eventRows(db, runId, -1, Number.MAX_SAFE_INTEGER).map(toEvent);

export const countEvents = (db: ReadDb, invocationId: string, runId: string, type: string): number =>
  countIn(db.get('SELECT count(*) AS n FROM events WHERE run_id = ? AND invocation_id = ? AND type = ?', [runId, invocationId, type]));
