import type { Log } from '../log.ts';
import type { Store } from '../store/database.ts';
import { forgetProcess, listProcesses } from '../store/processes.ts';
import { reapProcess } from './reaper.ts';

/** Ends every process that an earlier run of the host recorded and left behind; what survives is looked for again at the next start. */
export const reapRecorded = async ({ store, log }: { readonly store: Store; readonly log: Log }): Promise<void> => {
  await Promise.all(
    store.read(listProcesses).map(async (row) => {
      const what = await reapProcess(row);
      if (what !== 'gone') log.warn('a process of an earlier run was found', { serverId: row.serverId, pid: row.pid, what });
      if (what !== 'survived') store.write((db) => forgetProcess(db, row.token));
    }),
  );
};
