import { parentPort, workerData } from 'node:worker_threads';
import { copyDatabase } from './read-only.ts';

const { from, to } = workerData as { readonly from: string; readonly to: string };
copyDatabase(from, to).then(
  () => parentPort!.postMessage({ done: true }),
  (error: Error & { readonly code?: string }) => parentPort!.postMessage({ done: false, message: error.message, code: error.code }),
);
