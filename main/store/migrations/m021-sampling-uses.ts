/** What servers took of the person's models (sampling): one row for each request that left, with its tokens. A limit of a day outlives the run and the host. */
export const m021SamplingUses = {
  version: 21,
  name: 'sampling_uses',
  sql: `
CREATE TABLE sampling_uses (
  id INTEGER PRIMARY KEY,
  server_id TEXT NOT NULL REFERENCES servers(id) ON DELETE CASCADE,
  run_id TEXT REFERENCES runs(id) ON DELETE SET NULL,
  at INTEGER NOT NULL,
  tokens INTEGER NOT NULL
) STRICT;
CREATE INDEX sampling_uses_of_server ON sampling_uses (server_id, at);
CREATE INDEX sampling_uses_of_run ON sampling_uses (run_id);
`,
} as const;
