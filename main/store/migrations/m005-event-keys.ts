/**
 * An event's key is one whole number: its run's number times 2^24, plus its place in the run. Rows of a call are appended at the end of one table tree,
 * where a tree over (run id, place) wrote its neighbours, too; and the previous hash stands once, in the row before. Row by row the trigger refuses a
 * gap and a run that is not there; the key itself refuses a fork. `run` and `seq` are shown to readers and take no place.
 *
 * A chain that did not hold before must not hold afterwards: a row that did not follow the row before it keeps that in its hash, and a place that no
 * writer gives is kept as place 0.
 *
 * Calls of a run are found through its events; the index over (run, time) wrote a page for each call.
 */
export const m005EventKeys = {
  version: 5,
  name: 'event-keys',
  sql: `
CREATE TABLE runs_new (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  title TEXT NOT NULL,
  principal TEXT NOT NULL,
  trace_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running','awaiting_approval','completed','failed')),
  code TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  event_count INTEGER NOT NULL DEFAULT 0,
  head_hash TEXT NOT NULL
) STRICT;
INSERT INTO runs_new (id, kind, title, principal, trace_id, state, code, started_at, ended_at, event_count, head_hash)
  SELECT id, kind, title, principal, trace_id, state, code, started_at, ended_at, event_count, head_hash FROM runs ORDER BY id;

CREATE TABLE events_new (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL GENERATED ALWAYS AS (id >> 24) VIRTUAL,
  seq INTEGER NOT NULL GENERATED ALWAYS AS (id & 16777215) VIRTUAL,
  hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  invocation_id TEXT,
  data_json TEXT NOT NULL
) STRICT;
INSERT OR IGNORE INTO events_new (id, hash, at, type, invocation_id, data_json)
  SELECT (r.n << 24) | CASE WHEN e.seq BETWEEN 1 AND 16777215 THEN e.seq ELSE 0 END,
    CASE WHEN e.prev_hash = e.before THEN e.hash ELSE 'after ' || e.prev_hash || ': ' || e.hash END, e.at, e.type, e.invocation_id, e.data_json
  FROM (
    SELECT *, lag(hash, 1, '0000000000000000000000000000000000000000000000000000000000000000') OVER (PARTITION BY run_id ORDER BY seq) AS before FROM events
  ) AS e JOIN runs_new AS r ON r.id = e.run_id;

DROP TABLE events;
DROP TABLE runs;
ALTER TABLE runs_new RENAME TO runs;
ALTER TABLE events_new RENAME TO events;

CREATE TRIGGER events_follow BEFORE INSERT ON events
WHEN CASE NEW.id & 16777215
  WHEN 1 THEN NOT EXISTS (SELECT 1 FROM runs WHERE n = NEW.id >> 24)
  ELSE NOT EXISTS (SELECT 1 FROM events WHERE id = NEW.id - 1)
END
BEGIN
  SELECT RAISE(ABORT, 'an event follows the event before it: a chain has no gap');
END;

DROP INDEX invocations_by_run;
`,
} as const;
