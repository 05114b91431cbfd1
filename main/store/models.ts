import { z } from 'zod';
import { RouteIdSchema, type RouteId } from '../../shared/rendering.ts';
import type { ReadDb, WriteDb } from './database.ts';

export interface ModelRow {
  readonly provider: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly keyRef: string | null;
  /** set by a person; null: found from provider, model and address */
  readonly route: RouteId | null;
  /** ms since epoch */
  readonly setAt: number;
}
const RowSchema = z.object({ provider: z.string(), base_url: z.string(), model: z.string(), key_ref: z.string().nullable(), route: RouteIdSchema.nullable().catch(null), set_at: z.number() });

export const readModel = (db: ReadDb): ModelRow | null => {
  const row = db.get("SELECT provider, base_url, model, key_ref, route, set_at FROM models WHERE slot = 'default'");
  if (row === undefined) return null;
  const r = RowSchema.parse(row);
  return { provider: r.provider, baseUrl: r.base_url, model: r.model, keyRef: r.key_ref, route: r.route, setAt: r.set_at };
};

export const writeModel = (db: WriteDb, row: ModelRow): void => {
  db.run(
    `INSERT INTO models (slot, provider, base_url, model, key_ref, route, set_at) VALUES ('default', ?, ?, ?, ?, ?, ?)
     ON CONFLICT (slot) DO UPDATE SET provider = excluded.provider, base_url = excluded.base_url, model = excluded.model, key_ref = excluded.key_ref, route = excluded.route, set_at = excluded.set_at`,
    [row.provider, row.baseUrl, row.model, row.keyRef, row.route, row.setAt],
  );
};
