import { join, relative, isAbsolute } from 'node:path';
import DatabaseConstructor from 'better-sqlite3';
import { z } from 'zod';
import { countIn } from './count-row.ts';
import { SqliteStore } from './database.ts';
import type { ReadDb } from './database.ts';
import { latestVersion, migrate } from './migrate.ts';
import { migrations } from './migrations/all.ts';
import { schemaProblem } from './schema-mark.ts';
import type { SecretRow } from './secrets.ts';
import { deleteOwnRows } from './strip-secrets.ts';

const Installed = z.object({ server_id: z.string(), kind: z.string(), dir: z.string(), entry: z.string() });
const Count = z.number();

export type PreparedDatabase = { readonly problem: string } | { readonly grants: number; readonly rules: number; readonly runs: number; readonly events: number };

/** Steps that were committed and not yet taken into their tables: nothing may come after what is verified. */
const takeSteps = (path: string): void => {
  const store = new SqliteStore(path);
  store.settle();
  store.close();
};

/**
 * Makes a database that came from a stranger ready to take the place of ours, in its file, which nobody else has open: brought up to this version,
 * tables and triggers ours, nothing sealed, nothing running, every server off and without consent, packages in their place under `dataDir`.
 */
export const prepareRestored = (path: string, dataDir: string): PreparedDatabase => {
  let db = new DatabaseConstructor(path);
  try {
    db.pragma('trusted_schema = OFF');
    db.pragma('cell_size_check = ON');
    const version = Number(db.pragma('user_version', { simple: true }));
    if (version > latestVersion(migrations)) return { problem: 'it is of a newer version than its manifest says' };
    // before anything is written: a trigger of somebody else would run with it
    const foreign = db.prepare("SELECT name FROM sqlite_schema WHERE type IN ('trigger', 'view') AND name <> 'events_follow'").pluck().get();
    if (foreign !== undefined) return { problem: `${String(foreign)} is not of Gantry` };
    migrate(db, migrations);
    const problem = schemaProblem(db, migrations);
    if (problem !== null) return { problem };
    db.close();
    takeSteps(path);
    db = new DatabaseConstructor(path);
    if ((db.pragma('foreign_key_check') as unknown[]).length > 0) return { problem: 'rows refer to rows that are not there' };
    db.pragma('secure_delete = ON');
    db.transaction(() => {
      deleteOwnRows(db);
      db.exec('DELETE FROM processes; DELETE FROM address_agreements; UPDATE servers SET enabled = 0, consented_fingerprint = NULL, era = NULL, era_at = NULL');
      const move = db.prepare('UPDATE installations SET dir = ?, entry = ? WHERE server_id = ?');
      for (const raw of db.prepare("SELECT server_id, kind, dir, entry FROM installations WHERE kind = 'npm'").all()) {
        const row = Installed.parse(raw);
        const inside = relative(row.dir, row.entry);
        const dir = join(dataDir, 'apps', row.server_id);
        if (isAbsolute(inside) || inside.startsWith('..')) throw new RangeError(`the entry of ${row.server_id} lies outside its package`);
        move.run(dir, join(dir, inside), row.server_id);
      }
    })();
    db.exec('VACUUM');
    const count = (sql: string): number => Count.parse(db.prepare(sql).pluck().get());
    return { grants: count('SELECT count(*) FROM grants'), rules: count('SELECT count(*) FROM rules'), runs: count('SELECT count(*) FROM runs'), events: count('SELECT count(*) FROM events') };
  } catch (error) {
    if (error instanceof RangeError || error instanceof z.ZodError || /^SQLITE_(CORRUPT|NOTADB|ERROR|CONSTRAINT|MISMATCH)/.test((error as { code?: string }).code ?? '')) return { problem: (error as Error).message.slice(0, 300) };
    throw error;
  } finally {
    if (db.open) {
      try {
        db.pragma('journal_mode = DELETE');
      } catch {
        // what cannot be read keeps its journal, and is thrown away
      }
      db.close();
    }
  }
};

/** Puts sealed values and the wraps of their key into such a database. */
export const putSealed = (path: string, rows: readonly SecretRow[], wraps: ReadonlyMap<string, string>, at: number): void => {
  const db = new DatabaseConstructor(path);
  try {
    db.transaction(() => {
      const secret = db.prepare('INSERT INTO secrets (ref, server_id, place, nonce, sealed, updated_at) VALUES (?, ?, ?, ?, ?, ?)');
      for (const row of rows) secret.run(row.ref, row.serverId, row.place, Buffer.from(row.nonce), Buffer.from(row.sealed), row.updatedAt);
      const wrap = db.prepare('INSERT INTO key_wraps (provider, wrapped_json, created_at) VALUES (?, ?, ?)');
      for (const [provider, wrapped] of wraps) wrap.run(provider, wrapped, at);
    })();
  } finally {
    db.close();
  }
};

/** Takes out of a copy what belongs to this machine: processes, sealed values, keys, what was learned from calls; not a byte of them stays. */
export const scrubCopy = (path: string): void => {
  takeSteps(path);
  const db = new DatabaseConstructor(path);
  try {
    db.pragma('secure_delete = ON');
    db.transaction(() => {
      deleteOwnRows(db);
      db.exec('DELETE FROM processes');
    }).immediate();
    db.exec('VACUUM');
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
};

export const countRuns = (db: ReadDb): number => countIn(db.get('SELECT count(*) AS n FROM runs'));
