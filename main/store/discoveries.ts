import { z } from 'zod';
import { DiscoveryFactSchema, type DiscoveryFact } from '../../shared/server.ts';
import type { ReadDb, WriteDb } from './database.ts';
import { readRow, unreadableRows } from './readable-rows.ts';

const Row = z.object({ fact_json: z.string() });

/** The last reading of a server; a failed list is kept as failed, never as zero. */
export const saveDiscovery = (db: WriteDb, serverId: string, fact: DiscoveryFact): void => {
  db.run('INSERT INTO discoveries (server_id, fact_json) VALUES (?, ?) ON CONFLICT (server_id) DO UPDATE SET fact_json = excluded.fact_json', [serverId, JSON.stringify(fact)]);
};

const parseRow = (row: unknown): DiscoveryFact => DiscoveryFactSchema.parse(JSON.parse(Row.parse(row).fact_json));

/** Null where there is none, or it cannot be read: the next reading writes it anew. */
export const readDiscovery = (db: ReadDb, serverId: string): DiscoveryFact | null => {
  const row = db.get('SELECT fact_json FROM discoveries WHERE server_id = ?', [serverId]);
  return row === undefined ? null : readRow(row, parseRow);
};

/** Servers whose last reading is there and cannot be read. */
export const unreadableDiscoveries = (db: ReadDb): string[] => unreadableRows(db.all('SELECT server_id AS id, fact_json FROM discoveries'), parseRow);
