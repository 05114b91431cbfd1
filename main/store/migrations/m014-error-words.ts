/** How a server's own words about an error reach a model: as they are (redacted, bounded), or by their category alone. */
export const m014ErrorWords = {
  version: 14,
  name: 'error_words',
  sql: `
ALTER TABLE servers ADD COLUMN error_words TEXT NOT NULL DEFAULT 'words' CHECK (error_words IN ('words','category'));
`,
} as const;
