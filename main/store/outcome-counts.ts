import { z } from 'zod';
import { FAULT_CODES } from '../../shared/fault-codes.ts';
import { countIn } from './count-row.ts';
import type { ReadDb } from './database.ts';

const CountsSchema = z.object({ failed: z.number().nullable(), unknown: z.number().nullable(), last_unknown_at: z.number().nullable() });

/** Calls that a person, a rule or the host refused before anything was sent: no failure of the server. */
const REFUSED = Object.entries(FAULT_CODES).filter(([, { layer }]) => layer === 'policy' || layer === 'selection' || layer === 'contract').map(([code]) => code);
/** A start that waits for the person's word has not failed. */
const WAITS = ['consent_required', 'disabled', 'quarantined', 'secret_store_locked'];
const NumberSchema = z.object({ n: z.number() });
const marks = (list: readonly string[]): string => list.map(() => '?').join(', ');

/** Starts and connections of this server that failed, of the facts that are kept. */
export const countFailedStarts = (db: ReadDb, serverId: string): number =>
  NumberSchema.parse(db.get(`SELECT count(*) AS n FROM server_facts WHERE server_id = ? AND step = 'failure' AND coalesce(json_extract(data_json, '$.code'), '') NOT IN (${marks(WAITS)})`, [serverId, ...WAITS])).n;

/** How the calls to one server's capabilities ended; `lastUnknownAt` in ms since epoch. `failed` leaves out what was refused before it was sent. Reads indexes only, not the calls. */
export const countOutcomes = (db: ReadDb, serverId: string): { readonly total: number; readonly failed: number; readonly unknown: number; readonly lastUnknownAt: number | null } => {
  const ofServer = [`mcp:${serverId}:`, `mcp:${serverId};`];
  const total = countIn(db.get('SELECT count(*) AS n FROM invocations WHERE capability_id >= ? AND capability_id < ?', ofServer));
  const row = CountsSchema.parse(
    db.get(
      `SELECT sum(coalesce(code, '') NOT IN (${marks(REFUSED)})) AS failed, sum(code = 'outcome_unknown') AS unknown, max(CASE WHEN code = 'outcome_unknown' THEN ended_at END) AS last_unknown_at
       FROM invocations WHERE state = 'failed' AND capability_id >= ? AND capability_id < ?`,
      [...REFUSED, ...ofServer],
    ),
  );
  return { total, failed: row.failed ?? 0, unknown: row.unknown ?? 0, lastUnknownAt: row.last_unknown_at };
};
