import { z } from 'zod';
import { DefinitionSchema, SchemaStateSchema, type Definition, type SchemaState } from '../../shared/capability.ts';
import type { ReadDb, WriteDb } from './database.ts';
import { readableRows, readRow } from './readable-rows.ts';

/** A definition by its fingerprint; never changed once written. `checkVersion`: of the check that found the schema state. */
export interface StoredDefinition {
  readonly fingerprint: string;
  readonly definition: Definition;
  readonly schemaState: SchemaState;
  readonly checkVersion: number;
  /** ms since epoch */
  readonly firstSeenAt: number;
}

const RowSchema = z.object({ fingerprint: z.string(), definition_json: z.string(), schema_detail_json: z.string(), first_seen_at: z.number() });
const DetailSchema = z.object({ checkVersion: z.number(), state: SchemaStateSchema });

const parseRow = (row: unknown): StoredDefinition => {
  const stored = RowSchema.parse(row);
  const detail = DetailSchema.parse(JSON.parse(stored.schema_detail_json));
  return {
    fingerprint: stored.fingerprint,
    definition: DefinitionSchema.parse(JSON.parse(stored.definition_json)),
    schemaState: detail.state,
    checkVersion: detail.checkVersion,
    firstSeenAt: stored.first_seen_at,
  };
};

export const getDefinition = (db: ReadDb, fingerprint: string): StoredDefinition | null => {
  const row = db.get('SELECT * FROM definitions WHERE fingerprint = ?', [fingerprint]);
  return row === undefined ? null : readRow(row, parseRow);
};

/** Those that a capability has now, or had when it was reviewed, and that can be read. */
export const listDefinitionsInUse = (db: ReadDb): readonly StoredDefinition[] =>
  readableRows(
    db.all('SELECT * FROM definitions WHERE fingerprint IN (SELECT definition_fingerprint FROM capabilities UNION SELECT definition_fingerprint FROM reviews)'),
    parseRow,
  );

/** Adds; where it is known already, the schema state is written anew, and the definition as it was, so that a damaged row is whole again. */
export const putDefinition = (db: WriteDb, stored: StoredDefinition): void => {
  db.run(
    `INSERT INTO definitions (fingerprint, definition_json, schema_detail_json, first_seen_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (fingerprint) DO UPDATE SET definition_json = excluded.definition_json, schema_detail_json = excluded.schema_detail_json`,
    [stored.fingerprint, JSON.stringify(stored.definition), JSON.stringify({ checkVersion: stored.checkVersion, state: stored.schemaState }), stored.firstSeenAt],
  );
};

/**
 * Removes those of `fingerprints` that no capability, review or grant names, and returns them: a list that differs at every reading must not fill the
 * disk (F22).
 */
export const pruneDefinitions = (db: WriteDb, fingerprints: readonly string[]): readonly string[] => {
  const unused = db
    .all(
      `SELECT value AS fingerprint FROM json_each(?) WHERE value NOT IN
       (SELECT definition_fingerprint FROM capabilities UNION SELECT definition_fingerprint FROM reviews UNION SELECT definition_fingerprint FROM grants)`,
      [JSON.stringify(fingerprints)],
    )
    .map((row) => z.object({ fingerprint: z.string() }).parse(row).fingerprint);
  for (const fingerprint of unused) db.run('DELETE FROM definitions WHERE fingerprint = ?', [fingerprint]);
  return unused;
};

/** What a crash or a removed server left without any user. */
export const deleteOrphanDefinitions = (db: WriteDb): number =>
  db.run(
    `DELETE FROM definitions WHERE fingerprint NOT IN
     (SELECT definition_fingerprint FROM capabilities UNION SELECT definition_fingerprint FROM reviews UNION SELECT definition_fingerprint FROM grants)`,
  );
