import type { Fault } from '../../shared/fault.ts';
import type { Result } from '../../shared/result.ts';
import { readBackup } from './backup/read-backup.ts';
import type { ReadBackup, ReadBackupJob } from './backup/read-backup.ts';
import { writeBackup } from './backup/write-backup.ts';
import type { WriteBackupJob, WrittenBackup } from './backup/write-backup.ts';
import { measureFolder } from './measure-folder.ts';
import type { Measured, MeasureJob } from './measure-folder.ts';
import { selectHistory } from '../store/select-history.ts';
import type { HistoryBounds, SelectedHistory } from '../store/select-history.ts';
import { openReadOnly } from '../store/read-only.ts';
import { removePlaces } from './remove-places.ts';

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

export const dataJobs: { readonly [N in DataJobName]: (input: DataJobs[N]['input'], tell: TellProgress) => DataJobs[N]['output'] | Promise<DataJobs[N]['output']> } = {
  measure: measureFolder,
  remove: removePlaces,
  write_backup: writeBackup,
  read_backup: readBackup,
  select_history: ({ path, bounds, includeOutcomeUnknown }) => openReadOnly(path).read((db) => selectHistory(db, bounds, includeOutcomeUnknown)),
};

export type DataWorkerMessage =
  | { readonly kind: 'progress'; readonly step: string; readonly done: number; readonly total: number | null }
  | { readonly kind: 'done'; readonly output: DataJobs[DataJobName]['output'] }
  | { readonly kind: 'threw'; readonly message: string; readonly code: string | null };
