import { z } from 'zod';
import { DiscoveryFactSchema, type DiscoveryFact } from '../../shared/server.ts';
import type { ReadDb, WriteDb } from './database.ts';

const Row = z.object({ fact_json: z.string() });

/** The last reading of a server; a failed list is kept as failed, never as zero. */
export const saveDiscovery = (db: WriteDb, serverId: string, fact: DiscoveryFact): void => {
  db.run('INSERT INTO discoveries (server_id, fact_json) VALUES (?, ?) ON CONFLICT (server_id) DO UPDATE SET fact_json = excluded.fact_json', [serverId, JSON.stringify(fact)]);
};

export const readDiscovery = (db: ReadDb, serverId: string): DiscoveryFact | null => {
  const row = db.get('SELECT fact_json FROM discoveries WHERE server_id = ?', [serverId]);
  if (row === undefined) return null;
  return DiscoveryFactSchema.parse(JSON.parse(Row.parse(row).fact_json));
};
