import type { Run } from '../../shared/run.ts';
import type { Bus } from '../bus.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/database.ts';
import { openInvocations } from '../store/invocations.ts';
import { getRun } from '../store/runs.ts';
import type { Ledger } from './ledger.ts';

/** Ended by others: a try-out's with its call, a guided one by its person. */
const ENDED_BY_OTHERS: ReadonlySet<Run['kind']> = new Set<Run['kind']>(['try', 'guided']);

export interface LeftRunsDeps {
  readonly store: Store;
  readonly bus: Bus;
  readonly log: Pick<Log, 'error'>;
  readonly ledger: Pick<Ledger, 'endRun'>;
}

/** Runs of an earlier process that a call still holds open, for a person or a task: nobody goes on with them, so each ends with the last of its calls. The answer holds those that have not ended yet. */
export const endLeftRuns = (runIds: Iterable<string>, { store, bus, log, ledger }: LeftRunsDeps): ReadonlySet<string> => {
  const left = new Set([...runIds].filter((id) => !ENDED_BY_OTHERS.has(store.read((db) => getRun(db, id))?.kind ?? 'try')));
  if (left.size === 0) return left;
  const endWhereDone = (runId: string): void => {
    try {
      if (store.read(openInvocations).some((row) => row.runId === runId)) return;
      ledger.endRun(runId, { state: 'failed', code: 'interrupted' });
    } catch (error) {
      return log.error('the end of a run that a restart left could not be written; the next start ends it', { runId, error: String(error) });
    }
    left.delete(runId);
    if (left.size === 0) stopListening();
  };
  const stopListening = bus.on('invocation:changed', ({ invocation: { runId, endedAt } }) => {
    if (endedAt !== null && left.has(runId)) endWhereDone(runId);
  });
  return left;
};
