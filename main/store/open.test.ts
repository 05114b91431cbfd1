import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, lstatSync, mkdtempSync, readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import DatabaseConstructor from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { listBackups } from './backup.ts';
import type { SqliteStore } from './database.ts';
import { migrations } from './migrations/all.ts';
import type { Migration } from './migrations/all.ts';
import { seedSql } from './migrations/seeds.ts';
import { openStore } from './open.ts';

const at = Date.UTC(2025, 10, 29, 22, 10, 5);
const clock = { now: () => at, monotonic: () => 0 };
const place = (): string => mkdtempSync(join(tmpdir(), 'gantry-open-'));
const stores: SqliteStore[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
  stores.splice(0).forEach((store) => store.close());
  children.splice(0).forEach((child) => child.kill('SIGKILL'));
});

const open = async (dataDir: string, list?: readonly Migration[], now = clock) => {
  const opened = await openStore({ dataDir, clock: now, ...(list ? { migrations: list } : {}) });
  if (!opened.ok) throw new Error(`${opened.error.code}: ${opened.error.message}`);
  stores.push(opened.value.store);
  return opened.value;
};
const close = (store: SqliteStore): void => store.close();
const themes = (store: SqliteStore): unknown[] => store.read((db) => db.all('SELECT value_json FROM settings'));
const setTheme = (store: SqliteStore): void => store.write((db) => void db.run("INSERT INTO settings VALUES ('theme', '\"dark\"')"));

const hold = async (dataDir: string, what = ''): Promise<{ readonly line: Record<string, unknown>; readonly child: ChildProcess }> => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./hold-store.fixture.ts', import.meta.url)), dataDir, what], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return { line: JSON.parse(chunk.toString()) as Record<string, unknown>, child };
};

test('D01 what was written is there after a close and a new start', async () => {
  const dir = place();
  const first = await open(dir);
  setTheme(first.store);
  close(first.store);
  const second = await open(dir);
  expect(themes(second.store)).toEqual([{ value_json: '"dark"' }]);
  expect(second.notices()).toEqual([]);
});

test('P12 a second instance in another process is refused by name, with the pid of the first', async () => {
  const dir = place();
  const { line, child } = await hold(dir);
  expect(line).toMatchObject({ ok: true });
  const second = await openStore({ dataDir: dir, clock });
  expect(second).toMatchObject({ ok: false, error: { code: 'instance_running', details: { pid: child.pid } } });
});

test('P12 a second store in the same process is refused too, and the folder is free after a close', async () => {
  const dir = place();
  const first = await open(dir);
  expect(await openStore({ dataDir: dir, clock })).toMatchObject({ ok: false, error: { code: 'instance_running', details: { pid: process.pid } } });
  setTheme(first.store);
  close(first.store);
  await open(dir);
});

test('P12 of four that start at once exactly one gets the folder', async () => {
  const dir = place();
  const all = await Promise.all(Array.from({ length: 4 }, () => hold(dir)));
  expect(all.filter(({ line }) => line['ok'] === true)).toHaveLength(1);
  expect(all.filter(({ line }) => (line['error'] as { code?: string } | undefined)?.code === 'instance_running')).toHaveLength(3);
});

test('P12 the lock does not survive a kill -9 of its holder, and committed rows do', async () => {
  const dir = place();
  const { child } = await hold(dir, 'write');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const { store, notices } = await open(dir);
  expect(themes(store)).toHaveLength(1);
  expect(notices()).toEqual([]);
});

test('P12 a lock file of garbage locks nobody out', async () => {
  const dir = place();
  writeFileSync(join(dir, 'instance.lock'), 'garbage '.repeat(400));
  await open(dir);
  expect(await openStore({ dataDir: dir, clock })).toMatchObject({ ok: false, error: { code: 'instance_running' } });
});

test('D02 a database from the future is refused by name and not touched', async () => {
  const dir = place();
  const { store } = await open(dir);
  setTheme(store);
  store.connection.pragma('user_version = 999');
  close(store);
  const held = () => readdirSync(dir).filter((name) => !name.startsWith('instance.')).map((name) => [name, readFileSync(join(dir, name)).toString('base64')]);
  const before = held();
  expect(before.map(([name]) => name)).toEqual(['gantry.db']);
  const again = await openStore({ dataDir: dir, clock });
  expect(again).toMatchObject({ ok: false, error: { code: 'store_from_future', details: { found: 999, known: migrations.length } } });
  expect(held()).toEqual(before);
});

test('D02 rows that a database from the future has in its log alone stay there', async () => {
  const dir = place();
  const { store } = await open(dir);
  store.connection.pragma('user_version = 999');
  setTheme(store);
  const killed = place();
  for (const tail of ['', '-wal']) copyFileSync(join(dir, `gantry.db${tail}`), join(killed, `gantry.db${tail}`));
  const log = readFileSync(join(killed, 'gantry.db-wal'));
  expect(log.length).toBeGreaterThan(0);
  expect(await openStore({ dataDir: killed, clock })).toMatchObject({ ok: false, error: { code: 'store_from_future' } });
  expect(readFileSync(join(killed, 'gantry.db-wal')).equals(log)).toBe(true);
  expect(existsSync(join(killed, 'gantry.db-shm'))).toBe(false);
});

const damage: Record<string, (path: string) => void> = {
  'text in its place': (path) => writeFileSync(path, 'this is not a database, it is a letter to whom it may concern. '.repeat(40)),
  'cut in half': (path) => truncateSync(path, Math.floor(statSync(path).size / 2 / 4096) * 4096),
  'pages overwritten': (path) => {
    const bytes = readFileSync(path);
    bytes.fill(0x5a, 4096, bytes.length - 4096);
    writeFileSync(path, bytes);
  },
  'a header of zeros': (path) => {
    const bytes = readFileSync(path);
    bytes.fill(0, 0, 100);
    writeFileSync(path, bytes);
  },
};

