import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import type { Notice } from '../../shared/notice.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { Clock } from '../clock.ts';
import { backUp, listBackups } from './backup.ts';
import { countIn } from './count-row.ts';
import { makeDataDir } from './data-dir.ts';
import { SqliteStore } from './database.ts';
import { inspectFile } from './inspect-file.ts';
import type { Inspection } from './inspect-file.ts';
import { takeInstanceLock } from './instance-lock.ts';
import { asideOf, finishReplacement, moveBack, moveIn, readReplacement, writeReplacement } from './replacement.ts';
import type { OnPoint, Replacement } from './replacement.ts';
import { latestVersion, migrate } from './migrate.ts';
import { migrations as allMigrations } from './migrations/all.ts';
import type { Migration } from './migrations/all.ts';
import { touchPrivateFile } from './private-file.ts';
import { setAside } from './set-aside.ts';
import { storeFault } from './store-fault.ts';
import { stripSecrets } from './strip-secrets.ts';
import { unreadableRowNotices } from './unreadable-rows.ts';

export interface OpenStoreOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly migrations?: readonly Migration[];
  /** Forgets accounts of the system's keychain, after a reset. */
  readonly forgetKeys?: (accounts: readonly string[]) => Promise<void>;
  /** points at which a test ends the process */
  readonly onPoint?: OnPoint;
}
export interface OpenedStore {
  /** Its close() also gives the data folder free for the next instance. */
  readonly store: SqliteStore;
  /** What was found at the opening. Every row is looked at by the first that asks, so that a window can be shown before. */
  readonly notices: () => readonly Notice[];
  /** Why a restore or reset that waited was brought back; absent where none waited or it was done. */
  readonly broughtBack?: Fault;
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
    opened = await openReplaced({ ...options, dataDir: dir.value }, () => lock.value.release());
    return opened;
  } catch (error) {
    const known = storeFault(error);
    if (!known) throw error;
    return err(known);
  } finally {
    if (!opened?.ok) lock.value.release();
  }
};

/**
 * A restore or reset that waits is ended first: everything new is moved to its place and opened, or everything old is brought back. A process that
 * dies on the way leaves the file that says so, and the next start goes on.
 */
const openReplaced = async (options: OpenStoreOptions, onClose: () => void): Promise<Result<OpenedStore, Fault>> => {
  const { dataDir, clock, onPoint = () => {} } = options;
  const waiting = readReplacement(dataDir);
  if (waiting === null) return openLocked(options, onClose);
  const back = async (now: Replacement, why: Fault): Promise<Result<OpenedStore, Fault>> => {
    moveBack(dataDir, now, onPoint);
    const notice: Notice = { code: 'data_brought_back', at: clock.now(), message: `The ${now.kind} was not done: ${why.message} Everything is as it was before.`, details: { kind: now.kind, code: why.code } };
    const opened = await openLocked(options, onClose);
    return opened.ok ? ok({ ...opened.value, notices: () => [notice, ...opened.value.notices()], broughtBack: why }) : opened;
  };
  if (waiting.phase === 'clear' || waiting.phase === 'back') return back(waiting, fault('data_write_failed', 'It was interrupted while it was being undone.'));
  let moved: Replacement;
  try {
    moved = waiting.phase === 'moved' || waiting.phase === 'opened' ? waiting : moveIn(dataDir, waiting, onPoint);
  } catch (error) {
    return back(waiting, fault('data_write_failed', `A file could not be moved: ${(error as Error).message}.`, { details: { cause: (error as NodeJS.ErrnoException).code ?? 'unknown' } }));
  }
  const isSound = (): boolean => inspectFile(join(dataDir, 'gantry.db'), options.migrations ?? allMigrations).kind === 'sound';
  if (moved.phase !== 'opened' && moved.incoming.includes('gantry.db') && !isSound()) return back(moved, fault('store_broken', 'The database that was to take the place could not be read.'));
  // the lock stays: onClose belongs to the store that is opened in the end
  let close = (): void => {};
  const opened = await openLocked(options, () => close());
  if (!opened.ok) return moved.phase === 'opened' ? opened : back(moved, opened.error);
  try {
    writeReplacement(dataDir, { ...moved, phase: 'opened' });
    onPoint('opened');
    if (moved.stripSecrets) stripSecrets(join(asideOf(dataDir, moved.aside), 'gantry.db'));
    if (moved.forget.length > 0) await options.forgetKeys?.(moved.forget);
    onPoint('forgotten');
    finishReplacement(dataDir, moved);
  } catch {
    // what is left to be removed is removed by the next start: its file is still there
  }
  close = onClose;
  const notice = doneNotice(moved, opened.value.store, dataDir, clock.now());
  return ok({ ...opened.value, notices: () => [notice, ...opened.value.notices()] });
};

/** A window only reads everything again after it: that it was done stands nowhere else. */
const doneNotice = (done: Replacement, store: SqliteStore, dataDir: string, at: number): Notice => {
  const path = done.outgoing.some((one) => one.to === 'aside') ? asideOf(dataDir, done.aside) : null;
  const setAside = path !== null && existsSync(path) ? path : null;
  if (done.kind === 'reset') return { code: 'data_reset', at, message: 'Everything was reset.', details: { what: 'everything', setAside } };
  const consent = store.read((db) => countIn(db.get('SELECT count(*) AS n FROM servers WHERE consented_fingerprint IS NULL')));
  return { code: 'data_restored', at, message: `A backup was restored; ${consent} of its servers wait for consent.`, details: { backupAt: done.backupAt ?? null, consent, setAside } };
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
