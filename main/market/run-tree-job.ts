import { Worker } from 'node:worker_threads';
import { fault } from '../../shared/fault.ts';
import { err } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { ContactNote } from '../network/outbound.ts';
import type { TreeJobName, TreeJobs, TreeWorkerMessage } from './tree-worker.ts';

export const cancelled = (): Result<never> => err(fault('install_cancelled', 'The installation was stopped; nothing stays behind.', { remedy: 'Install it again when you like.' }));

/**
 * Runs one job in a thread of its own. On abort the thread is ended, which waits for its open file operations,
 * so that nothing is written after this resolves. Errors: the job's own, install_cancelled, install_failed.
 */
export const runTreeJob = <N extends TreeJobName>(
  name: N,
  input: TreeJobs[N]['input'],
  options: { readonly signal?: AbortSignal | undefined; readonly onProgress?: ((step: string, done?: number, total?: number) => void) | undefined; readonly onContact?: ((note: ContactNote) => void) | undefined } = {},
): Promise<Result<TreeJobs[N]['output']>> => {
  if (options.signal?.aborted) return Promise.resolve(cancelled());
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./tree-worker.ts', import.meta.url), { workerData: { name, input }, stdout: true, stderr: true });
    let settled = false;
    const finish = (result: Result<TreeJobs[N]['output']>): void => {
      if (settled) return;
      settled = true;
      options.signal?.removeEventListener('abort', abort);
      void worker.terminate().then(() => resolve(result));
    };
    const abort = (): void => finish(cancelled());
    options.signal?.addEventListener('abort', abort, { once: true });
    const failed = (reason: string, cause?: string): void =>
      finish(err(fault('install_failed', `The installed folder could not be worked on: ${reason}`, { remedy: 'Check free space and rights of the data folder, then try again.', details: { step: name, ...(cause === undefined ? {} : { cause }) } })));
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', (message: TreeWorkerMessage) => {
      if (message.kind === 'progress') options.onProgress?.(message.step, message.done, message.total);
      else if (message.kind === 'contact') options.onContact?.(message.note);
      else if (message.kind === 'threw') failed(message.reason, message.code);
      else finish(message.result as Result<TreeJobs[N]['output']>);
    });
    worker.on('error', (error) => failed(error.message));
    worker.on('exit', (code) => failed(`thread exit ${code}`));
  });
};
