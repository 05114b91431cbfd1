import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import DatabaseConstructor from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/all.ts';
import type { Migration } from './migrations/all.ts';
import { seedSql } from './migrations/seeds.ts';

const open: DatabaseConstructor.Database[] = [];
afterEach(() => open.splice(0).forEach((db) => db.close()));

const storeAt = (version: number, list: readonly Migration[] = migrations): DatabaseConstructor.Database => {
  const db = new DatabaseConstructor(join(mkdtempSync(join(tmpdir(), 'gantry-migrate-')), 'gantry.db'));
  open.push(db);
  migrate(db, list.filter((m) => m.version <= version));
  return db;
};
const tablesOf = (db: DatabaseConstructor.Database): string[] => db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name").pluck().all() as string[];
const countsOf = (db: DatabaseConstructor.Database): Record<string, number> => Object.fromEntries(tablesOf(db).map((t) => [t, db.prepare(`SELECT count(*) FROM "${t}"`).pluck().get() as number]));
const sound = (db: DatabaseConstructor.Database): void => {
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(db.pragma('foreign_key_check')).toEqual([]);
};

test('D10 migrations are one ordered list: versions 1, 2, 3 without a gap', () => {
  expect(migrations.map((m) => m.version)).toEqual(migrations.map((_, i) => i + 1));
});

test.each(migrations.map((m) => m.version))('D11 version %i: the seeds fill every table, and every table is STRICT', (version) => {
  const db = storeAt(version);
  db.exec(seedSql(version));
  sound(db);
  expect(Object.entries(countsOf(db)).filter(([, n]) => n === 0)).toEqual([]);
  const loose = db.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'").pluck().all();
  expect(loose).toEqual([]);
});

/** What every later migration is put through; the planted second list shows that it bites. */
const migrateWithData = (list: readonly Migration[], version: number): { before: Record<string, number>; after: Record<string, number>; db: DatabaseConstructor.Database } => {
  const db = storeAt(version - 1, list);
  db.exec(seedSql(version - 1));
  const before = countsOf(db);
  migrate(db, list.filter((m) => m.version <= version));
  sound(db);
  expect(db.pragma('user_version', { simple: true })).toBe(version);
  return { before, after: countsOf(db), db };
};

test.each(migrations.filter((m) => m.version > 1).map((m) => m.version))('D12 version %i: migrated from the version before with data in it, no row is lost', (version) => {
  const { before, after } = migrateWithData(migrations, version);
  for (const [table, n] of Object.entries(before)) expect([table, after[table]]).toEqual([table, n]);
});

const next = (sql: string): readonly Migration[] => [...migrations, { version: migrations.length + 1, name: 'planted', sql }];

test('D12 a table is rebuilt with data in it and its references stay whole', () => {
  const list = next(`
CREATE TABLE servers_new (id TEXT PRIMARY KEY, name TEXT NOT NULL, note TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO servers_new (id, name) SELECT id, name FROM servers;
DROP TABLE servers;
ALTER TABLE servers_new RENAME TO servers;`);
  const { before, after, db } = migrateWithData(list, list.length);
  expect(after).toEqual(before);
  expect(db.prepare('SELECT id, name, note FROM servers').all()).toEqual([{ id: 'files', name: 'Files', note: '' }]);
  expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
});

test.each([
  ['breaks half-way', "INSERT INTO settings VALUES ('half', '1'); INSERT INTO nowhere VALUES (1);"],
  ['leaves a dangling reference', "INSERT INTO settings VALUES ('half', '1'); DELETE FROM servers;"],
])('D13 a migration that %s is rolled back whole', (_what, sql) => {
  const list = next(sql);
  const db = storeAt(migrations.length);
  db.exec(seedSql(migrations.length));
  const before = countsOf(db);
  expect(() => migrate(db, list)).toThrow();
  expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
  expect(countsOf(db)).toEqual(before);
  sound(db);
});
