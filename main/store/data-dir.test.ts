import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { makeDataDir } from './data-dir.ts';
import { openStore } from './open.ts';

const place = (): string => mkdtempSync(join(tmpdir(), 'gantry-dir-'));
const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);
const posix = process.platform !== 'win32';

test.runIf(posix)('M16 a new data folder is 0700 and its files 0600, whatever the umask', async () => {
  const before = process.umask(0);
  try {
    const dir = join(place(), 'deep', 'data');
    const opened = await openStore({ dataDir: dir, clock: systemClock });
    if (!opened.ok) throw new Error(opened.error.message);
    opened.value.store.write((db) => db.run("INSERT INTO settings VALUES ('theme', '\"dark\"')"));
    expect(modeOf(dir)).toBe('700');
    for (const name of ['gantry.db', 'gantry.db-wal', 'gantry.db-shm', 'instance.lock', 'instance.json']) expect([name, modeOf(join(dir, name))]).toEqual([name, '600']);
    opened.value.store.close();
  } finally {
    process.umask(before);
  }
});

test.runIf(posix)('M16 looser modes of an existing folder and its files are tightened', () => {
  const dir = place();
  writeFileSync(join(dir, 'gantry.db'), '');
  writeFileSync(join(dir, 'host.log'), '');
  mkdirSync(join(dir, 'backups'));
  for (const [name, mode] of [['gantry.db', 0o644], ['host.log', 0o666], ['backups', 0o755], ['', 0o777]] as const) chmodSync(join(dir, name), mode);
  expect(makeDataDir(dir)).toMatchObject({ ok: true, value: dir });
  expect(['', 'gantry.db', 'host.log', 'backups'].map((name) => modeOf(join(dir, name)))).toEqual(['700', '600', '600', '700']);
});

test.each(['', '/'])('M16 a symlinked data folder is refused, written with %j at its end', async (tail) => {
  const base = place();
  mkdirSync(join(base, 'real'), { mode: 0o755 });
  symlinkSync(join(base, 'real'), join(base, 'link'), 'junction');
  const opened = await openStore({ dataDir: join(base, 'link') + tail, clock: systemClock });
  expect(opened).toMatchObject({ ok: false, error: { code: 'data_dir_unsafe', details: { reason: 'symlink' } } });
  expect(existsSync(join(base, 'real', 'gantry.db'))).toBe(false);
});

test.each(['gantry.db', 'gantry.db-wal', 'instance.lock', 'backups'])('M16 a link planted as %s is refused and its target left alone', async (name) => {
  const dir = place();
  const target = join(place(), 'victim');
  writeFileSync(target, 'mine');
  symlinkSync(target, join(dir, name));
  expect(await openStore({ dataDir: dir, clock: systemClock })).toMatchObject({ ok: false, error: { code: 'data_dir_unsafe', details: { reason: 'symlink' } } });
  expect(lstatSync(target).size).toBe(4);
});

test('M16 a file in the place of the folder is refused', () => {
  const path = join(place(), 'file');
  writeFileSync(path, 'x');
  expect(makeDataDir(path)).toMatchObject({ ok: false, error: { code: 'data_dir_unsafe', details: { reason: 'not_a_folder' } } });
});

test.each(['host.json', 'gantry.db', 'gantry.db-wal', 'gantry.db-shm', 'instance.lock', 'logs/gantry.log'])('D19 a folder in the place of %s is named with its remedy, and nothing is written', async (name) => {
  const dir = place();
  mkdirSync(join(dir, name, 'mine'), { recursive: true });
  const before = readdirSync(dir, { recursive: true });
  const path = join(dir, name);
  expect(await openStore({ dataDir: dir, clock: systemClock })).toMatchObject({ ok: false, error: { code: 'data_dir_unsafe', message: expect.stringContaining(name), remedy: expect.stringContaining(path), details: { reason: 'not_a_file', path } } });
  expect(readdirSync(dir, { recursive: true })).toEqual(before);
});

test.each(['logs', 'apps', 'homes', 'cache', 'backups', 'set-aside'])('D19 a file in the place of the folder %s is named with its remedy, and nothing is written', async (name) => {
  const dir = place();
  writeFileSync(join(dir, name), 'mine');
  expect(await openStore({ dataDir: dir, clock: systemClock })).toMatchObject({ ok: false, error: { code: 'data_dir_unsafe', details: { reason: 'not_a_folder', path: join(dir, name) } } });
  expect(readdirSync(dir)).toEqual([name]);
});

test('M16 on Windows modes are left alone, links are refused', () => {
  const base = place();
  const dir = join(base, 'data');
  mkdirSync(dir);
  chmodSync(dir, 0o755);
  expect(makeDataDir(dir, 'win32')).toMatchObject({ ok: true });
  if (posix) expect(modeOf(dir)).toBe('755');
  symlinkSync(dir, join(base, 'link'), 'junction');
  expect(makeDataDir(join(base, 'link'), 'win32')).toMatchObject({ ok: false, error: { details: { reason: 'symlink' } } });
});

test.runIf(posix && process.geteuid?.() === 0)('M16 a folder of another user is refused', async () => {
  const { chownSync } = await import('node:fs');
  const dir = place();
  chownSync(dir, 12_345, 12_345);
  expect(makeDataDir(dir)).toMatchObject({ ok: false, error: { code: 'data_dir_unsafe', details: { reason: 'other_owner' } } });
});
