/** The folders that a person names for a server, which it is told when it asks (roots). */
export const m019ServerRoots = {
  version: 19,
  name: 'server_roots',
  sql: `
ALTER TABLE servers ADD COLUMN roots_json TEXT NOT NULL DEFAULT '[]';
`,
} as const;
