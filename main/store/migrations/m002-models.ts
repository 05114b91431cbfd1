/** One configured model at a time; its key is a secret's reference. */
export const m002Models = {
  version: 2,
  name: 'models',
  sql: `
CREATE TABLE models (
  slot TEXT PRIMARY KEY CHECK (slot = 'default'),
  provider TEXT NOT NULL,
  base_url TEXT NOT NULL,
  model TEXT NOT NULL,
  key_ref TEXT,
  set_at INTEGER NOT NULL
) STRICT;
`,
} as const;
