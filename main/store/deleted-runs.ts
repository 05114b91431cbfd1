import { z } from 'zod';
import type { DeletedRun } from '../../shared/history.ts';
import type { ReadDb, WriteDb } from './database.ts';
import type { StoredRow } from './stored-rows.ts';

const Row = z.object({
  run_id: z.string(), kind: z.string(), state: z.string(), code: z.string().nullable(), started_at: z.number(), ended_at: z.number().nullable(), event_count: z.number(),
  calls: z.number(), head_hash: z.string(), deleted_at: z.number(), deleted_by: z.string(), record_run: z.string(),
});

const toDeletedRun = (raw: unknown): DeletedRun => {
  const r = Row.parse(raw);
  return {
    runId: r.run_id, kind: r.kind, state: r.state, code: r.code, startedAt: r.started_at, endedAt: r.ended_at, eventCount: r.event_count, calls: r.calls,
    headHash: r.head_hash, deletedAt: r.deleted_at, deletedBy: r.deleted_by, recordRun: r.record_run,
  };
};

export const insertDeletedRun = (db: WriteDb, run: DeletedRun): void => {
  db.run(
    `INSERT INTO deleted_runs (run_id, kind, state, code, started_at, ended_at, event_count, calls, head_hash, deleted_at, deleted_by, record_run)
     VALUES (@runId, @kind, @state, @code, @startedAt, @endedAt, @eventCount, @calls, @headHash, @deletedAt, @deletedBy, @recordRun)`,
    run as never,
  );
};

export const getDeletedRun = (db: ReadDb, runId: string): DeletedRun | null => {
  const row = db.get('SELECT * FROM deleted_runs WHERE run_id = ?', [runId]);
  return row === undefined ? null : toDeletedRun(row);
};

/** Newest deletion first; below `before` (ms since epoch), where it is given. */
export const listDeletedRuns = (db: ReadDb, { limit, before = Number.MAX_SAFE_INTEGER }: { readonly limit: number; readonly before?: number | undefined }): readonly DeletedRun[] =>
  db.all('SELECT * FROM deleted_runs WHERE deleted_at < ? ORDER BY deleted_at DESC, run_id DESC LIMIT ?', [before, limit]).map(toDeletedRun);

/** The row as it lies there, for verify. */
export const storedDeletedRun = (db: ReadDb, runId: string): StoredRow | null => {
  const row = db.get('SELECT * FROM deleted_runs WHERE run_id = ?', [runId]);
  return row === undefined ? null : z.record(z.string(), z.unknown()).parse(row);
};

export const storedDeletedRunIds = (db: ReadDb, recordRun: string): readonly string[] =>
  db.all('SELECT run_id FROM deleted_runs WHERE record_run = ?', [recordRun]).map((raw) => z.object({ run_id: z.string() }).parse(raw).run_id);

/** Runs whose deletion is on record and was cut off: their rows are not all gone. */
export const halfDeletedRuns = (db: ReadDb): readonly string[] =>
  db.all('SELECT r.id FROM runs r JOIN deleted_runs d ON d.run_id = r.id ORDER BY r.id').map((raw) => z.object({ id: z.string() }).parse(raw).id);
