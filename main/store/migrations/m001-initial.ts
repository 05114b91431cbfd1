/** Times are ms since epoch; *_json columns hold JSON text; fingerprints and hashes are lower-case hex SHA-256. */
export const m001Initial = {
  version: 1,
  name: 'initial',
  sql: `
CREATE TABLE settings (key TEXT PRIMARY KEY, value_json TEXT NOT NULL) STRICT;

CREATE TABLE servers (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  spec_json TEXT NOT NULL,
  args_json TEXT NOT NULL,
  env_json TEXT NOT NULL,
  headers_json TEXT NOT NULL,
  home TEXT NOT NULL CHECK (home IN ('own','user')),
  enabled INTEGER NOT NULL CHECK (enabled IN (0,1)),
  required INTEGER NOT NULL CHECK (required IN (0,1)),
  era TEXT CHECK (era IN ('legacy','modern')),
  era_at INTEGER,
  market_entry_id TEXT,
  quarantined_at INTEGER,
  consented_fingerprint TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE installations (
  server_id TEXT PRIMARY KEY REFERENCES servers(id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('builtin','npm')),
  package TEXT NOT NULL,
  version TEXT NOT NULL,
  integrity TEXT NOT NULL,
  lock_sha256 TEXT NOT NULL,
  dir TEXT NOT NULL,
  entry TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  scripts_json TEXT NOT NULL,
  installed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE server_facts (
  id INTEGER PRIMARY KEY,
  server_id TEXT NOT NULL,
  step TEXT NOT NULL,
  at INTEGER NOT NULL,
  ok INTEGER NOT NULL CHECK (ok IN (0,1)),
  data_json TEXT NOT NULL
) STRICT;
CREATE INDEX server_facts_by_server ON server_facts(server_id, id);

CREATE TABLE discoveries (
  server_id TEXT PRIMARY KEY REFERENCES servers(id) ON DELETE CASCADE,
  fact_json TEXT NOT NULL
) STRICT;

CREATE TABLE processes (
  token TEXT PRIMARY KEY,
  pid INTEGER NOT NULL,
  start_time TEXT NOT NULL,
  server_id TEXT NOT NULL,
  started_at INTEGER NOT NULL
) STRICT;

CREATE TABLE definitions (
  fingerprint TEXT PRIMARY KEY,
  definition_json TEXT NOT NULL,
  schema_detail_json TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL
) STRICT;

CREATE TABLE capabilities (
  id TEXT PRIMARY KEY,
  server_id TEXT NOT NULL REFERENCES servers(id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('tool','resource','prompt')),
  name TEXT NOT NULL,
  definition_fingerprint TEXT NOT NULL REFERENCES definitions(fingerprint),
  binding_fingerprint TEXT NOT NULL,
  flags_json TEXT NOT NULL,
  present INTEGER NOT NULL CHECK (present IN (0,1)),
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  UNIQUE (server_id, kind, name)
) STRICT;
CREATE INDEX capabilities_by_definition ON capabilities(definition_fingerprint);

CREATE TABLE reviews (
  capability_id TEXT NOT NULL,
  definition_fingerprint TEXT NOT NULL,
  tier TEXT NOT NULL CHECK (tier IN ('read_only','low_write','high_write','unknown')),
  admit INTEGER NOT NULL CHECK (admit IN (0,1)),
  purpose TEXT,
  reviewed_by TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (capability_id, definition_fingerprint)
) STRICT;

CREATE TABLE grants (
  principal TEXT NOT NULL,
  capability_id TEXT NOT NULL,
  definition_fingerprint TEXT NOT NULL,
  granted_at INTEGER NOT NULL,
  PRIMARY KEY (principal, capability_id, definition_fingerprint)
) STRICT, WITHOUT ROWID;
CREATE INDEX grants_by_capability ON grants(capability_id);

CREATE TABLE access_changes (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  principal TEXT NOT NULL,
  capability_id TEXT NOT NULL,
  definition_fingerprint TEXT NOT NULL,
  allowed INTEGER NOT NULL CHECK (allowed IN (0,1)),
  changed_by TEXT NOT NULL
) STRICT;
CREATE INDEX access_changes_by_capability ON access_changes(capability_id, id);

CREATE TABLE rules (
  id TEXT PRIMARY KEY,
  rule_json TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT;

CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  title TEXT NOT NULL,
  principal TEXT NOT NULL,
  trace_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running','awaiting_approval','completed','failed')),
  code TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  event_count INTEGER NOT NULL DEFAULT 0,
  head_hash TEXT NOT NULL
) STRICT;
CREATE INDEX runs_by_start ON runs(started_at);

CREATE TABLE events (
  run_id TEXT NOT NULL REFERENCES runs(id),
  seq INTEGER NOT NULL,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  invocation_id TEXT,
  data_json TEXT NOT NULL,
  PRIMARY KEY (run_id, seq),
  UNIQUE (run_id, prev_hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE invocations (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL REFERENCES runs(id),
  capability_id TEXT NOT NULL,
  principal TEXT NOT NULL,
  tier TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued','running','awaiting_approval','completed','failed')),
  stage TEXT NOT NULL,
  code TEXT,
  class TEXT,
  fault_json TEXT,
  frozen_input TEXT,
  input_hash TEXT,
  binding_fingerprint TEXT,
  definition_fingerprint TEXT,
  grounded INTEGER NOT NULL DEFAULT 0 CHECK (grounded IN (0,1)),
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  waited_ms INTEGER NOT NULL DEFAULT 0,
  result_json TEXT
) STRICT;
CREATE INDEX invocations_by_run ON invocations(run_id, created_at);
CREATE INDEX invocations_by_capability ON invocations(capability_id, created_at);
CREATE INDEX invocations_open ON invocations(state) WHERE state IN ('queued','running','awaiting_approval');

CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  invocation_id TEXT NOT NULL REFERENCES invocations(id),
  run_id TEXT NOT NULL,
  capability_id TEXT NOT NULL,
  input_hash TEXT NOT NULL,
  nonce TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('pending','approved','consumed','denied','expired','void')),
  binding_fingerprint TEXT NOT NULL,
  policy_version TEXT NOT NULL,
  detail_json TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  decided_at INTEGER,
  decided_by TEXT,
  reason TEXT,
  consumed_at INTEGER
) STRICT;
CREATE INDEX approvals_by_state ON approvals(state, created_at);
CREATE INDEX approvals_by_invocation ON approvals(invocation_id);

CREATE TABLE secrets (
  ref TEXT PRIMARY KEY,
  server_id TEXT NOT NULL,
  place TEXT NOT NULL,
  nonce BLOB NOT NULL,
  sealed BLOB NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX secrets_by_server ON secrets(server_id);

CREATE TABLE key_wraps (
  provider TEXT PRIMARY KEY CHECK (provider IN ('safeStorage','keychain','passphrase')),
  wrapped_json TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
`,
} as const;
