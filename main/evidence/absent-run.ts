import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import type { ReadDb } from '../store/database.ts';
import { getDeletedRun } from '../store/deleted-runs.ts';

/** Why a run is not there: that it was deleted is told, with what is left of it. */
export const absentRun = (db: ReadDb, runId: string): Fault => {
  const deleted = getDeletedRun(db, runId);
  if (deleted === null) return fault('not_found', 'There is no such run.');
  return fault('not_found', `This run was deleted on ${new Date(deleted.deletedAt).toISOString()}.`, { remedy: 'The run that recorded the deletion says what is left of it.', details: { ...deleted } });
};