test.each(Object.keys(damage))('A23 a broken file (%s) is set aside under a dated name, never overwritten, and a notice says where', async (kind) => {
  const dir = place();
  const { store } = await open(dir);
  setTheme(store);
  close(store);
  damage[kind]?.(join(dir, 'gantry.db'));
  const bytes = readFileSync(join(dir, 'gantry.db'));
  const again = await open(dir);
  const aside = join(dir, 'gantry.broken-2025-11-29T22-10-05Z.db');
  expect(again.notices()).toMatchObject([{ code: 'store_set_aside', at, details: { path: aside } }]);
  expect(again.notices()[0]?.message).toContain(aside);
  expect(readFileSync(aside).equals(bytes)).toBe(true);
  expect(themes(again.store)).toEqual([]);
  setTheme(again.store);
  expect(again.store.state()).toEqual({ state: 'ok' });
});

test('A23 the write-ahead log goes with the broken file, and a second one in the same second gets a name of its own', async () => {
  const dir = place();
  close((await open(dir)).store);
  const { child } = await hold(dir, 'write');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const wal = readFileSync(join(dir, 'gantry.db-wal'));
  expect(wal.length).toBeGreaterThan(0);
  writeFileSync(join(dir, 'gantry.db'), 'broken '.repeat(1000));
  close((await open(dir)).store);
  writeFileSync(join(dir, 'gantry.db'), 'broken again '.repeat(1000));
  close((await open(dir)).store);
  const names = readdirSync(dir).filter((name) => name.startsWith('gantry.broken'));
  expect(names).toEqual(expect.arrayContaining(['gantry.broken-2025-11-29T22-10-05Z.db', 'gantry.broken-2025-11-29T22-10-05Z.db-wal', 'gantry.broken-2025-11-29T22-10-05Z-2.db']));
  expect(readFileSync(join(dir, 'gantry.broken-2025-11-29T22-10-05Z.db-wal')).equals(wal)).toBe(true);
});

test('A23 a missing database whose write-ahead log is still there is not silently replaced', async () => {
  const dir = place();
  const { child } = await hold(dir, 'write');
  child.kill('SIGKILL');
  await once(child, 'exit');
  truncateSync(join(dir, 'gantry.db'), 0);
  const { notices } = await open(dir);
  expect(notices()).toMatchObject([{ code: 'store_set_aside' }]);
  expect(existsSync(join(dir, 'gantry.broken-2025-11-29T22-10-05Z.db-wal'))).toBe(true);
});

test('A23 a database of another program is set aside, not written into', async () => {
  const dir = place();
  const foreign = new DatabaseConstructor(join(dir, 'gantry.db'));
  foreign.exec('CREATE TABLE settings (mine TEXT)');
  foreign.close();
  const { notices } = await open(dir);
  expect(notices()).toMatchObject([{ code: 'store_set_aside', details: { reason: 'this database was not made by Gantry' } }]);
});

const plus = (n: number): readonly Migration[] => [...migrations, ...Array.from({ length: n }, (_, i) => ({ version: migrations.length + 1 + i, name: `planted ${i}`, sql: `CREATE TABLE planted${i} (a TEXT) STRICT;` }))];

test('D03 a migration is preceded by a whole, private copy; the newest three stay', async () => {
  const dir = place();
  const { store } = await open(dir);
  expect(listBackups(dir)).toEqual([]);
  store.connection.exec(seedSql(migrations.length));
  close(store);
  for (let n = 1; n <= 5; n += 1) close((await open(dir, plus(n), { ...clock, now: () => at + n * 1000 })).store);
  const backups = listBackups(dir);
  expect(backups.map((path) => /gantry-v\d+/.exec(path)?.[0])).toEqual([3, 4, 5].map((n) => `gantry-v${migrations.length + n - 1}`));
  for (const path of backups) {
    if (process.platform !== 'win32') expect((lstatSync(path).mode & 0o777).toString(8)).toBe('600');
    const copy = new DatabaseConstructor(path, { readonly: true });
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(copy.prepare('SELECT count(*) FROM events').pluck().get()).toBe(1);
    copy.close();
  }
  expect(readdirSync(join(dir, 'backups')).filter((name) => name.endsWith('.partial'))).toEqual([]);
});

test('D04 a failed migration leaves the store as it was, names its copy and frees the folder', async () => {
  const dir = place();
  const first = await open(dir);
  setTheme(first.store);
  close(first.store);
  const broken = [...migrations, { version: migrations.length + 1, name: 'planted', sql: 'CREATE TABLE half (a TEXT) STRICT; INSERT INTO nowhere VALUES (1);' }];
  const failed = await openStore({ dataDir: dir, clock, migrations: broken });
  expect(failed).toMatchObject({ ok: false, error: { code: 'store_migration_failed', details: { from: migrations.length, backup: listBackups(dir)[0] } } });
  const again = await open(dir);
  expect(themes(again.store)).toHaveLength(1);
});

test('D05 a backup can be opened in the place of the store', async () => {
  const dir = place();
  const { store } = await open(dir);
  setTheme(store);
  close(store);
  close((await open(dir, plus(1))).store);
  const other = place();
  copyFileSync(listBackups(dir)[0] ?? '', join(other, 'gantry.db'));
  expect(themes((await open(other)).store)).toHaveLength(1);
});
