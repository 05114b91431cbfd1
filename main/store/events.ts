import { z } from 'zod';
import type { EvidenceEvent } from '../../shared/run.ts';
import { countIn } from './count-row.ts';
import type { ReadDb, WriteDb } from './database.ts';
import { runNumber } from './runs.ts';

/** A row as it lies in the table; `data_json` is not parsed, so that verify can judge the very text. `prev_hash` is the hash of the row before it. */
export interface EventRow {
  readonly run_id: string;
  readonly seq: number;
  readonly prev_hash: string;
  readonly hash: string;
  readonly at: number;
  readonly type: string;
  readonly invocation_id: string | null;
  readonly data_json: string;
}

const Stored = z.object({ seq: z.number(), hash: z.string(), at: z.number(), type: z.string(), invocation_id: z.string().nullable(), data_json: z.string() });

/** Places that a run has: a key is the run's number times this, plus the place. */
export const PLACES = 2 ** 24;
const NO_HASH = '0'.repeat(64);

export type NewEventRow = Pick<EventRow, 'seq' | 'hash' | 'at' | 'type' | 'invocation_id' | 'data_json'>;

/** Rows that one statement takes: a step of a call has up to seven. */
const MOST_AT_ONCE = 8;
const INSERTS = Array.from(
  { length: MOST_AT_ONCE + 1 },
  (_, rows) => `INSERT INTO events (id, hash, at, type, invocation_id, data_json) VALUES ${Array<string>(rows).fill('(?,?,?,?,?,?)').join(',')}`,
);

/** Throws a RangeError when a run has no such place. */
export const assertPlace = (seq: number): void => {
  if (seq >= PLACES) throw new RangeError(`a run has at most ${PLACES - 1} events`);
};

/**
 * Append only: there is no update and no delete of an event anywhere. The table refuses one that does not follow the event before it (A22).
 * `run`: the number that insertRun gave. Throws as assertPlace (2^24 events).
 */
export const insertEvents = (db: WriteDb, run: number, rows: readonly NewEventRow[]): void => {
  for (let from = 0; from < rows.length; from += MOST_AT_ONCE) {
    const end = Math.min(from + MOST_AT_ONCE, rows.length);
    const values: (string | number | null)[] = [];
    for (let i = from; i < end; i += 1) {
      const row = rows[i]!;
      assertPlace(row.seq);
      values.push(run * PLACES + row.seq, row.hash, row.at, row.type, row.invocation_id, row.data_json);
    }
    db.run(INSERTS[end - from]!, values);
  }
};

const HashRow = z.object({ hash: z.string() });

/** The key of a run's place 0, or null when there is no such run. */
export const firstKey = (db: ReadDb, runId: string): number | null => {
  const n = runNumber(db, runId);
  return n === null ? null : n * PLACES;
};

/** Rows with `seq` above `after`, in order, at most `limit`. */
export const eventRows = (db: ReadDb, runId: string, after: number, limit: number): readonly EventRow[] => {
  const zero = firstKey(db, runId);
  if (zero === null || after >= PLACES) return [];
  const from = zero + Math.max(after, -1);
  const before = after < 0 ? undefined : db.get('SELECT hash FROM events WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1', [zero, from]);
  let prevHash = before === undefined ? NO_HASH : HashRow.parse(before).hash;
  return db.all('SELECT seq, hash, at, type, invocation_id, data_json FROM events WHERE id > ? AND id < ? ORDER BY id LIMIT ?', [from, zero + PLACES, limit]).map((raw) => {
    const row = { run_id: runId, prev_hash: prevHash, ...Stored.parse(raw) };
    prevHash = row.hash;
    return row;
  });
};

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

export const eventsOf = (db: ReadDb, runId: string): readonly EvidenceEvent[] => eventRows(db, runId, -1, PLACES).map(toEvent);

/** Which events: of one call, of several, or of the whole run; of some types, or of all. */
export interface EventQuery {
  /** those from this place on; absent: from the first */
  readonly fromSeq?: number;
  readonly invocationId?: string | undefined;
  readonly invocationIds?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
  readonly offset: number;
  readonly limit: number;
}

const PageRow = Stored.extend({ prev_hash: z.string() });

/** A part of a run's events in their order, with how many there are in all. Goes through the run's rows, not through others. */
export const eventPage = (db: ReadDb, runId: string, query: EventQuery): { readonly rows: readonly EventRow[]; readonly total: number } => {
  const zero = firstKey(db, runId);
  if (zero === null) return { rows: [], total: 0 };
  const only: (readonly [string, string])[] = [];
  if (query.invocationId !== undefined) only.push(['e.invocation_id = ?', query.invocationId]);
  if (query.invocationIds !== undefined) only.push(['e.invocation_id IN (SELECT value FROM json_each(?))', JSON.stringify(query.invocationIds)]);
  if (query.types !== undefined) only.push(['e.type IN (SELECT value FROM json_each(?))', JSON.stringify(query.types)]);
  const from = `FROM events e WHERE e.id >= ? AND e.id < ?${only.map(([sql]) => ` AND ${sql}`).join('')}`;
  const at = [zero + (query.fromSeq ?? 0), zero + PLACES, ...only.map(([, value]) => value)];
  return {
    rows: db
      .all(`SELECT e.seq, coalesce((SELECT p.hash FROM events p WHERE p.id = e.id - 1), '${NO_HASH}') AS prev_hash, e.hash, e.at, e.type, e.invocation_id, e.data_json ${from} ORDER BY e.id LIMIT ? OFFSET ?`, [...at, query.limit, query.offset])
      .map((raw) => ({ run_id: runId, ...PageRow.parse(raw) })),
    total: countIn(db.get(`SELECT count(*) AS n ${from}`, at)),
  };
};

export const countEvents = (db: ReadDb, invocationId: string, runId: string, type: string): number => {
  const zero = firstKey(db, runId);
  return zero === null ? 0 : countIn(db.get('SELECT count(*) AS n FROM events WHERE id >= ? AND id < ? AND invocation_id = ? AND type = ?', [zero, zero + PLACES, invocationId, type]));
};
