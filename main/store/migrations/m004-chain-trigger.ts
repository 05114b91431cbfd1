/**
 * Fewer pages for each commit of a call. UNIQUE (run_id, prev_hash) cost a second tree as deep as the events; the trigger says more (a row follows the
 * row before it, so there is neither fork nor gap) and writes nothing. Run ids are ordered by time, so runs need no index by start.
 */
export const m004ChainTrigger = {
  version: 4,
  name: 'chain-trigger',
  sql: `
CREATE TABLE events_new (
  run_id TEXT NOT NULL REFERENCES runs(id),
  seq INTEGER NOT NULL,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  invocation_id TEXT,
  data_json TEXT NOT NULL,
  PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO events_new SELECT run_id, seq, prev_hash, hash, at, type, invocation_id, data_json FROM events;
DROP TABLE events;
ALTER TABLE events_new RENAME TO events;

CREATE TRIGGER events_follow BEFORE INSERT ON events
WHEN NEW.prev_hash IS NOT coalesce(
  (SELECT hash FROM events WHERE run_id = NEW.run_id AND seq = NEW.seq - 1),
  '0000000000000000000000000000000000000000000000000000000000000000'
)
BEGIN
  SELECT RAISE(ABORT, 'an event follows the event before it: a chain has no fork and no gap');
END;

DROP INDEX runs_by_start;
`,
} as const;
