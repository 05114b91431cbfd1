import { z } from 'zod';
import type { Notice } from '../../shared/notice.ts';
import type { ReadDb } from './database.ts';
import { unreadableDiscoveries } from './discoveries.ts';
import { unreadableInstallations } from './installations.ts';
import { unreadableRunIds } from './runs.ts';
import { listServerIds, listServers } from './servers.ts';

const IdSchema = z.object({ id: z.string() });
const MAX_NAMED = 20;

/** Rows that are left out because they cannot be read; they stay where they are. `at` in ms since epoch. */
export const unreadableRowNotices = (db: ReadDb, at: number): Notice[] => {
  const readable = new Set(listServers(db).map((row) => row.id));
  const ids = (sql: string): string[] => db.all(sql).map((row) => IdSchema.parse(row).id);
  const found = [
    { table: 'servers', rows: listServerIds(db).filter((id) => !readable.has(id)) },
    { table: 'installations', rows: unreadableInstallations(db) },
    { table: 'discoveries', rows: unreadableDiscoveries(db) },
    { table: 'capabilities', rows: ids('SELECT id FROM capabilities WHERE NOT json_valid(flags_json)') },
    { table: 'runs', rows: unreadableRunIds(db) },
    { table: 'invocations', rows: ids('SELECT id FROM invocations WHERE fault_json IS NOT NULL AND NOT json_valid(fault_json)') },
    { table: 'approvals', rows: ids('SELECT id FROM approvals WHERE NOT json_valid(detail_json)') },
    { table: 'definitions', rows: ids('SELECT fingerprint AS id FROM definitions WHERE NOT (json_valid(definition_json) AND json_valid(schema_detail_json))') },
    { table: 'steps', rows: ids('SELECT CAST(seq AS TEXT) AS id FROM steps_refused') },
  ];
  return found
    .filter(({ rows }) => rows.length > 0)
    .map(({ table, rows }) => ({
      code: 'row_unreadable',
      at,
      message: `${rows.length} of the stored ${table} cannot be read and ${rows.length === 1 ? 'is' : 'are'} left out: ${rows.slice(0, MAX_NAMED).join(', ')}. Nothing was deleted.`,
      details: { table, count: rows.length, rows: rows.slice(0, MAX_NAMED) },
    }));
};
