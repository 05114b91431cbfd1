import { z } from 'zod';
import { CapabilityKindSchema, type Capability } from '../../shared/capability.ts';
import type { CapabilityFlagCode } from '../../shared/capability-flags.ts';
import type { CapabilityKind } from '../../shared/capability-id.ts';
import type { ReadDb, WriteDb } from './database.ts';
import { readableRows } from './readable-rows.ts';

export type CapabilityFlag = Capability['flags'][number];
/** One that this version raises; a row may hold others of another version. */
export type RaisedFlag = CapabilityFlag & { readonly code: CapabilityFlagCode };

/** A registered capability. Times are ms since epoch. */
export interface CapabilityRow {
  readonly id: string;
  readonly serverId: string;
  readonly kind: CapabilityKind;
  readonly name: string;
  readonly definitionFingerprint: string;
  /** the binding without the review (definition, server, launch, instructions), as of the last reading */
  readonly sourceFingerprint: string;
  readonly flags: readonly CapabilityFlag[];
  /** offered at the last complete reading */
  readonly present: boolean;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
}

const FlagsSchema = z.array(z.object({ code: z.string(), place: z.string(), detail: z.string() }));
const RowSchema = z.object({
  id: z.string(),
  server_id: z.string(),
  kind: CapabilityKindSchema,
  name: z.string(),
  definition_fingerprint: z.string(),
  binding_fingerprint: z.string(),
  flags_json: z.string(),
  present: z.union([z.literal(0), z.literal(1)]),
  first_seen_at: z.number(),
  last_seen_at: z.number(),
});

const parseRow = (row: unknown): CapabilityRow => {
  const stored = RowSchema.parse(row);
  return {
    id: stored.id,
    serverId: stored.server_id,
    kind: stored.kind,
    name: stored.name,
    definitionFingerprint: stored.definition_fingerprint,
    sourceFingerprint: stored.binding_fingerprint,
    flags: stored.flags_json === '[]' ? [] : FlagsSchema.parse(JSON.parse(stored.flags_json)),
    present: stored.present === 1,
    firstSeenAt: stored.first_seen_at,
    lastSeenAt: stored.last_seen_at,
  };
};

/** Those that can be read, in the order in which they were first registered; the next reading of its server writes an unreadable one anew. */
export const listCapabilities = (db: ReadDb): readonly CapabilityRow[] => readableRows(db.all('SELECT * FROM capabilities ORDER BY rowid'), parseRow);

export const hasServer = (db: ReadDb, serverId: string): boolean => db.get('SELECT 1 FROM servers WHERE id = ?', [serverId]) !== undefined;

export const putCapability = (db: WriteDb, row: CapabilityRow): void => {
  db.run(
    `INSERT INTO capabilities (id, server_id, kind, name, definition_fingerprint, binding_fingerprint, flags_json, present, first_seen_at, last_seen_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET definition_fingerprint = excluded.definition_fingerprint, binding_fingerprint = excluded.binding_fingerprint,
       flags_json = excluded.flags_json, present = excluded.present, last_seen_at = excluded.last_seen_at`,
    [
      row.id, row.serverId, row.kind, row.name, row.definitionFingerprint, row.sourceFingerprint, JSON.stringify(row.flags), row.present ? 1 : 0, row.firstSeenAt, row.lastSeenAt,
    ],
  );
};

/** Those that were read again and are as they were. */
export const touchCapabilities = (db: WriteDb, ids: readonly string[], at: number): void => {
  db.run('UPDATE capabilities SET last_seen_at = ? WHERE id IN (SELECT value FROM json_each(?))', [at, JSON.stringify(ids)]);
};

/** Those that are no longer offered: kept, and listed so. */
export const markAbsent = (db: WriteDb, ids: readonly string[]): void => {
  db.run('UPDATE capabilities SET present = 0 WHERE id IN (SELECT value FROM json_each(?))', [JSON.stringify(ids)]);
};
