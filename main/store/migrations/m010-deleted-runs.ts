/** What is left of a run that was deleted: that it was, when, how long its chain was and where it ended. `record_run` is the run whose chain says the same. */
export const m010DeletedRuns = {
  version: 10,
  name: 'deleted runs',
  sql: `
CREATE TABLE deleted_runs (
  run_id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  code TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  event_count INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  head_hash TEXT NOT NULL,
  deleted_at INTEGER NOT NULL,
  deleted_by TEXT NOT NULL,
  record_run TEXT NOT NULL
) STRICT;
CREATE INDEX deleted_runs_by_time ON deleted_runs(deleted_at);
`,
} as const;
