import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, type Result } from '../../shared/result.ts';

/** The SQLite or system code of an error (SQLITE_FULL, EACCES), or `unknown`. */
export const sqliteCode = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'unknown';
};

const WORDS: readonly (readonly [prefix: string, words: string, remedy: string])[] = [
  ['SQLITE_FULL', 'The disk is full', 'Free some space; the next write is tried as usual.'],
  ['SQLITE_READONLY', 'The data folder is read only', 'Make the data folder writable.'],
  ['SQLITE_IOERR', 'The disk reported an error', 'Check the disk; a copy of the data folder may be wise.'],
  ['SQLITE_CANTOPEN', 'The database file could not be opened', 'Check the data folder and its rights.'],
  ['SQLITE_CORRUPT', 'The database file is damaged', 'Restart Gantry: the file is checked, and set aside when broken.'],
  ['SQLITE_NOTADB', 'The database file is damaged', 'Restart Gantry: the file is checked, and set aside when broken.'],
];

/** What a caller of Store.write catches: the Fault for a disk that refused (A20), or null for a bug, which is thrown on. */
export const storeFault = (error: unknown): Fault | null => {
  const code = sqliteCode(error);
  const row = WORDS.find(([prefix]) => code.startsWith(prefix));
  return row ? fault('store_write_failed', `${row[1]}; nothing was written.`, { remedy: row[2], details: { code } }) : null;
};

/** What a disk that refuses makes of an act: a Fault. Bugs are thrown on. */
export const guarded = <T>(act: () => Result<T, Fault>): Result<T, Fault> => {
  try {
    return act();
  } catch (error) {
    const cause = storeFault(error);
    if (!cause) throw error;
    return err(cause);
  }
};
