import { existsSync, readFileSync, readdirSync, rmSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import cacache from 'cacache';
import { AppFolders } from './app-folders.ts';
import { LOCK_FILE } from './file-manifest.ts';
import { parseLock, sha256 } from './seal.ts';
import { sriOf } from './seal-tree.ts';

/** Integrities that installed apps may need again: the tarballs of their locks, and the copies of lock and manifest. */
const neededIntegrities = (folders: AppFolders): ReadonlySet<string> => {
  const needed = new Set<string>();
  for (const serverId of folders.installedIds()) {
    const path = join(folders.final(serverId), LOCK_FILE);
    if (!existsSync(path)) continue;
    const text = readFileSync(path);
    const lock = parseLock(text.toString('utf8'));
    if (lock === null) continue;
    needed.add(sriOf(sha256(text)));
    if (lock.gantry) needed.add(sriOf(lock.gantry.filesSha256));
    for (const entry of Object.values(lock.packages)) if (entry.integrity) needed.add(entry.integrity);
  }
  return needed;
};

const removeIfEmpty = (dir: string): void => {
  if (existsSync(dir) && readdirSync(dir).length === 0) rmdirSync(dir);
};

export interface PruneJob {
  readonly dataDir: string;
}

/**
 * Leaves in the download cache only what an installed app can be restored from; with no app left the cache goes whole.
 * Call it only while no installation and no restore is under way. Throws I/O errors.
 */
export const pruneDownloadCache = async ({ dataDir }: PruneJob): Promise<void> => {
  const folders = new AppFolders(dataDir);
  if (folders.installedIds().length === 0) {
    rmSync(folders.cache, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    removeIfEmpty(dirname(folders.cache));
    return;
  }
  if (!existsSync(folders.cache)) return;
  rmSync(join(folders.cache, 'tmp'), { recursive: true, force: true });
  const needed = neededIntegrities(folders);
  const entries = Object.values(await cacache.ls(folders.cache));
  for (const entry of entries) {
    if (needed.has(entry.integrity)) continue;
    await cacache.rm.entry(folders.cache, entry.key);
    await cacache.rm.content(folders.cache, entry.integrity);
  }
};
