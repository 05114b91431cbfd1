import { z } from 'zod';
import { RouteIdSchema } from '../../shared/rendering.ts';
import type { ReadDb, WriteDb } from './database.ts';
import { readableRows } from './readable-rows.ts';

/** Where a refusal holds: one route to one model at one address. */
export interface RefusalPlace {
  readonly routeId: z.infer<typeof RouteIdSchema>;
  readonly baseUrl: string;
  readonly model: string;
}
/** A provider's refusal of one definition of a tool. `at`: ms since epoch; `status`: of HTTP. */
export interface RouteRefusal extends RefusalPlace {
  readonly capabilityId: string;
  readonly definitionFingerprint: string;
  readonly form: 'plainest' | 'set_aside';
  readonly status: number;
  readonly providerSays: string;
  readonly runId: string;
  readonly at: number;
}

const RowSchema = z.object({
  capability_id: z.string(), definition_fingerprint: z.string(), route_id: RouteIdSchema, base_url: z.string(), model: z.string(), form: z.enum(['plainest', 'set_aside']), status: z.number(), provider_says: z.string(), run_id: z.string(), at: z.number(),
});
const parseRow = (row: unknown): RouteRefusal => {
  const r = RowSchema.parse(row);
  return { capabilityId: r.capability_id, definitionFingerprint: r.definition_fingerprint, routeId: r.route_id, baseUrl: r.base_url, model: r.model, form: r.form, status: r.status, providerSays: r.provider_says, runId: r.run_id, at: r.at };
};

export const listRefusals = (db: ReadDb, place: RefusalPlace): readonly RouteRefusal[] =>
  readableRows(db.all('SELECT * FROM route_refusals WHERE route_id = ? AND base_url = ? AND model = ? ORDER BY at', [place.routeId, place.baseUrl, place.model]), parseRow);

/** The latest counts: another definition, or another form, replaces what was. */
export const putRefusal = (db: WriteDb, refusal: RouteRefusal): void => {
  db.run(
    `INSERT INTO route_refusals (capability_id, definition_fingerprint, route_id, base_url, model, form, status, provider_says, run_id, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (capability_id, route_id, base_url, model) DO UPDATE SET definition_fingerprint = excluded.definition_fingerprint, form = excluded.form, status = excluded.status,
       provider_says = excluded.provider_says, run_id = excluded.run_id, at = excluded.at`,
    [refusal.capabilityId, refusal.definitionFingerprint, refusal.routeId, refusal.baseUrl, refusal.model, refusal.form, refusal.status, refusal.providerSays, refusal.runId, refusal.at],
  );
};

/** How many there were. */
export const deleteRefusals = (db: WriteDb, capabilityId: string, place: RefusalPlace): number =>
  db.run('DELETE FROM route_refusals WHERE capability_id = ? AND route_id = ? AND base_url = ? AND model = ?', [capabilityId, place.routeId, place.baseUrl, place.model]);
