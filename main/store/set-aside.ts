import { existsSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A time as part of a file name: 2025-11-29T22-10-05Z. */
export const fileStamp = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

/**
 * Moves a broken database with its -wal and -shm to a dated name beside it and returns that name. Nothing is ever overwritten (A23).
 * The -wal goes with it: it may hold the last committed rows.
 */
export const setAside = (path: string, at: number): string => {
  const base = join(dirname(path), `gantry.broken-${fileStamp(at)}`);
  let target = `${base}.db`;
  for (let n = 2; ['', '-wal', '-shm'].some((tail) => existsSync(target + tail)); n += 1) target = `${base}-${n}.db`;
  for (const tail of ['', '-wal', '-shm']) {
    if (existsSync(path + tail)) renameSync(path + tail, target + tail);
  }
  return target;
};
