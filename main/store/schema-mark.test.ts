import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import DatabaseConstructor from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/all.ts';
import { openStore } from './open.ts';
import { LATEST_SCHEMA_SHA256, schemaProblem, schemaSha256 } from './schema-mark.ts';

const clock = { now: () => Date.UTC(2025, 10, 29), monotonic: () => 0 };

test('A23 the tables of the latest version are known by one hash, from whatever version they came', () => {
  for (const from of [0, 1, migrations.length - 1]) {
    const db = new DatabaseConstructor(':memory:');
    migrate(db, migrations.slice(0, from));
    migrate(db, migrations);
    expect([from, schemaSha256(db)]).toEqual([from, LATEST_SCHEMA_SHA256]);
    db.close();
  }
});

test.each([
  ['DROP TABLE invocations', 'the table invocations is missing'],
  ['ALTER TABLE settings RENAME COLUMN value_json TO v', 'the column settings.value_json is missing'],
  ['DROP TRIGGER events_follow', 'the trigger events_follow is missing'],
  ['CREATE TRIGGER evil AFTER INSERT ON events BEGIN DELETE FROM events; END', "the trigger evil is not Gantry's"],
  ['CREATE TABLE mine (a); CREATE INDEX i ON mine (a); CREATE VIEW v AS SELECT 1; ANALYZE', null],
])('A23 a database whose tables are not those of its version is set aside and says which; other tables are left: %s', async (sql, problem) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-schema-'));
  const first = await openStore({ dataDir, clock });
  if (!first.ok) throw new Error(first.error.message);
  const db = first.value.store.connection;
  db.pragma('foreign_keys = OFF');
  db.pragma('legacy_alter_table = ON');
  db.exec(sql);
  expect(schemaProblem(db, migrations)).toBe(problem);
  first.value.store.close();
  const second = await openStore({ dataDir, clock });
  if (!second.ok) throw new Error(second.error.message);
  expect(second.value.notices()).toMatchObject(problem === null ? [] : [{ code: 'store_set_aside', details: { reason: problem } }]);
  expect(readdirSync(dataDir).filter((name) => /^gantry\.broken.*\.db$/.test(name)).length).toBe(problem === null ? 0 : 1);
  expect(schemaProblem(second.value.store.connection, migrations)).toBeNull();
  second.value.store.close();
});
