import { existsSync } from 'node:fs';
import DatabaseConstructor from 'better-sqlite3';
import type { Database } from 'better-sqlite3';

const OF_THIS_MACHINE = ['secrets', 'key_wraps', 'choice_key', 'tool_choices', 'choice_counts', 'embedding_vectors', 'embedding_spaces', 'contacts'];

/** Deletes sealed values, key wraps, what was learned from calls, vectors of definitions, and whom this machine contacted, as far as this database has tables of them. */
export const deleteOwnRows = (db: Database): void => {
  const there = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  db.exec(OF_THIS_MACHINE.filter((name) => there.includes(name)).map((name) => `DELETE FROM ${name};`).join(' '));
};

/** Removes what deleteOwnRows deletes from a database that nobody has open, with every byte of it. Nothing where there is no database. Throws what SQLite throws. */
export const stripSecrets = (path: string): void => {
  if (!existsSync(path)) return;
  const db = new DatabaseConstructor(path);
  try {
    db.pragma('trusted_schema = OFF');
    db.pragma('secure_delete = ON');
    db.transaction(() => deleteOwnRows(db)).immediate();
    db.exec('VACUUM');
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
};
