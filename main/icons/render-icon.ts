import { Worker } from 'node:worker_threads';
import { err, ok, type Result } from '../../shared/result.ts';
import type { IconRefusal } from './icon-refusal.ts';
import type { IconWorkerInput } from './icon-worker.ts';
import { readImageHeader } from './image-header.ts';

/** The start of the thread included. */
const TIME_LIMIT_MS = 15_000;

/**
 * Decodes a stranger's picture in a thread of its own and encodes what was seen anew: at most 64x64 pixels, PNG, without anything else the file held.
 * The thread ends with the picture, or at its time limit.
 */
export const renderIcon = async (bytes: Buffer, timeLimitMs = TIME_LIMIT_MS): Promise<Result<Buffer, IconRefusal>> => {
  const header = readImageHeader(bytes);
  if (!header.ok) return header;
  const workerData: IconWorkerInput = { bytes, header: header.value };
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./icon-worker.ts', import.meta.url), { workerData, resourceLimits: { maxOldGenerationSizeMb: 128 }, env: {}, stdout: true, stderr: true });
    let settled = false;
    const finish = (result: Result<Buffer, IconRefusal>): void => {
      // the end of the thread is heard once more after what ended it
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      void worker.terminate().then(() => resolve(result));
    };
    const timer = setTimeout(() => finish(err('took_too_long')), timeLimitMs);
    worker.stdout.resume();
    worker.stderr.resume();
    worker.once('message', (png: Uint8Array) => finish(ok(Buffer.from(png))));
    worker.once('error', () => finish(err('not_decoded')));
    worker.once('exit', () => finish(err('not_decoded')));
  });
};
