/**
 * Several models with their prices and limits, one in use; agent profiles; conversations, and of each agent run what its lists show: question, answer and
 * usage (as they stand in evidence, masked). Keys are sealed in `secrets`.
 */
export const m017Agent = {
  version: 17,
  name: 'agent',
  sql: `
CREATE TABLE models_now (
  id TEXT PRIMARY KEY,
  label TEXT NOT NULL,
  provider TEXT NOT NULL,
  base_url TEXT NOT NULL,
  model TEXT NOT NULL,
  key_ref TEXT,
  route TEXT,
  prices_json TEXT,
  limits_json TEXT,
  in_use INTEGER NOT NULL CHECK (in_use IN (0, 1)),
  set_at INTEGER NOT NULL
) STRICT;
INSERT INTO models_now (id, label, provider, base_url, model, key_ref, route, in_use, set_at)
  SELECT slot, '', provider, base_url, model, key_ref, route, 1, set_at FROM models;
DROP TABLE models;
ALTER TABLE models_now RENAME TO models;
CREATE UNIQUE INDEX one_model_in_use ON models (in_use) WHERE in_use = 1;
CREATE TABLE agent_profiles (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  model_id TEXT,
  instructions TEXT NOT NULL,
  scope_json TEXT,
  limits_json TEXT NOT NULL,
  set_at INTEGER NOT NULL
) STRICT;
CREATE TABLE conversations (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  profile_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX conversations_by_use ON conversations (updated_at);
CREATE TABLE agent_runs (
  run_id TEXT PRIMARY KEY,
  conversation_id TEXT,
  profile_id TEXT NOT NULL,
  model_id TEXT,
  model TEXT NOT NULL,
  prompt TEXT NOT NULL,
  answer_json TEXT,
  requests INTEGER NOT NULL DEFAULT 0,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  cached_tokens INTEGER NOT NULL DEFAULT 0,
  cost REAL,
  currency TEXT,
  estimated INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX agent_runs_by_conversation ON agent_runs (conversation_id, run_id);
`,
} as const;
