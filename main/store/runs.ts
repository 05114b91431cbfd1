import { z } from 'zod';
import { ViaSchema } from '../../shared/principal-schema.ts';
import type { Run } from '../../shared/run.ts';
import type { ReadDb, WriteDb } from './database.ts';
import { readableRows } from './readable-rows.ts';
import { parseRow } from './row-unreadable.ts';

const RunRow = z.object({
  n: z.number().int().min(1),
  id: z.string(),
  kind: z.enum(['try', 'guided', 'agent', 'flow', 'gateway', 'app', 'host']),
  title: z.string(),
  principal: z.string(),
  via: ViaSchema.nullable(),
  trace_id: z.string(),
  state: z.enum(['running', 'awaiting_approval', 'completed', 'failed']),
  code: z.string().nullable(),
  started_at: z.number(),
  ended_at: z.number().nullable(),
  event_count: z.number().int().min(0),
  head_hash: z.string(),
});

export const toRun = (row: unknown): Run => {
  const r = parseRow('runs', row, (raw) => RunRow.parse(raw));
  return {
    id: r.id,
    kind: r.kind,
    title: r.title,
    principal: r.principal,
    ...(r.via === null ? {} : { via: r.via }),
    traceId: r.trace_id,
    state: r.state,
    code: r.code,
    startedAt: r.started_at,
    endedAt: r.ended_at,
    eventCount: r.event_count,
    headHash: r.head_hash,
  };
};

export type RunValues = (string | number | null)[];

/** What insertRun writes, in its order. */
export const runValues = (run: Run): RunValues => [
  run.id, run.kind, run.title, run.principal, run.via ?? null, run.traceId, run.state, run.code, run.startedAt, run.endedAt, run.eventCount, run.headHash,
];

/** What moveRun writes, in its order. */
export const runMoves = (run: Run): RunValues => [run.state, run.code, run.endedAt, run.eventCount, run.headHash];

/** Returns the run's number in this store: the first part of its events' keys. */
export const insertRun = (db: WriteDb, values: RunValues): number =>
  db.insert('INSERT INTO runs (id, kind, title, principal, via, trace_id, state, code, started_at, ended_at, event_count, head_hash) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)', values);

/** State and chain head in one statement: they change together (evidence goes with the state it proves). `n` as insertRun gave it. */
export const moveRun = (db: WriteDb, n: number, values: RunValues): void => {
  db.run('UPDATE runs SET state = ?, code = ?, ended_at = ?, event_count = ?, head_hash = ? WHERE n = ?', [...values, n]);
};

const NumberRow = z.object({ n: z.number() });

/** The run's number, or null when there is no such run. */
export const runNumber = (db: ReadDb, runId: string): number | null => {
  const row = db.get('SELECT n FROM runs WHERE id = ?', [runId]);
  return row === undefined ? null : NumberRow.parse(row).n;
};

export const getRun = (db: ReadDb, runId: string): Run | null => {
  const row = db.get('SELECT * FROM runs WHERE id = ?', [runId]);
  return row === undefined ? null : toRun(row);
};

/** Newest first: ids begin with the time of the start, so that they are the order. Below `beforeId`, where it is given. */
export const listRuns = (db: ReadDb, options: { readonly limit: number; readonly beforeId?: string | undefined }): readonly Run[] =>
  options.beforeId === undefined
    ? readableRows(db.all('SELECT * FROM runs ORDER BY id DESC LIMIT ?', [options.limit]), toRun)
    : readableRows(db.all('SELECT * FROM runs WHERE id < ? ORDER BY id DESC LIMIT ?', [options.beforeId, options.limit]), toRun);

/** Of a kind or state that is not known here. */
export const unreadableRunIds = (db: ReadDb): readonly string[] =>
  db
    .all(`SELECT id FROM runs WHERE kind NOT IN (${RunRow.shape.kind.options.map((kind) => `'${kind}'`).join(',')}) OR state NOT IN (${RunRow.shape.state.options.map((state) => `'${state}'`).join(',')})`)
    .map((row) => z.object({ id: z.string() }).parse(row).id);

/** Runs whose id begins with `prefix`, newest first. */
export const runsByIdPrefix = (db: ReadDb, prefix: string, limit: number): readonly Run[] =>
  db.all('SELECT * FROM runs WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?', [prefix, `${prefix}\uffff`, limit]).map(toRun);

export const openRuns = (db: ReadDb): readonly Run[] =>
  readableRows(db.all("SELECT * FROM runs WHERE state IN ('running','awaiting_approval') ORDER BY id"), toRun);
