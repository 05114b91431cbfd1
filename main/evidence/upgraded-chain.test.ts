import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { SqliteStore } from '../store/database.ts';
import { migrate } from '../store/migrate.ts';
import { migrations } from '../store/migrations/all.ts';
import { FIRST_PREV_HASH, eventHash } from './chain.ts';
import { exportRun } from './export-run.ts';
import { readRun } from './read-runs.ts';
import { verifyRun } from './verify-run.ts';

const open: SqliteStore[] = [];
afterEach(() => open.splice(0).forEach((store) => store.close()));

const TYPES = ['run.started', 'call.planned', 'call.intent', 'call.outcome', 'run.ended'];

/** A store as version 4 wrote it, with two whole runs; `edit` is done to it before it is brought up to date. */
const upgraded = (edit: string): SqliteStore => {
  const store = new SqliteStore(join(mkdtempSync(join(tmpdir(), 'gantry-upgrade-')), 'gantry.db'));
  open.push(store);
  const db = store.connection;
  migrate(db, migrations.filter((m) => m.version <= 4));
  for (const runId of ['run-b', 'run-a']) {
    db.prepare("INSERT INTO runs VALUES (?, 'agent', 't', 'user', 'trace', 'completed', NULL, 1, 2, ?, '')").run(runId, TYPES.length);
    db.prepare("INSERT INTO invocations (id, run_id, capability_id, principal, tier, state, stage, created_at) VALUES (?, ?, 'mcp:a:tool:b', 'user', 'read_only', 'completed', 'evidence', 1)").run(`call-${runId}`, runId);
    let prevHash = FIRST_PREV_HASH;
    for (const [i, type] of TYPES.entries()) {
      const link = { runId, seq: i + 1, prevHash, at: 10 + i, type, invocationId: type.startsWith('call.') ? `call-${runId}` : null };
      const text = type === 'call.outcome' ? '{"code":null,"state":"completed"}' : `{"i":${i}}`;
      prevHash = eventHash(link, text);
      db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(runId, link.seq, link.prevHash, prevHash, link.at, type, link.invocationId, text);
    }
    db.prepare('UPDATE runs SET head_hash = ? WHERE id = ?').run(prevHash, runId);
  }
  db.exec(edit);
  migrate(db, migrations);
  return store;
};

const verdictOf = async (store: SqliteStore, runId: string) => {
  const verdict = await verifyRun(store, runId);
  if (!verdict.ok) throw new Error(verdict.error.message);
  return verdict.value;
};

test('E08 a chain written by an earlier version verifies, reads and exports as before', async () => {
  const store = upgraded('');
  for (const runId of ['run-a', 'run-b']) {
    expect(await verdictOf(store, runId)).toEqual({ ok: true, events: TYPES.length });
    const read = readRun(store, runId);
    const exported = exportRun(store, runId);
    if (!read.ok || !exported.ok) throw new Error('unread');
    const { run, events } = read.value;
    expect(events.map((e) => [e.runId, e.seq, e.at, e.type])).toEqual(TYPES.map((type, i) => [runId, i + 1, 10 + i, type]));
    expect(events.map((e) => e.prevHash)).toEqual([FIRST_PREV_HASH, ...events.slice(0, -1).map((e) => e.hash)]);
    expect(run.invocations?.map((i) => i.id)).toEqual([`call-${runId}`]);
    expect(run.headHash).toBe(events.at(-1)?.hash);
    expect(exported.value.text.trimEnd().split('\n').slice(1).map((line) => JSON.parse(line) as unknown)).toEqual(events);
  }
});

test.each([
  ['edited data', `UPDATE events SET data_json = '{"i":7}' WHERE seq = 2 AND run_id = 'run-a'`, 2],
  ['edited previous hash', `UPDATE events SET prev_hash = 'x' WHERE seq = 3 AND run_id = 'run-a'`, 3],
  ['edited first previous hash', `UPDATE events SET prev_hash = 'x' WHERE seq = 1 AND run_id = 'run-a'`, 1],
  ['removed row', `DELETE FROM events WHERE seq = 2 AND run_id = 'run-a'`, 2],
  ['row added in front', `UPDATE events SET seq = 99, prev_hash = hash WHERE seq = 5 AND run_id = 'run-a'; INSERT INTO events SELECT run_id, -1, prev_hash, hash, at, type, invocation_id, data_json FROM events WHERE seq = 99`, 1],
  ['place beyond the last', `UPDATE events SET seq = 1 << 30 WHERE seq = 5 AND run_id = 'run-a'`, 5],
])('E08 a chain that did not hold before does not hold afterwards, at the same row: %s', async (_name, edit, seq) => {
  const store = upgraded(edit.startsWith('UPDATE events SET seq = 99') ? `DROP TRIGGER events_follow; ${edit}` : edit);
  expect(await verdictOf(store, 'run-a')).toMatchObject({ ok: false, firstBad: { seq } });
  expect(await verdictOf(store, 'run-b')).toEqual({ ok: true, events: TYPES.length });
});
