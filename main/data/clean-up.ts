import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import type { CleanupItem } from '../../shared/data.ts';
import { trashOf } from '../store/replacement.ts';
import { TRASH, STAGING, cleanupKindOf, pathsOf } from './data-places.ts';
import { diskFault, runDataJob } from './run-data-job.ts';
import type { TellProgress } from './data-jobs.ts';

export interface CleanUpDeps {
  readonly dataDir: string;
  readonly used: () => ReadonlySet<string>;
  /** False while an installation or a restore of files uses the downloads; they are gone when it is true. */
  readonly clearDownloads: () => Promise<boolean>;
  readonly onProgress: TellProgress;
}

export interface CleanedUp {
  readonly removed: string[];
  readonly freedBytes: number;
  readonly kept: { readonly id: string; readonly fault: Fault }[];
}

const inUse = (item: CleanupItem): Fault => fault('conflict', `${item.place} is in use now and was kept.`, { field: item.id, remedy: 'Measure again to see what may be removed.', details: { state: 'in_use' } });

/** Moves the things of a place out of the way, in one rename each. */
const intoTrash = (dataDir: string, place: string): string => {
  const trash = trashOf(dataDir, randomBytes(6).toString('hex'));
  mkdirSync(trash, { mode: 0o700 });
  for (const one of pathsOf(place)) {
    const from = join(dataDir, one);
    if (lstatSync(from, { throwIfNoEntry: false })) renameSync(from, join(trash, basename(one)));
  }
  return trash;
};

/** Each item is judged again by what is in use at this moment, and leaves its place before its files are removed. */
export const cleanUp = async (items: readonly CleanupItem[], deps: CleanUpDeps): Promise<CleanedUp> => {
  const removed: string[] = [];
  const kept: { id: string; fault: Fault }[] = [];
  const trash: string[] = [];
  let freedBytes = 0;
  for (const item of items) {
    if (!existsSync(join(deps.dataDir, item.place))) {
      removed.push(item.id);
      continue;
    }
    if (cleanupKindOf(item.place, deps.used()) !== item.kind || (item.kind === 'downloads' && !(await deps.clearDownloads()))) {
      kept.push({ id: item.id, fault: inUse(item) });
      continue;
    }
    try {
      if (item.kind === 'left_over') trash.push(join(deps.dataDir, item.place));
      else if (item.kind !== 'downloads') trash.push(intoTrash(deps.dataDir, item.place));
      removed.push(item.id);
      freedBytes += item.sizeBytes;
    } catch (error) {
      kept.push({ id: item.id, fault: diskFault((error as Error).message, (error as NodeJS.ErrnoException).code ?? null) });
    }
  }
  // what stays of a trash folder is offered as left over by the next measure
  if (trash.length > 0) await runDataJob('remove', trash, { onProgress: deps.onProgress });
  return { removed, freedBytes, kept };
};

/** At start: what a removal that was cut off left, and contents of a backup that nobody restores. Goes on in its own thread. */
export const sweep = (dataDir: string): Promise<unknown> => {
  const left = readdirSync(dataDir).filter((name) => TRASH.test(name) || STAGING.test(name)).map((name) => join(dataDir, name));
  return left.length === 0 ? Promise.resolve() : runDataJob('remove', left);
};
