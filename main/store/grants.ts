import { z } from 'zod';
import { countIn } from './count-row.ts';
import type { ReadDb, WriteDb } from './database.ts';

/** A user's decision that a principal may use one definition of one capability. */
export interface Grant {
  readonly principal: string;
  readonly capabilityId: string;
  readonly definitionFingerprint: string;
}

/** One move of a grant; `by` is who made it, or `host:...` where a definition moved under it. Times are ms since epoch. */
export interface AccessChange extends Grant {
  readonly at: number;
  readonly allowed: boolean;
  readonly by: string;
}

const GrantRow = z.object({ principal: z.string(), capability_id: z.string(), definition_fingerprint: z.string() });
const ChangeRow = GrantRow.extend({ at: z.number(), allowed: z.union([z.literal(0), z.literal(1)]), changed_by: z.string() });

export const listGrants = (db: ReadDb): readonly Grant[] =>
  db.all('SELECT principal, capability_id, definition_fingerprint FROM grants').map((row) => {
    const r = GrantRow.parse(row);
    return { principal: r.principal, capabilityId: r.capability_id, definitionFingerprint: r.definition_fingerprint };
  });

export const recordAccessChange = (db: WriteDb, change: AccessChange): void => {
  db.run('INSERT INTO access_changes (at, principal, capability_id, definition_fingerprint, allowed, changed_by) VALUES (?, ?, ?, ?, ?, ?)', [
    change.at, change.principal, change.capabilityId, change.definitionFingerprint, change.allowed ? 1 : 0, change.by,
  ]);
};

/** Gives or takes grants and records each, in the caller's transaction: two statements, however many there are. */
export const changeGrants = (db: WriteDb, grants: readonly Grant[], change: Pick<AccessChange, 'at' | 'allowed' | 'by'>): void => {
  const rows = JSON.stringify(grants.map((grant) => [grant.principal, grant.capabilityId, grant.definitionFingerprint]));
  if (change.allowed) db.run('INSERT OR IGNORE INTO grants (principal, capability_id, definition_fingerprint, granted_at) SELECT value ->> 0, value ->> 1, value ->> 2, ? FROM json_each(?)', [change.at, rows]);
  else db.run('DELETE FROM grants WHERE (principal, capability_id, definition_fingerprint) IN (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?))', [rows]);
  db.run('INSERT INTO access_changes (at, principal, capability_id, definition_fingerprint, allowed, changed_by) SELECT ?, value ->> 0, value ->> 1, value ->> 2, ?, ? FROM json_each(?)', [change.at, change.allowed ? 1 : 0, change.by, rows]);
};

/** The newest first. */
export const listAccessChanges = (db: ReadDb, query: { readonly serverId?: string | undefined; readonly limit: number }): AccessChange[] => {
  const rows =
    query.serverId === undefined
      ? db.all('SELECT * FROM access_changes ORDER BY id DESC LIMIT ?', [query.limit])
      : db.all('SELECT * FROM access_changes WHERE capability_id >= @first AND capability_id < @end ORDER BY id DESC LIMIT @limit', {
          first: `mcp:${query.serverId}:`,
          end: `mcp:${query.serverId};`,
          limit: query.limit,
        });
  return rows.map((row) => {
    const r = ChangeRow.parse(row);
    return { at: r.at, principal: r.principal, capabilityId: r.capability_id, definitionFingerprint: r.definition_fingerprint, allowed: r.allowed === 1, by: r.changed_by };
  });
};

export const deleteOrphanGrants = (db: WriteDb): number => db.run('DELETE FROM grants WHERE capability_id NOT IN (SELECT id FROM capabilities)');

export const countAccessChanges = (db: ReadDb, serverId: string): number =>
  countIn(db.get('SELECT count(*) AS n FROM access_changes WHERE capability_id >= ? AND capability_id < ?', [`mcp:${serverId}:`, `mcp:${serverId};`]));
