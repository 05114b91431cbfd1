import type { Fault } from '../../shared/fault.ts';
import type { Result } from '../../shared/result.ts';
import type { ReadBackup, ReadBackupJob } from './backup/read-backup.ts';
import type { WriteBackupJob, WrittenBackup } from './backup/write-backup.ts';
import type { Measured, MeasureJob } from './measure-folder.ts';
import type { HistoryBounds, SelectedHistory } from '../store/select-history.ts';

/** `total` null: not known before. */
export type TellProgress = (step: string, done: number, total: number | null) => void;

/** Work on the data folder that a thread of its own does: it reads or writes thousands of files. */
export interface DataJobs {
  readonly measure: { readonly input: MeasureJob; readonly output: Measured };
  readonly select_history: { readonly input: { readonly path: string; readonly bounds: HistoryBounds; readonly includeOutcomeUnknown: boolean }; readonly output: SelectedHistory };
  readonly write_backup: { readonly input: WriteBackupJob; readonly output: WrittenBackup };
  readonly read_backup: { readonly input: ReadBackupJob; readonly output: Result<ReadBackup, Fault> };
  readonly remove: { readonly input: readonly string[]; readonly output: readonly string[] };
}
export type DataJobName = keyof DataJobs;

/** A thread loads what its one job needs: measuring a folder needs neither the store nor zip files. */
export const dataJobs: { readonly [N in DataJobName]: (input: DataJobs[N]['input'], tell: TellProgress) => Promise<DataJobs[N]['output']> } = {
  measure: async (input, tell) => (await import('./measure-folder.ts')).measureFolder(input, tell),
  remove: async (input, tell) => (await import('./remove-places.ts')).removePlaces(input, tell),
  write_backup: async (input, tell) => (await import('./backup/write-backup.ts')).writeBackup(input, tell),
  read_backup: async (input, tell) => (await import('./backup/read-backup.ts')).readBackup(input, tell),
  select_history: async ({ path, bounds, includeOutcomeUnknown }) => {
    const [{ openReadOnly }, { selectHistory }] = await Promise.all([import('../store/read-only.ts'), import('../store/select-history.ts')]);
    return openReadOnly(path).read((db) => selectHistory(db, bounds, includeOutcomeUnknown));
  },
};

export type DataWorkerMessage =
  | { readonly kind: 'progress'; readonly step: string; readonly done: number; readonly total: number | null }
  | { readonly kind: 'done'; readonly output: DataJobs[DataJobName]['output'] }
  | { readonly kind: 'threw'; readonly message: string; readonly code: string | null };
