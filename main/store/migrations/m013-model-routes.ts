/**
 * The route that a person set for the model, and what providers refused: one row for a tool's definition on a route, an address and a model, with the
 * form that holds since (`plainest`: shown in plain words; `set_aside`: not shown) and the proof.
 */
export const m013ModelRoutes = {
  version: 13,
  name: 'model_routes',
  sql: `
ALTER TABLE models ADD COLUMN route TEXT;
CREATE TABLE route_refusals (
  capability_id TEXT NOT NULL,
  definition_fingerprint TEXT NOT NULL,
  route_id TEXT NOT NULL,
  base_url TEXT NOT NULL,
  model TEXT NOT NULL,
  form TEXT NOT NULL CHECK (form IN ('plainest', 'set_aside')),
  status INTEGER NOT NULL,
  provider_says TEXT NOT NULL,
  run_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (capability_id, route_id, base_url, model)
) STRICT;
`,
} as const;
