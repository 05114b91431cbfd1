import DatabaseConstructor from 'better-sqlite3';
import { addFoldText } from './fold-text.ts';
import { ReadDb, type Store } from './database.ts';

/** What only reads: the store, or a connection of its own beside it. */
export type ReadStore = Pick<Store, 'read'>;

/** A second connection that sees what is committed and can change nothing; for worker threads. Throws what SQLite throws. */
export const openReadOnly = (path: string): ReadStore => {
  const raw = new DatabaseConstructor(path, { readonly: true, fileMustExist: true });
  raw.pragma('query_only = ON');
  raw.pragma('trusted_schema = OFF');
  raw.pragma('busy_timeout = 5000');
  addFoldText(raw);
  const db = new ReadDb(raw);
  // one snapshot for all that is read together, while the host writes beside it
  return { read: (fn) => raw.transaction(() => fn(db))() };
};

/** A whole copy of the database at `from` in the file `to`, by SQLite's own backup interface. Rejects with what SQLite throws. */
export const copyDatabase = async (from: string, to: string): Promise<void> => {
  const raw = new DatabaseConstructor(from, { readonly: true, fileMustExist: true });
  try {
    await raw.backup(to);
  } finally {
    raw.close();
  }
};
