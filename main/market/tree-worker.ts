import { rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { Result } from '../../shared/result.ts';
import type { ContactNote } from '../network/outbound.ts';
import type { BuildJob, BuiltTree } from './build-tree.ts';
import type { CarryJob } from './carry-data.ts';
import type { CheckJob, Checked } from './check-tree.ts';
import type { PruneJob } from './download-cache.ts';
import type { Restored, RestoreJob } from './restore-tree.ts';
import type { SealJob, Sealed } from './seal-tree.ts';

/** Work on an installed folder, off the host's main thread; ending the thread is how it is cancelled. */
export interface TreeJobs {
  readonly build: { readonly input: BuildJob; readonly output: BuiltTree };
  readonly seal: { readonly input: SealJob; readonly output: Sealed };
  readonly carry: { readonly input: CarryJob; readonly output: readonly string[] };
  readonly remove: { readonly input: { readonly path: string }; readonly output: null };
  readonly prune: { readonly input: PruneJob; readonly output: null };
  readonly check: { readonly input: CheckJob; readonly output: Checked };
  readonly restore: { readonly input: RestoreJob; readonly output: Restored };
}
export type TreeJobName = keyof TreeJobs;
export type TreeWorkerData = { readonly [N in TreeJobName]: { readonly name: N; readonly input: TreeJobs[N]['input'] } }[TreeJobName];
export type TreeWorkerMessage =
  | { readonly kind: 'progress'; readonly step: string; readonly done?: number | undefined; readonly total?: number | undefined }
  | { readonly kind: 'contact'; readonly note: ContactNote }
  | { readonly kind: 'result'; readonly result: Result<unknown> }
  | { readonly kind: 'threw'; readonly reason: string; readonly code: string };

const post = (message: TreeWorkerMessage): void => parentPort?.postMessage(message);
const onContact = (note: ContactNote): void => post({ kind: 'contact', note });

/** Each job loads only what it needs: a check starts in 40 ms, where arborist and pacote alone take 300 ms to load. */
const run = async (job: TreeWorkerData): Promise<Result<unknown>> => {
  switch (job.name) {
    case 'build': {
      const { buildTree } = await import('./build-tree.ts');
      return buildTree(job.input, (step, done, total) => post({ kind: 'progress', step, done, total }), onContact);
    }
    case 'seal': {
      const { sealTree } = await import('./seal-tree.ts');
      return { ok: true, value: await sealTree(job.input) };
    }
    case 'carry': {
      const { carryDataOver } = await import('./carry-data.ts');
      return { ok: true, value: carryDataOver(job.input) };
    }
    case 'remove':
      // again where a virus scanner or a dying process still holds a file (Windows)
      rmSync(job.input.path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      return { ok: true, value: null };
    case 'prune': {
      const { pruneDownloadCache } = await import('./download-cache.ts');
      await pruneDownloadCache(job.input);
      return { ok: true, value: null };
    }
    case 'check': {
      const { checkTree } = await import('./check-tree.ts');
      return { ok: true, value: checkTree(job.input) };
    }
    case 'restore': {
      const { restoreTree } = await import('./restore-tree.ts');
      return restoreTree(job.input, onContact);
    }
  }
};

run(workerData as TreeWorkerData).then(
  (result) => post({ kind: 'result', result }),
  (error: unknown) => post({ kind: 'threw', reason: error instanceof Error ? error.message : String(error), code: String((error as { code?: unknown } | null)?.code ?? 'unknown') }),
);
