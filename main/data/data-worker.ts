import { parentPort, workerData } from 'node:worker_threads';
import type { DataJobName, DataJobs, DataWorkerMessage, TellProgress } from './data-jobs.ts';
import { dataJobs } from './data-jobs.ts';

const { name, input } = workerData as { readonly name: DataJobName; readonly input: never };
const send = (message: DataWorkerMessage): void => parentPort!.postMessage(message);
const tell: TellProgress = (step, done, total) => send({ kind: 'progress', step, done, total });
const run = dataJobs[name] as (input: never, tell: TellProgress) => Promise<DataJobs[DataJobName]['output']>;

Promise.resolve()
  .then(() => run(input, tell))
  .then(
    (output) => send({ kind: 'done', output }),
    (error: unknown) => send({ kind: 'threw', message: error instanceof Error ? error.message : String(error), code: (error as NodeJS.ErrnoException | null)?.code ?? null }),
  );
