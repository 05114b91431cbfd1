import { existsSync, rmSync, statSync } from 'node:fs';
import DatabaseConstructor from 'better-sqlite3';
import { APPLICATION_ID } from './application-id.ts';
import { latestVersion } from './migrate.ts';
import type { Migration } from './migrations/all.ts';
import { schemaProblem } from './schema-mark.ts';
import { sqliteCode } from './store-fault.ts';

/** `absent`: no file, or an empty one. `version` is the migration the file stands at. */
export type Inspection =
  | { readonly kind: 'absent' }
  | { readonly kind: 'sound'; readonly version: number }
  | { readonly kind: 'broken'; readonly detail: string }
  | { readonly kind: 'unreadable'; readonly detail: string };

const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0);

/**
 * Looks at a database file without changing it: a read-only connection neither rolls back nor checkpoints, so what may be broken stays
 * as it was found. quick_check reads every page: about 1.7 s per GB on the build machine.
 */
export const inspectFile = (path: string, migrations: readonly Migration[]): Inspection => {
  // SQLite would delete the -wal of an empty database: rows that were committed there would be gone without a word
  if (sizeOf(path) === 0) return sizeOf(`${path}-wal`) === 0 ? { kind: 'absent' } : { kind: 'broken', detail: 'the database is missing but its write-ahead log is there' };
  const logs = ['-wal', '-shm'].map((tail) => path + tail).filter((log) => !existsSync(log));
  let db: DatabaseConstructor.Database | null = null;
  try {
    db = new DatabaseConstructor(path, { readonly: true });
    const version = Number(db.pragma('user_version', { simple: true }));
    const appId = Number(db.pragma('application_id', { simple: true }));
    const rows = db.pragma('quick_check(5)') as readonly { readonly quick_check: string }[];
    const findings = rows.map((row) => row.quick_check).join('; ');
    if (findings !== 'ok') return { kind: 'broken', detail: findings };
    if (appId !== APPLICATION_ID) return { kind: 'broken', detail: 'this database was not made by Gantry' };
    const problem = version === latestVersion(migrations) ? schemaProblem(db, migrations) : null;
    return problem === null ? { kind: 'sound', version } : { kind: 'broken', detail: problem };
  } catch (error) {
    const code = sqliteCode(error);
    const detail = `${(error as Error).message} (${code})`;
    return /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(code) ? { kind: 'broken', detail } : { kind: 'unreadable', detail };
  } finally {
    db?.close();
    // a read-only connection makes the logs that it needs and leaves them; the caller holds the folder's lock, so those that were not there are this look's own
    for (const log of logs) rmSync(log, { force: true });
  }
};
