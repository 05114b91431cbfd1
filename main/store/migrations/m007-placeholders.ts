/** What `${name}` in a server's configuration stands for; NULL where it is plain text. */
export const m007Placeholders = {
  version: 7,
  name: 'placeholders',
  sql: `ALTER TABLE servers ADD COLUMN placeholders_json TEXT;`,
} as const;
