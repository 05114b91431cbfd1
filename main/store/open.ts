import { join } from 'node:path';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import type { Notice } from '../../shared/notice.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { Clock } from '../clock.ts';
import { backUp, listBackups } from './backup.ts';
import { makeDataDir } from './data-dir.ts';
import { SqliteStore } from './database.ts';
import { inspectFile } from './inspect-file.ts';
import type { Inspection } from './inspect-file.ts';
import { takeInstanceLock } from './instance-lock.ts';
import { latestVersion, migrate } from './migrate.ts';
import { migrations as allMigrations } from './migrations/all.ts';
import type { Migration } from './migrations/all.ts';
import { touchPrivateFile } from './private-file.ts';
import { setAside } from './set-aside.ts';
import { storeFault } from './store-fault.ts';
import { unreadableRowNotices } from './unreadable-rows.ts';

export interface OpenStoreOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly migrations?: readonly Migration[];
}
export interface OpenedStore {
  /** Its close() also gives the data folder free for the next instance. */
  readonly store: SqliteStore;
  /** What was found at the opening. Every row is looked at by the first that asks, so that a window can be shown before. */
  readonly notices: () => readonly Notice[];
}

/**
 * Opens the data folder's store, in this order: private folder, instance lock, look at the file without touching it, set a broken one aside,
 * refuse one from the future, back up before migrating, migrate.
 * Faults: `data_dir_unsafe`, `instance_running`, `store_from_future`, `store_broken` (not readable, and not moved), `store_write_failed`,
 * `store_migration_failed` (rolled back; details.backup).
 */
export const openStore = async (options: OpenStoreOptions): Promise<Result<OpenedStore, Fault>> => {
  const dir = makeDataDir(options.dataDir);
  if (!dir.ok) return dir;
  const lock = takeInstanceLock(dir.value, options.clock.now());
  if (!lock.ok) return lock;
  let opened: Result<OpenedStore, Fault> | null = null;
  try {
    opened = await openLocked({ ...options, dataDir: dir.value }, () => lock.value.release());
    return opened;
  } catch (error) {
    const known = storeFault(error);
    if (!known) throw error;
    return err(known);
  } finally {
    if (!opened?.ok) lock.value.release();
  }
};

const openLocked = async (options: OpenStoreOptions, onClose: () => void): Promise<Result<OpenedStore, Fault>> => {
  const { dataDir, clock } = options;
  const migrations = options.migrations ?? allMigrations;
  const path = join(dataDir, 'gantry.db');
  const notices: Notice[] = [];

  let found = inspectFile(path, migrations);
  if (found.kind === 'unreadable') {
    return err(fault('store_broken', `The database could not be read: ${found.detail}. It was left as it is.`, { remedy: 'Check the rights of the data folder and the disk.', details: { path } }));
  }
  if (found.kind === 'broken') {
    notices.push(asideNotice(found.detail, setAside(path, clock.now()), listBackups(dataDir).at(-1), clock.now()));
    found = { kind: 'absent' };
  }
  const target = latestVersion(migrations);
  if (found.kind === 'sound' && found.version > target) return err(fromFuture(path, found.version, target));

  touchPrivateFile(path);
  const store = new SqliteStore(path, { onClose });
  try {
    const migrated = await bringUp(store, found, migrations, options);
    if (migrated.ok) {
      let all: readonly Notice[] | null = null;
      return ok({ store, notices: () => (all ??= [...notices, ...store.read((db) => unreadableRowNotices(db, clock.now()))]) });
    }
    store.close();
    return migrated;
  } catch (error) {
    store.close();
    throw error;
  }
};

const bringUp = async (store: SqliteStore, found: Inspection, migrations: readonly Migration[], { dataDir, clock }: OpenStoreOptions): Promise<Result<void, Fault>> => {
  const from = found.kind === 'sound' ? found.version : 0;
  const to = latestVersion(migrations);
  if (from === to) return ok(undefined);
  const backup = from > 0 ? await backUp(store.path, dataDir, from, clock.now()) : undefined;
  try {
    migrate(store.connection, migrations);
    if (from > 0 && from < SHRINKABLE_SINCE) rewrite(store);
    return ok(undefined);
  } catch (error) {
    if (storeFault(error)) throw error;
    return err(
      fault('store_migration_failed', `The database could not be brought from version ${from} to ${to}; it was left as it was.`, {
        remedy: 'Start the Gantry version used before, and report this.',
        details: { from, to, reason: (error as Error).message, ...(backup ? { backup } : {}) },
      }),
    );
  }
};

/** Files of this version were made shrinkable from the first. */
const SHRINKABLE_SINCE = 10;

/** A disk without room for a second copy leaves it as it is: everything works, and only shrinking does not. */
const rewrite = (store: SqliteStore): void => {
  try {
    store.makeShrinkable();
  } catch (error) {
    if (!storeFault(error)) throw error;
  }
};

const asideNotice = (detail: string, movedTo: string, lastBackup: string | undefined, at: number): Notice => ({
  code: 'store_set_aside',
  at,
  message: `The database was broken (${detail}). It was set aside as ${movedTo}, and an empty one was started.`,
  details: { path: movedTo, reason: detail, ...(lastBackup ? { lastBackup } : {}) },
});

const fromFuture = (path: string, found: number, known: number): Fault =>
  fault('store_from_future', `This data folder was written by a newer Gantry (version ${found} of the store; this one knows ${known}). Nothing was changed.`, {
    remedy: 'Update Gantry, or choose another folder with --data-dir.',
    details: { path, found, known },
  });
