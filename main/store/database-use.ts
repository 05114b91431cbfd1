import { z } from 'zod';
import type { ReadDb } from './database.ts';

/** What takes the room inside the database, in bytes; reads every page. */
export interface DatabaseUse {
  readonly unusedBytes: number;
  readonly eventBytes: number;
  readonly resultBytes: number;
  readonly runs: number;
  readonly calls: number;
}

const One = z.record(z.string(), z.number().nullable());
const number = (db: ReadDb, sql: string): number => Object.values(One.parse(db.get(sql)))[0] ?? 0;

export const databaseUse = (db: ReadDb): DatabaseUse => ({
  unusedBytes: number(db, 'SELECT freelist_count * page_size AS n FROM pragma_freelist_count, pragma_page_size'),
  eventBytes: number(db, "SELECT sum(pgsize) AS n FROM dbstat WHERE name = 'events'"),
  resultBytes: number(db, 'SELECT sum(octet_length(result_json)) AS n FROM invocations') + number(db, 'SELECT sum(octet_length(preview_json)) AS n FROM result_previews'),
  runs: number(db, 'SELECT count(*) AS n FROM runs'),
  calls: number(db, 'SELECT count(*) AS n FROM invocations'),
});
