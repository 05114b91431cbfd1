import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';

/** Names the store itself opens: a link planted under one of them would send our rows elsewhere (M16). */
const OWN = /^(gantry\.db(-wal|-shm)?|instance\.(lock|json)|backups)$/;

/** Names at the top of the data folder that Gantry writes as files or as folders. What is of the other kind there is somebody else's, and is never replaced. */
const FILES = /^(gantry\.db(-wal|-shm)?|instance\.(lock|json)|host\.json|environment-facts\.json|window\.json)$/;
const FOLDERS = /^(backups|logs|apps|homes|cache|set-aside)$/;
/** Below the top. */
const DEEPER_FILES = ['logs/gantry.log', 'logs/gantry.1.log'];

const statOf = (path: string): Stats | null => {
  try {
    return lstatSync(path);
  } catch (error) {
    // ENOTDIR: what should be its folder is none, which is told by the folder's own name
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
};

const unsafe = (path: string, message: string, reason: string): Result<never> =>
  err(fault('data_dir_unsafe', message, { remedy: 'Choose another folder with --data-dir, or make this one your own with mode 0700.', details: { path, reason } }));

const misplaced = (dir: string, name: string, stats: Stats): Result<never> | null => {
  const path = join(dir, name);
  const what = FILES.test(name) || DEEPER_FILES.includes(name) ? 'file' : FOLDERS.test(name) ? 'folder' : null;
  if (what === null || stats.isSymbolicLink() || (what === 'file' ? stats.isFile() : stats.isDirectory())) return null;
  return err(
    fault('data_dir_unsafe', `${name} in the data folder is not a ${what}; Gantry keeps its own ${what} there.`, {
      remedy: `Move ${path} to another place, or choose another folder with --data-dir. Nothing was written.`,
      details: { path, reason: what === 'file' ? 'not_a_file' : 'not_a_folder' },
    }),
  );
};

/** Takes the group's and others' bits away; reads back, because some file systems accept chmod and ignore it. */
const tighten = (path: string, stats: Stats): boolean => {
  if ((stats.mode & 0o077) === 0) return true;
  try {
    chmodSync(path, stats.mode & 0o700);
  } catch {
    return false;
  }
  return (lstatSync(path).mode & 0o077) === 0;
};

/**
 * Makes the data folder, or takes an existing one after it is known to be private: no link, a folder, owned by this user,
 * modes 0700 (folders) and 0600 (files) at its top level. Looser modes are tightened.
 * On Windows modes mean nothing: the folder keeps the access list it inherits from the user's profile; links (junctions too) are refused there as well.
 * Faults: `data_dir_unsafe` (details.reason: symlink, not_a_folder, not_a_file, other_owner, loose_mode), `store_write_failed` when it cannot be made.
 */
export const makeDataDir = (path: string, platform: NodeJS.Platform = process.platform): Result<string, Fault> => {
  // resolve() also drops a trailing slash, with which lstat would follow the link
  const dir = resolve(path);
  const posix = platform !== 'win32';
  try {
    if (statOf(dir) === null) {
      mkdirSync(dirname(dir), { recursive: true });
      mkdirSync(dir, { mode: 0o700 });
    }
    const stats = lstatSync(dir);
    if (stats.isSymbolicLink()) return unsafe(dir, 'The data folder is a symbolic link; it could lead anywhere.', 'symlink');
    if (!stats.isDirectory()) return unsafe(dir, 'The data folder is not a folder.', 'not_a_folder');
    if (posix && stats.uid !== process.geteuid?.()) return unsafe(dir, 'The data folder belongs to another user.', 'other_owner');
    if (posix && !tighten(dir, stats)) return unsafe(dir, 'The data folder is open to other users and could not be closed.', 'loose_mode');
    return tightenEntries(dir, posix);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return err(fault('store_write_failed', `The data folder could not be prepared (${code}).`, { remedy: 'Choose a folder that can be written with --data-dir.', details: { path: dir, code } }));
  }
};

const tightenEntries = (dir: string, posix: boolean): Result<string, Fault> => {
  for (const name of [...readdirSync(dir), ...DEEPER_FILES]) {
    const stats = statOf(join(dir, name));
    const refused = stats === null ? null : misplaced(dir, name, stats);
    if (refused) return refused;
  }
  for (const name of readdirSync(dir)) {
    const path = join(dir, name);
    const stats = statOf(path);
    if (stats === null) continue;
    const own = OWN.test(name);
    if (stats.isSymbolicLink()) {
      if (own) return unsafe(path, `${name} in the data folder is a symbolic link.`, 'symlink');
      continue;
    }
    if (!posix) continue;
    if (own && stats.uid !== process.geteuid?.()) return unsafe(path, `${name} in the data folder belongs to another user.`, 'other_owner');
    if (!stats.isDirectory() && !stats.isFile()) continue;
    if (!tighten(path, stats)) return unsafe(path, `${name} in the data folder is open to other users and could not be closed.`, 'loose_mode');
  }
  return ok(dir);
};

/** A folder of this user alone inside the data folder; made with 0700 and tightened when it was looser. */
export const makePrivateDir = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (process.platform !== 'win32') chmodSync(path, 0o700);
};
