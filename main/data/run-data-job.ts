import { Worker } from 'node:worker_threads';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { DataJobName, DataJobs, DataWorkerMessage, TellProgress } from './data-jobs.ts';

const FULL = /^(ENOSPC|EDQUOT|SQLITE_FULL)/;

/** What the disk refused, by the system's code. */
export const diskFault = (message: string, code: string | null): Fault =>
  fault('data_write_failed', `The data folder or the file could not be read or written: ${message}.`, {
    remedy: code !== null && FULL.test(code) ? 'Free some disk space, then try again.' : 'Look at the rights of the folder and the disk, then try again.',
    details: { cause: code ?? 'unknown' },
  });

export const stopped = (): Fault => fault('cancelled', 'It was stopped; nothing was changed by it.', { remedy: 'Start it again when you like.' });

/**
 * One job in a thread of its own. On abort the thread is ended, which waits for its open file operations.
 * Errors: cancelled, data_write_failed (details.cause is the system's code), internal where the thread itself died.
 */
export const runDataJob = <N extends DataJobName>(
  name: N,
  input: DataJobs[N]['input'],
  options: { readonly signal?: AbortSignal; readonly onProgress?: TellProgress } = {},
): Promise<Result<DataJobs[N]['output'], Fault>> => {
  const { signal, onProgress } = options;
  if (signal?.aborted) return Promise.resolve(err(stopped()));
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./data-worker.ts', import.meta.url), { workerData: { name, input }, resourceLimits: { maxOldGenerationSizeMb: 2048 } });
    let settled = false;
    const settle = (result: Result<DataJobs[N]['output'], Fault>): void => {
      if (settled) return;
      settled = true;
      signal?.removeEventListener('abort', abort);
      void worker.terminate().then(() => resolve(result));
    };
    const abort = (): void => settle(err(stopped()));
    signal?.addEventListener('abort', abort, { once: true });
    worker.on('message', (message: DataWorkerMessage) => {
      if (message.kind === 'progress') onProgress?.(message.step, message.done, message.total);
      else if (message.kind === 'done') settle(ok(message.output as DataJobs[N]['output']));
      else settle(err(diskFault(message.message, message.code)));
    });
    const died = (words: string): void => settle(err(fault('internal', 'Gantry failed while it worked on the data folder.', { details: { words: words.slice(0, 300) } })));
    worker.on('error', (error) => died(error.message));
    worker.on('exit', (code) => died(`the thread ended with ${code}`));
  });
};
