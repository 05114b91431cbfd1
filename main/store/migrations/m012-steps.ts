/**
 * A step of a call (its events, the rows that they prove) is committed as one row first and taken into the tables a little later, many at once: a commit
 * costs by the trees it writes, and this is one whose pages are used over and over. `steps` is a ring: a slot whose seq is at most that of `steps_done`
 * has been taken over. `steps_refused` keeps what the tables would not take.
 */
export const m012Steps = {
  version: 12,
  name: 'steps',
  sql: `
CREATE TABLE steps (
  slot INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  step_text TEXT NOT NULL
) STRICT;
CREATE TABLE steps_done (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  seq INTEGER NOT NULL
) STRICT;
INSERT INTO steps_done VALUES (1, 0);
CREATE TABLE steps_refused (
  seq INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL,
  step_text TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT;
`,
} as const;
