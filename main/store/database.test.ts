import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { MIN_SQLITE, SqliteStore } from './database.ts';
import type { ReadDb } from './database.ts';
import { countEvents, eventRows, insertEvents } from './events.ts';
import { invocationsOfRun } from './invocations.ts';
import { openTestStore } from './open-test-store.ts';
import { storeFault } from './store-fault.ts';

const undo: (() => void)[] = [];
afterEach(() => undo.splice(0).toReversed().forEach((step) => step()));
const testStore = (): SqliteStore => {
  const store = openTestStore();
  undo.push(() => store.close());
  return store;
};
const failureOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('expected a failure');
};
const big = 'x'.repeat(200_000);

test(`A23 SQLite is ${MIN_SQLITE} or newer`, () => {
  const version = testStore().read((db) => db.get('SELECT sqlite_version() AS v')) as { v: string };
  const [major = 0, minor = 0, patch = 0] = version.v.split('.').map(Number);
  expect(major * 1e6 + minor * 1e3 + patch).toBeGreaterThanOrEqual(3_051_003);
});

test('A24 writeDurable commits with synchronous=FULL, write with NORMAL, in any order', () => {
  const store = testStore();
  const level = (via: 'write' | 'writeDurable'): unknown => store[via]((db) => (db.get('PRAGMA synchronous') as { synchronous: number }).synchronous);
  expect([level('writeDurable'), level('write'), level('writeDurable'), level('writeDurable'), level('write')]).toEqual([2, 1, 2, 2, 1]);
});

test('A24 a durable write inside a plain one is a bug that shows, not rows that only look durable', () => {
  const store = testStore();
  expect(() => store.write(() => store.writeDurable(() => 1))).toThrow(/durable/);
  expect(store.writeDurable(() => store.write(() => store.writeDurable(() => 1)))).toBe(1);
});

