import { z } from 'zod';
import type { ReadDb } from './database.ts';
import { parseServer, unreadableColumns } from './servers.ts';

/** A row of servers that cannot be read, by the columns that can. Times are ms since epoch. */
export interface UnreadableServer {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly required: boolean;
  readonly quarantinedAt: number | null;
  readonly createdAt: number;
  /** the columns that cannot be read */
  readonly columns: readonly string[];
}

const RowSchema = z.object({ id: z.string(), name: z.string(), enabled: z.number(), required: z.number(), quarantined_at: z.number().nullable(), created_at: z.number() });

const parse = (row: unknown): UnreadableServer[] => {
  const columns = unreadableColumns(row);
  if (columns.length === 0) return [];
  const { id, name, enabled, required, quarantined_at: quarantinedAt, created_at: createdAt } = RowSchema.parse(row);
  return [{ id, name, enabled: enabled !== 0, required: required !== 0, quarantinedAt, createdAt, columns }];
};

/** Those that `listServers` leaves out. */
export const listUnreadableServers = (db: ReadDb): UnreadableServer[] => db.all('SELECT * FROM servers ORDER BY created_at, id').flatMap((row) => (parseServer(db, row) === null ? parse(row) : []));

/** Null where there is none, or it can be read. */
export const readUnreadableServer = (db: ReadDb, serverId: string): UnreadableServer | null => {
  const row = db.get('SELECT * FROM servers WHERE id = ?', [serverId]);
  return row === undefined ? null : (parse(row)[0] ?? null);
};
