import { z } from 'zod';
import { ModelLimitsSchema, PricesSchema, type ModelLimits, type Prices } from '../../shared/model.ts';
import { RouteIdSchema, type RouteId } from '../../shared/rendering.ts';
import type { ReadDb, WriteDb } from './database.ts';
import { readableRows, readRow } from './readable-rows.ts';

export interface ModelRow {
  readonly id: string;
  /** empty: the model's name stands for it */
  readonly label: string;
  readonly provider: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly keyRef: string | null;
  /** set by a person; null: found from provider, model and address */
  readonly route: RouteId | null;
  readonly prices: Prices | null;
  readonly limits: ModelLimits;
  readonly inUse: boolean;
  /** ms since epoch */
  readonly setAt: number;
}
export const NO_MODEL_LIMITS: ModelLimits = { contextTokens: null, maxOutputTokens: null };

const json = <T>(schema: z.ZodType<T>, text: string | null): T | null => (text === null ? null : schema.parse(JSON.parse(text)));
const RowSchema = z.object({
  id: z.string(), label: z.string(), provider: z.string(), base_url: z.string(), model: z.string(), key_ref: z.string().nullable(), route: RouteIdSchema.nullable().catch(null),
  prices_json: z.string().nullable(), limits_json: z.string().nullable(), in_use: z.number(), set_at: z.number(),
});
const parse = (row: unknown): ModelRow => {
  const r = RowSchema.parse(row);
  return {
    id: r.id, label: r.label, provider: r.provider, baseUrl: r.base_url, model: r.model, keyRef: r.key_ref, route: r.route,
    prices: json(PricesSchema, r.prices_json), limits: json(ModelLimitsSchema, r.limits_json) ?? NO_MODEL_LIMITS, inUse: r.in_use === 1, setAt: r.set_at,
  };
};

/** The one in use; null where none is set. */
export const readModel = (db: ReadDb): ModelRow | null => {
  const row = db.get('SELECT * FROM models WHERE in_use = 1');
  return row === undefined ? null : readRow(row, parse);
};

export const getModel = (db: ReadDb, id: string): ModelRow | null => {
  const row = db.get('SELECT * FROM models WHERE id = ?', [id]);
  return row === undefined ? null : readRow(row, parse);
};

/** The one in use first. */
export const listModels = (db: ReadDb): readonly ModelRow[] => readableRows(db.all('SELECT * FROM models ORDER BY in_use DESC, lower(coalesce(nullif(label, \'\'), model)), id'), parse);

/** `inUse` is not written: `useModel` moves it. */
export const writeModel = (db: WriteDb, row: ModelRow): void => {
  db.run(
    `INSERT INTO models (id, label, provider, base_url, model, key_ref, route, prices_json, limits_json, in_use, set_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
     ON CONFLICT (id) DO UPDATE SET label = excluded.label, provider = excluded.provider, base_url = excluded.base_url, model = excluded.model, key_ref = excluded.key_ref, route = excluded.route,
       prices_json = excluded.prices_json, limits_json = excluded.limits_json, set_at = excluded.set_at`,
    [row.id, row.label, row.provider, row.baseUrl, row.model, row.keyRef, row.route, row.prices === null ? null : JSON.stringify(row.prices), JSON.stringify(row.limits), row.setAt],
  );
};

/** False where there is no such model; then the one in use stays. */
export const putModelInUse = (db: WriteDb, id: string): boolean => {
  if (db.get('SELECT 1 FROM models WHERE id = ?', [id]) === undefined) return false;
  db.run('UPDATE models SET in_use = 0 WHERE in_use = 1');
  return db.run('UPDATE models SET in_use = 1 WHERE id = ?', [id]) === 1;
};

/** Profiles that named it ask the model in use from then on; where it was in use, the one that was set last is. */
export const deleteModel = (db: WriteDb, id: string): void => {
  db.run('DELETE FROM models WHERE id = ?', [id]);
  db.run('UPDATE agent_profiles SET model_id = NULL WHERE model_id = ?', [id]);
  if (db.get('SELECT 1 FROM models WHERE in_use = 1') === undefined) db.run('UPDATE models SET in_use = 1 WHERE id = (SELECT id FROM models ORDER BY set_at DESC, id LIMIT 1)');
};