test('D20 a transaction whose function throws leaves nothing behind', () => {
  const store = testStore();
  expect(() =>
    store.write((db) => {
      db.run("INSERT INTO settings VALUES ('a', '1')");
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(store.read((db) => db.all('SELECT * FROM settings'))).toEqual([]);
  expect(store.state()).toEqual({ state: 'ok' });
});

test('A20 a full database refuses with store_write_failed, nothing is half written, and later writes recover', () => {
  const store = testStore();
  const pages = store.connection.pragma('page_count', { simple: true }) as number;
  store.connection.pragma(`max_page_count = ${pages + 2}`);
  const error = failureOf(() =>
    store.writeDurable((db) => {
      db.run("INSERT INTO settings VALUES ('first', '1')");
      db.run("INSERT INTO settings VALUES ('big', ?)", [big]);
    }),
  );
  expect(storeFault(error)).toMatchObject({ code: 'store_write_failed', details: { code: 'SQLITE_FULL' } });
  expect(store.state()).toEqual({ state: 'write_failed', detail: 'SQLITE_FULL' });
  expect(store.read((db) => db.all('SELECT * FROM settings'))).toEqual([]);
  store.connection.pragma('max_page_count = 100000');
  store.writeDurable((db) => db.run("INSERT INTO settings VALUES ('big', ?)", [big]));
  expect(store.state()).toEqual({ state: 'ok' });
});

const root = process.platform === 'linux' && process.geteuid?.() === 0;
const mounted = (sizeKb: number): string | null => {
  const dir = mkdtempSync(join(tmpdir(), 'gantry-full-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeKb}k`, 'tmpfs', dir]).status !== 0) return null;
  undo.push(() => execFileSync('umount', [dir]));
  return dir;
};

test.runIf(root)('A20 a disk that is really full refuses with store_write_failed and recovers when space is freed', (context) => {
  const dir = mounted(2048);
  if (!dir) return context.skip('tmpfs cannot be mounted here');
  const store = new SqliteStore(join(dir, 'gantry.db'));
  undo.push(() => store.close());
  store.connection.exec('CREATE TABLE settings (key TEXT PRIMARY KEY, value_json TEXT NOT NULL) STRICT');
  const filler = join(dir, 'filler');
  const filled = failureOf(() => writeFileSync(filler, Buffer.alloc(4 << 20))) as NodeJS.ErrnoException;
  expect(filled.code).toBe('ENOSPC');
  const error = failureOf(() => store.writeDurable((db) => db.run("INSERT INTO settings VALUES ('big', ?)", [big])));
  expect(storeFault(error)?.code).toBe('store_write_failed');
  expect(store.state().state).toBe('write_failed');
  expect(store.read((db) => db.all('SELECT * FROM settings'))).toEqual([]);
  writeFileSync(filler, '');
  store.writeDurable((db) => db.run("INSERT INTO settings VALUES ('big', ?)", [big]));
  expect(store.state()).toEqual({ state: 'ok' });
  expect(store.connection.pragma('integrity_check', { simple: true })).toBe('ok');
});

test('A20 a store that turned read only refuses with store_write_failed, says so in its state, and recovers', () => {
  const store = testStore();
  store.connection.pragma('query_only = ON');
  const error = failureOf(() => store.write((db) => db.run("INSERT INTO settings VALUES ('a', '1')")));
  expect(storeFault(error)).toMatchObject({ code: 'store_write_failed', details: { code: 'SQLITE_READONLY' } });
  expect(store.state()).toEqual({ state: 'read_only', detail: 'SQLITE_READONLY' });
  store.connection.pragma('query_only = OFF');
  store.write((db) => db.run("INSERT INTO settings VALUES ('a', '1')"));
  expect(store.state()).toEqual({ state: 'ok' });
});

test('D14 the log is brought into the database in a quiet moment', async () => {
  const store = testStore();
  const before = statSync(store.path).size;
  store.write((db) => db.run("INSERT INTO settings VALUES ('k', '1')"));
  expect(statSync(store.path).size).toBe(before);
  await vi.waitFor(() => expect(statSync(store.path).size).toBeGreaterThan(before), { timeout: 90_000 });
});

test('A20 a bug is not taken for a refusing disk', () => {
  const store = testStore();
  expect(storeFault(failureOf(() => store.write((db) => db.run('INSERT INTO nowhere VALUES (1)'))))).toBeNull();
  expect(store.state()).toEqual({ state: 'ok' });
});

test('A22 two writers cannot fork a chain and leave no gap: one event a place, after the event before it, of a run that is there', () => {
  const store = testStore();
  const other = new SqliteStore(store.path);
  undo.push(() => other.close());
  store.write((db) => db.run("INSERT INTO runs VALUES (1, 'run', 'try', 't', 'try', 'trace', 'running', NULL, 1, NULL, 0, 'h0', NULL)"));
  const row = (seq: number, hash: string) => ({ seq, hash, at: 1, type: 'note', invocation_id: null, data_json: '{}' });
  const append = (via: SqliteStore, run: number, ...rows: ReturnType<typeof row>[]): void => via.write((db) => insertEvents(db, run, rows));
  const refused = (attempt: () => void): unknown => (failureOf(attempt) as { code: string }).code;
  append(store, 1, row(1, 'h1'));
  expect(refused(() => append(other, 1, row(1, 'h1b')))).toMatch(/^SQLITE_CONSTRAINT/);
  expect(refused(() => append(other, 1, row(3, 'h1c')))).toMatch(/^SQLITE_CONSTRAINT/);
  expect(refused(() => append(other, 2, row(1, 'h1d')))).toMatch(/^SQLITE_CONSTRAINT/);
  expect(refused(() => append(other, 1, row(2, 'h2b'), row(4, 'h4')))).toMatch(/^SQLITE_CONSTRAINT/);
  append(other, 1, ...Array.from({ length: 19 }, (_, i) => row(i + 2, `h${i + 2}`)));
  expect(store.read((db) => db.all('SELECT run, seq, hash FROM events ORDER BY id'))).toEqual(Array.from({ length: 20 }, (_, i) => ({ run: 1, seq: i + 1, hash: `h${i + 1}` })));
  expect(() => append(store, 1, row(2 ** 24, 'last'))).toThrow(RangeError);
});

test('D15 events and calls of a run are read by their keys', () => {
  const store = testStore();
  const asked: string[] = [];
  const db = { all: (sql: string) => (asked.push(sql), []), get: (sql: string) => (asked.push(sql), { n: 1, hash: '' }) } as unknown as ReadDb;
  invocationsOfRun(db, 'run');
  eventRows(db, 'run', 3, 10);
  countEvents(db, 'call', 'run', 'note');
  expect(asked).toHaveLength(6);
  for (const sql of asked) {
    const plan = store.connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...Array.from(sql.matchAll(/\?/g), () => 1)) as { readonly detail: string }[];
    for (const { detail } of plan) expect(detail).not.toMatch(/^SCAN/);
  }
});
