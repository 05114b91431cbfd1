import { z } from 'zod';
import { EmbeddingsGateSchema, type EmbeddingsGate } from '../../shared/embeddings.ts';
import type { ReadDb, WriteDb } from './database.ts';
import { readRow } from './readable-rows.ts';

/** Which text of a definition: all of it, or those by which a model is judged: its two halves, and of the second what the first does not say. */
export type VectorPart = 'whole' | 'lead' | 'rest' | 'strange';

/** Where vectors can be compared with each other. `gateOf`: the hash of the tools that the gate was measured on; `centre`: packed. */
export interface VectorSpace {
  readonly id: number;
  readonly dimension: number;
  readonly gateOf: string | null;
  readonly gate: EmbeddingsGate | null;
  readonly centre: Buffer | null;
}

/** Spaces that are kept beside the present one: who tries another model and comes back pays once. */
const MOST_SPACES = 3;
const SpaceSchema = z.object({ id: z.number(), dimension: z.number(), gate_of: z.string().nullable(), gate_json: z.string().nullable(), centre: z.instanceof(Buffer).nullable() });
const VectorSchema = z.object({ definition_fingerprint: z.string(), vector: z.instanceof(Buffer) });
const NameSchema = z.object({ definition_fingerprint: z.string() });

const parse = (row: unknown): VectorSpace => {
  const { gate_of: gateOf, gate_json: gate, ...rest } = SpaceSchema.parse(row);
  return { ...rest, gateOf, gate: gate === null ? null : EmbeddingsGateSchema.parse(JSON.parse(gate)) };
};

/** Null before its first vector. */
export const readSpace = (db: ReadDb, name: string): VectorSpace | null => {
  const row = db.get('SELECT id, dimension, gate_of, gate_json, centre FROM embedding_spaces WHERE name = ?', [name]);
  return row === undefined ? null : readRow(row, parse);
};

/** The space of this name, made where there is none; those that were not used for longest go. */
export const makeSpace = (db: WriteDb, name: string, dimension: number, at: number): VectorSpace => {
  db.run('INSERT INTO embedding_spaces (name, dimension, used_at) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET used_at = excluded.used_at', [name, dimension, at]);
  db.run('DELETE FROM embedding_spaces WHERE id IN (SELECT id FROM embedding_spaces ORDER BY name = ? DESC, used_at DESC, id DESC LIMIT -1 OFFSET ?)', [name, MOST_SPACES]);
  return readSpace(db, name)!;
};

export const deleteSpace = (db: WriteDb, name: string): void => {
  db.run('DELETE FROM embedding_spaces WHERE name = ?', [name]);
};

export const writeGate = (db: WriteDb, spaceId: number, of: string, gate: EmbeddingsGate, centre: Buffer | null): void => {
  db.run('UPDATE embedding_spaces SET gate_of = ?, gate_json = ?, centre = ? WHERE id = ?', [of, JSON.stringify(gate), centre, spaceId]);
};

export const putVectors = (db: WriteDb, spaceId: number, part: VectorPart, vectors: readonly (readonly [definitionFingerprint: string, vector: Buffer])[]): void => {
  for (const [fingerprint, vector] of vectors) db.run('INSERT OR REPLACE INTO embedding_vectors (space_id, part, definition_fingerprint, vector) VALUES (?, ?, ?, ?)', [spaceId, part, fingerprint, vector]);
};

/** Of these definitions, as far as there are any. */
export const readVectors = (db: ReadDb, spaceId: number, part: VectorPart, fingerprints: readonly string[]): ReadonlyMap<string, Buffer> =>
  new Map(
    db
      .all('SELECT definition_fingerprint, vector FROM json_each(?) JOIN embedding_vectors ON space_id = ? AND part = ? AND definition_fingerprint = value', [JSON.stringify(fingerprints), spaceId, part])
      .map((row) => VectorSchema.parse(row))
      .map((row) => [row.definition_fingerprint, row.vector]),
  );

/** The definitions that have a vector of this part. */
export const listVectors = (db: ReadDb, spaceId: number, part: VectorPart): ReadonlySet<string> =>
  new Set(db.all('SELECT definition_fingerprint FROM embedding_vectors WHERE space_id = ? AND part = ?', [spaceId, part]).map((row) => NameSchema.parse(row).definition_fingerprint));

/** Of every space, those of definitions that are not among these: gone, or replaced. */
export const pruneVectors = (db: WriteDb, fingerprints: readonly string[]): number =>
  db.run('DELETE FROM embedding_vectors WHERE definition_fingerprint NOT IN (SELECT value FROM json_each(?))', [JSON.stringify(fingerprints)]);
