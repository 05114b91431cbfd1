/**
 * What a person's accepted and refused calls say of a definition and the words of a request, for ranking. A word is a keyed hash of its stem; the key is this
 * database's own. Counts are those of `at`; they fade from there.
 */
export const m022ToolChoices = {
  version: 22,
  name: 'tool_choices',
  sql: `
CREATE TABLE choice_key (id INTEGER PRIMARY KEY CHECK (id = 1), key BLOB NOT NULL CHECK (length(key) = 32)) STRICT;
CREATE TABLE tool_choices (
  principal TEXT NOT NULL,
  definition_fingerprint TEXT NOT NULL,
  word BLOB NOT NULL,
  accepted REAL NOT NULL CHECK (accepted >= 0),
  refused REAL NOT NULL CHECK (refused >= 0),
  at INTEGER NOT NULL,
  PRIMARY KEY (principal, definition_fingerprint, word)
) STRICT, WITHOUT ROWID;
CREATE INDEX tool_choices_by_word ON tool_choices (word);
CREATE INDEX tool_choices_by_time ON tool_choices (at);
CREATE TABLE choice_counts (kind TEXT PRIMARY KEY CHECK (kind IN ('accepted', 'refused')), count INTEGER NOT NULL CHECK (count >= 0)) STRICT;
`,
} as const;
