import { parentPort, workerData } from 'node:worker_threads';
import { openReadOnly } from '../store/read-only.ts';
import type { ReadStore } from '../store/read-only.ts';
import type { EvidenceQuestion } from './evidence-lane.ts';
import { exportRun } from './export-run.ts';
import { verifyRun } from './verify-run.ts';

const { path } = workerData as { readonly path: string };
let store: ReadStore | null = null;

parentPort!.on('message', ({ op, runId }: EvidenceQuestion) => {
  const answer = async (): Promise<unknown> => {
    store ??= openReadOnly(path);
    return op === 'verify' ? verifyRun(store, runId) : exportRun(store, runId);
  };
  answer().then(
    (value) => parentPort!.postMessage({ answer: value }),
    (error: unknown) => parentPort!.postMessage({ failed: error instanceof Error ? error.message : String(error) }),
  );
});
