/**
 * The embeddings endpoint, and the vectors that came from it: by space (address, model, dimensions asked for, form of the texts), part (`whole` of a definition's text, or
 * one of those that a model is judged by) and definition. A vector is a scale (float32, little-endian) and one signed byte a dimension. Nothing of a request is kept.
 */
export const m023Embeddings = {
  version: 23,
  name: 'embeddings',
  sql: `
CREATE TABLE embeddings (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  provider TEXT NOT NULL,
  base_url TEXT NOT NULL,
  model TEXT NOT NULL,
  key_ref TEXT,
  dimensions INTEGER,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  set_at INTEGER NOT NULL
) STRICT;
CREATE TABLE embedding_spaces (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  dimension INTEGER NOT NULL CHECK (dimension > 0),
  gate_of TEXT,
  gate_json TEXT,
  centre BLOB,
  used_at INTEGER NOT NULL
) STRICT;
CREATE TABLE embedding_vectors (
  space_id INTEGER NOT NULL REFERENCES embedding_spaces(id) ON DELETE CASCADE,
  part TEXT NOT NULL CHECK (part IN ('whole', 'lead', 'rest', 'strange')),
  definition_fingerprint TEXT NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (space_id, part, definition_fingerprint)
) STRICT, WITHOUT ROWID;
`,
} as const;
