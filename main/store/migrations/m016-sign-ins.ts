/** Signing in at servers (OAuth): the client a person entered, what they agreed to beyond it, and what a sign-in came to. Tokens and client secrets are sealed in `secrets`. */
export const m016SignIns = {
  version: 16,
  name: 'sign_ins',
  sql: `
CREATE TABLE sign_ins (
  server_id TEXT PRIMARY KEY REFERENCES servers(id) ON DELETE CASCADE,
  client_json TEXT,
  agreed_json TEXT NOT NULL DEFAULT '[]',
  account_json TEXT
) STRICT;
`,
} as const;
