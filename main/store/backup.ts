import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { makePrivateDir } from './data-dir.ts';
import { touchPrivateFile } from './private-file.ts';
import { fileStamp } from './set-aside.ts';

const KEEP = 3;
const NAME = /^gantry-v\d+-(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z(?:-\d+)?)\.db$/;

/** Finished backups of a data folder, oldest first. */
export const listBackups = (dataDir: string): readonly string[] => {
  const dir = join(dataDir, 'backups');
  if (!existsSync(dir)) return [];
  const stampOf = (name: string): string => NAME.exec(name)?.[1] ?? '';
  return readdirSync(dir)
    .filter((name) => NAME.test(name))
    .toSorted((a, b) => (stampOf(a) < stampOf(b) ? -1 : 1))
    .map((name) => join(dir, name));
};

/** In a worker thread with a connection of its own: the host goes on. Rejects with what SQLite throws. */
const copyInWorker = (from: string, to: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./backup-worker.ts', import.meta.url), { workerData: { from, to } });
    worker.once('message', (told: { readonly done: boolean; readonly message?: string; readonly code?: string }) => {
      if (told.done) resolve();
      else reject(Object.assign(new Error(told.message), { code: told.code }));
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the backup ended with code ${code}`)));
  });

/**
 * A whole copy of the database at `path` under backups/ (0600), taken with SQLite's own backup interface in a worker.
 * It gets its final name only when complete; the newest three stay. Throws what SQLite throws (disk full), leaving no half file.
 */
export const backUp = async (path: string, dataDir: string, version: number, at: number): Promise<string> => {
  const dir = join(dataDir, 'backups');
  makePrivateDir(dir);
  const base = join(dir, `gantry-v${version}-${fileStamp(at)}`);
  let target = `${base}.db`;
  for (let n = 2; existsSync(target); n += 1) target = `${base}-${n}.db`;
  const partial = `${target}.partial`;
  rmSync(partial, { force: true });
  try {
    touchPrivateFile(partial);
    await copyInWorker(path, partial);
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  for (const old of listBackups(dataDir).slice(0, -KEEP)) rmSync(old, { force: true });
  return target;
};
