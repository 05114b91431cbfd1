import { z } from 'zod';
import type { ReadDb, WriteDb } from './database.ts';
import { readRow } from './readable-rows.ts';

/** The one embeddings endpoint. */
export interface EmbeddingsRow {
  readonly provider: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly keyRef: string | null;
  readonly dimensions: number | null;
  readonly enabled: boolean;
  /** ms since epoch */
  readonly setAt: number;
}

const RowSchema = z.object({ provider: z.string(), base_url: z.string(), model: z.string(), key_ref: z.string().nullable(), dimensions: z.number().nullable(), enabled: z.number(), set_at: z.number() });
const parse = (row: unknown): EmbeddingsRow => {
  const r = RowSchema.parse(row);
  return { provider: r.provider, baseUrl: r.base_url, model: r.model, keyRef: r.key_ref, dimensions: r.dimensions, enabled: r.enabled === 1, setAt: r.set_at };
};

/** Null where none is set. */
export const readEmbeddings = (db: ReadDb): EmbeddingsRow | null => {
  const row = db.get('SELECT * FROM embeddings WHERE id = 1');
  return row === undefined ? null : readRow(row, parse);
};

export const writeEmbeddings = (db: WriteDb, row: EmbeddingsRow): void => {
  db.run('INSERT OR REPLACE INTO embeddings (id, provider, base_url, model, key_ref, dimensions, enabled, set_at) VALUES (1, ?, ?, ?, ?, ?, ?, ?)', [
    row.provider, row.baseUrl, row.model, row.keyRef, row.dimensions, row.enabled ? 1 : 0, row.setAt,
  ]);
};

export const deleteEmbeddings = (db: WriteDb): void => {
  db.run('DELETE FROM embeddings');
  db.run('DELETE FROM embedding_spaces');
};
