import { migrations } from './all.ts';

/**
 * Rows of a store at a version, for the test that migrates it with data in it. Each migration that makes a table or a column adds its
 * entry here; the test fails when a table of some version would be empty.
 */
export const seeds: Readonly<Record<number, string>> = {
  1: `
INSERT INTO settings VALUES ('theme', '"dark"');
INSERT INTO servers (id, name, spec_json, args_json, env_json, headers_json, home, enabled, required, era, era_at, market_entry_id, quarantined_at, consented_fingerprint, created_at)
  VALUES ('files', 'Files', '{"kind":"command","command":"files"}', '[]', '{}', '{}', 'own', 1, 0, 'modern', 1, NULL, NULL, 'aa', 1);
INSERT INTO installations (server_id, kind, package, version, integrity, lock_sha256, dir, entry, size_bytes, scripts_json, installed_at) VALUES ('files', 'npm', 'files', '1.0.0', 'sha512-x', 'bb', 'apps/files', 'cli.js', 10, '[]', 1);
INSERT INTO server_facts VALUES (1, 'files', 'connected', 1, 1, '{}');
INSERT INTO discoveries VALUES ('files', '{}');
INSERT INTO processes VALUES ('token', 1, '1', 'files', 1);
INSERT INTO definitions VALUES ('cc', '{}', '{}', 1);
INSERT INTO capabilities VALUES ('mcp:files:tool:read', 'files', 'tool', 'read', 'cc', 'dd', '[]', 1, 1, 1);
INSERT INTO reviews (capability_id, definition_fingerprint, tier, admit, purpose, reviewed_by, at) VALUES ('mcp:files:tool:read', 'cc', 'read_only', 1, NULL, 'user', 1);
INSERT INTO grants VALUES ('agent', 'mcp:files:tool:read', 'cc', 1);
INSERT INTO access_changes VALUES (1, 1, 'agent', 'mcp:files:tool:read', 'cc', 1, 'user');
INSERT INTO rules VALUES ('rule', '{}', 1, NULL, NULL);
INSERT INTO runs (id, kind, title, principal, trace_id, state, code, started_at, ended_at, event_count, head_hash) VALUES ('run', 'try', 'a run', 'try', 'trace', 'completed', NULL, 1, 2, 1, 'ee');
INSERT INTO invocations VALUES ('inv', 'run', 'mcp:files:tool:read', 'try', 'read_only', 'completed', 'evidence', NULL, 'ok', NULL, '{}', 'ff', 'dd', 'cc', 1, 1, 1, 2, 0, '{}');
INSERT INTO approvals VALUES ('app', 'inv', 'run', 'mcp:files:tool:read', 'ff', 'nonce', 'consumed', 'dd', '1', '{}', 1, 2, 1, 'window', NULL, 1);
INSERT INTO secrets VALUES ('secret', 'files', 'env.KEY', x'00', x'00', 1);
INSERT INTO key_wraps VALUES ('passphrase', '{}', 1);
`,
  3: `INSERT INTO server_icons VALUES ('files', 'gg', x'89504e47', 'hh', NULL, 1);`,
  6: `INSERT INTO result_previews VALUES ('inv', '{}');`,
  7: `UPDATE servers SET placeholders_json = '{"K":{"variable":"K","secret":true}}';`,
  10: `INSERT INTO deleted_runs VALUES ('former', 'try', 'completed', NULL, 1, 2, 9, 1, 'ee', 3, 'window', 'run');`,
  8: `UPDATE runs SET via = 'command';`,
  11: `UPDATE installations SET registry = 'https://npm.example/';`,
  12: `INSERT INTO steps VALUES (1, 1, 'run', '{}'); INSERT INTO steps_refused VALUES (1, 'run', '{}', 'no reason');`,
  18: `INSERT INTO address_agreements VALUES ('files', 'mcp.example', 'private', 1);`,
  16: `INSERT INTO sign_ins VALUES ('files', NULL, '[]', NULL);`,
  13: `INSERT INTO route_refusals VALUES ('mcp:files:tool:read', 'cc', 'openai-chat', 'http://127.0.0.1:1/v1', 'a-model', 'set_aside', 400, 'no', 'run', 1);`,
  17: `INSERT INTO agent_profiles VALUES ('default', '', NULL, '', NULL, '{}', 1); INSERT INTO conversations VALUES ('talk', 'a talk', 'default', 1, 1);
INSERT INTO agent_runs (run_id, conversation_id, profile_id, model_id, model, prompt) VALUES ('run', 'talk', 'default', 'default', 'a-model', 'a question');`,
  22: `INSERT INTO choice_key VALUES (1, zeroblob(32)); INSERT INTO tool_choices VALUES ('agent:default', 'cc', x'0011', 1.0, 0.0, 1); INSERT INTO choice_counts VALUES ('accepted', 1);`,
  23: `INSERT INTO embeddings VALUES (1, 'ollama', 'http://127.0.0.1:11434/v1', 'a-model', NULL, NULL, 1, 1); INSERT INTO embedding_spaces VALUES (1, 'a space', 2, NULL, NULL, NULL, 1); INSERT INTO embedding_vectors VALUES (1, 'whole', 'cc', x'00');`,
  24: `INSERT INTO contacts VALUES ('[]', 'npm', 'npm.example', 443, NULL, NULL, NULL, 1, 1);`,
  20: `INSERT INTO tasks VALUES ('inv', 'files', 'hh', NULL, 1); UPDATE servers SET log_level = 'warning';`,
  21: `INSERT INTO sampling_uses VALUES (1, 'files', 'run', 1, 60);`,
  15: `UPDATE reviews SET call_class = 'slow_read', idempotency_json = '{"field":"client_request_id","required":true}';`,
};

/** One event in the form that its table has at a version. */
const eventSeed = (version: number): string =>
  version < 5
    ? "INSERT INTO events VALUES ('run', 1, '0000000000000000000000000000000000000000000000000000000000000000', 'ee', 1, 'run_started', NULL, '{}');"
    : "INSERT INTO events VALUES (16777217, 'ee', 1, 'run_started', NULL, '{}');";

/** The model in the form that its table has at a version. */
const modelSeed = (version: number): string => {
  if (version < 2) return '';
  const [id, more, values] = version < 17 ? ['slot', '', ''] : ['id', ', label, in_use', ", '', 1"];
  return `INSERT INTO models (${id}, provider, base_url, model, key_ref, set_at${more}) VALUES ('default', 'openai-compatible', 'http://127.0.0.1:1/v1', 'a-model', 'secret', 1${values});`;
};

/** All seeds up to a version, in order. */
export const seedSql = (version: number): string =>
  [...migrations.filter((m) => m.version <= version).map((m) => seeds[m.version] ?? ''), modelSeed(version), eventSeed(version)].join('\n');
