/** The icon that the host fetched and re-encoded for a server; png NULL: what it names was refused, and why. source_sha256 is over what the server named. */
export const m003ServerIcons = {
  version: 3,
  name: 'server icons',
  sql: `
CREATE TABLE server_icons (
  server_id TEXT PRIMARY KEY REFERENCES servers(id) ON DELETE CASCADE,
  source_sha256 TEXT NOT NULL,
  png BLOB,
  png_sha256 TEXT,
  refusal TEXT,
  fetched_at INTEGER NOT NULL
) STRICT;
`,
} as const;
