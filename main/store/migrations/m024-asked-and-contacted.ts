/** What lists of things past are read from: an index of what servers asked, and whom Gantry contacted (shared/outbound.ts), which is on record nowhere else. */
export const m024AskedAndContacted = {
  version: 24,
  name: 'asked_and_contacted',
  sql: `
CREATE INDEX events_asked ON events (id) WHERE type = 'question.asked';
CREATE TABLE contacts (
  place TEXT PRIMARY KEY,
  purpose TEXT NOT NULL,
  host TEXT NOT NULL,
  port INTEGER NOT NULL,
  via TEXT,
  server_id TEXT,
  address TEXT,
  count INTEGER NOT NULL,
  last_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`,
} as const;
