/**
 * Tasks that servers go on with, by the call that they are part of. The handle is kept as long as the call is open, its hash for good: an id that comes back
 * belongs to another call. `logging/setLevel`: from which severity on a server's log is wanted.
 */
export const m020Tasks = {
  version: 20,
  name: 'tasks',
  sql: `
CREATE TABLE tasks (
  invocation_id TEXT PRIMARY KEY REFERENCES invocations(id) ON DELETE CASCADE,
  server_id TEXT NOT NULL,
  task_sha256 TEXT NOT NULL,
  handle_json TEXT,
  ends_at INTEGER NOT NULL,
  UNIQUE (server_id, task_sha256)
) STRICT;
ALTER TABLE servers ADD COLUMN log_level TEXT NOT NULL DEFAULT 'default' CHECK (log_level IN ('default','debug','info','notice','warning','error','critical','alert','emergency'));
`,
} as const;
