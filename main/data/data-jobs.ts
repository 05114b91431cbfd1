import { measureFolder } from './measure-folder.ts';
import type { Measured, MeasureJob } from './measure-folder.ts';
import { removePlaces } from './remove-places.ts';

/** `total` null: not known before. */
export type TellProgress = (step: string, done: number, total: number | null) => void;

/** Work on the data folder that a thread of its own does: it reads or writes thousands of files. */
export interface DataJobs {
  readonly measure: { readonly input: MeasureJob; readonly output: Measured };
  readonly remove: { readonly input: readonly string[]; readonly output: readonly string[] };
}
export type DataJobName = keyof DataJobs;

export const dataJobs: { readonly [N in DataJobName]: (input: DataJobs[N]['input'], tell: TellProgress) => DataJobs[N]['output'] | Promise<DataJobs[N]['output']> } = {
  measure: measureFolder,
  remove: removePlaces,
};

export type DataWorkerMessage =
  | { readonly kind: 'progress'; readonly step: string; readonly done: number; readonly total: number | null }
  | { readonly kind: 'done'; readonly output: DataJobs[DataJobName]['output'] }
  | { readonly kind: 'threw'; readonly message: string; readonly code: string | null };
