import { z } from 'zod';
import { deleteAgentRun } from './agent-runs.ts';
import type { WriteDb } from './database.ts';
import { getDeletedRun } from './deleted-runs.ts';
import { firstKey, PLACES } from './events.ts';
import { deleteSteps } from './steps.ts';
import { sqliteCode } from './store-fault.ts';

const Event = z.object({ id: z.number(), invocation_id: z.string().nullable() });

const deleteCall = (db: WriteDb, id: string): void => {
  db.run('DELETE FROM approvals WHERE invocation_id = ?', [id]);
  db.run('DELETE FROM invocations WHERE id = ?', [id]);
};

/**
 * Deletes the last `limit` events of a run with the calls that they name, in the transaction of the caller; with the last ones the run's own row.
 * True when nothing of the run is left. Its deletion has to be on record before (`insertDeletedRun`): this is the only way in which an event goes.
 */
export const deleteRunSlice = (db: WriteDb, runId: string, limit: number): boolean => {
  const zero = firstKey(db, runId);
  if (zero === null || getDeletedRun(db, runId) === null) return true;
  const events = db.all('SELECT id, invocation_id FROM events WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?', [zero, zero + PLACES, limit]).map((raw) => Event.parse(raw));
  for (const callId of new Set(events.map((event) => event.invocation_id))) if (callId !== null) deleteCall(db, callId);
  const lowest = events.at(-1)?.id;
  if (lowest !== undefined) db.run('DELETE FROM events WHERE id >= ? AND id < ?', [lowest, zero + PLACES]);
  if (events.length === limit) return false;
  deleteSteps(db, runId);
  deleteAgentRun(db, runId);
  deleteRunRow(db, runId);
  return true;
};

/** Rows that no event names hinder the row of the run; they are looked for only then, for it takes the whole table. */
const deleteRunRow = (db: WriteDb, runId: string): void => {
  try {
    db.run('DELETE FROM runs WHERE id = ?', [runId]);
  } catch (error) {
    if (!sqliteCode(error).startsWith('SQLITE_CONSTRAINT')) throw error;
    db.run('DELETE FROM approvals WHERE invocation_id IN (SELECT id FROM invocations WHERE run_id = ?)', [runId]);
    db.run('DELETE FROM invocations WHERE run_id = ?', [runId]);
    db.run('DELETE FROM runs WHERE id = ?', [runId]);
  }
};
