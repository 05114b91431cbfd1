import { existsSync } from 'node:fs';
import DatabaseConstructor from 'better-sqlite3';

/** Removes sealed values and key wraps from a database that nobody has open, with every byte of them. Nothing where there is no database. Throws what SQLite throws. */
export const stripSecrets = (path: string): void => {
  if (!existsSync(path)) return;
  const db = new DatabaseConstructor(path);
  try {
    db.pragma('trusted_schema = OFF');
    db.pragma('secure_delete = ON');
    db.exec('BEGIN IMMEDIATE; DELETE FROM secrets; DELETE FROM key_wraps; COMMIT; VACUUM');
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
};
