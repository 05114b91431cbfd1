import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { openStore } from '../store/open.ts';
import { cleanUp, sweep } from './clean-up.ts';
import { runDataJob } from './run-data-job.ts';

let dataDir: string;
const put = (place: string, bytes: number): void => {
  mkdirSync(dirname(join(dataDir, place)), { recursive: true });
  writeFileSync(join(dataDir, place), 'x'.repeat(bytes));
};
const measure = async (used: readonly string[], onProgress: (step: string) => void = () => {}) => {
  const measured = await runDataJob('measure', { dataDir, databasePath: join(dataDir, 'gantry.db'), used }, { onProgress });
  if (!measured.ok) throw new Error(measured.error.message);
  return measured.value;
};
const clean = async (items: Awaited<ReturnType<typeof measure>>['cleanup'], used: readonly string[], clearDownloads = async () => true) =>
  cleanUp(items, { dataDir, used: () => new Set(used), clearDownloads, onProgress: () => {} });

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'gantry-data-'));
  const opened = await openStore({ dataDir, clock: systemClock });
  if (!opened.ok) throw new Error(opened.error.message);
  opened.value.store.close();
  put('apps/files/node_modules/a.js', 1_000);
  put('apps/gone/b.js', 300);
  put('apps/.aside-files/1/odd.txt', 50);
  put('homes/files/cache.json', 200);
  put('homes/gone/x', 70);
  put('cache/packages/content', 500);
  put('logs/gantry.log', 10);
  put('backups/gantry-v7-2026-11-01T10-00-00Z.db', 90);
  put('backups/mine.zip', 40);
  put('gantry.broken-2026-11-01T10-00-00Z.db', 30);
  put('gantry.broken-2026-11-01T10-00-00Z.db-wal', 5);
  put('set-aside/2026-11-02T10-00-00Z/gantry.db', 60);
  put('.trash-0123456789ab/left', 8);
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('DA01 the folder is measured by use and by app; links are not followed and a file with two names counts once', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'gantry-outside-'));
  writeFileSync(join(outside, 'big'), 'x'.repeat(100_000));
  symlinkSync(outside, join(dataDir, 'apps/files/link'));
  linkSync(join(dataDir, 'apps/files/node_modules/a.js'), join(dataDir, 'apps/files/again.js'));
  const heard: string[] = [];
  const measured = await measure(['files'], (step) => void heard.push(step));
  const part = (name: string) => measured.parts.find((one) => one.part === name)?.sizeBytes;
  expect({ packages: part('packages'), homes: part('homes'), downloads: part('downloads'), logs: part('logs'), backups: part('backups'), aside: part('set_aside') }).toEqual({ packages: 1_350, homes: 270, downloads: 500, logs: 10, backups: 130, aside: 95 });
  expect(measured.apps).toContainEqual({ serverId: 'files', packageBytes: 1_050, homeBytes: 200 });
  expect(measured.totalBytes).toBe(measured.parts.reduce((sum, one) => sum + one.sizeBytes, 0));
  expect(measured.database.fileBytes).toBeGreaterThan(0);
  expect(measured.database.runs).toBe(0);
  expect(measured.freeBytes).toBeGreaterThan(0);
  expect(heard).toContain('database');
  rmSync(outside, { recursive: true, force: true });
});

test.runIf(process.platform !== 'win32')('DA01 what cannot be read is named and in no sum', async () => {
  const before = await measure(['files']);
  // deeper than a path may be long: not even root can look there by its name
  const deep = "for (let n = 0; n < 24; n += 1) { fs.mkdirSync('x'.repeat(200)); process.chdir('x'.repeat(200)); } fs.writeFileSync('file', '12345');";
  execFileSync(process.execPath, ['-e', deep], { cwd: join(dataDir, 'homes/files') });
  try {
    const measured = await measure(['files']);
    expect(measured.unread).toEqual([expect.stringMatching(/^homes\/files\/x{200}\/x{200}\//)]);
    expect(measured.parts.find((one) => one.part === 'homes')).toEqual(before.parts.find((one) => one.part === 'homes'));
  } finally {
    execFileSync('rm', ['-rf', join(dataDir, 'homes/files')]);
  }
});

test('DA03 what may go is listed with its size, and nothing that a server has', async () => {
  const { cleanup } = await measure(['files']);
  expect(Object.fromEntries(cleanup.map((item) => [item.id, item.sizeBytes]))).toEqual({
    'left_over:.trash-0123456789ab': 8,
    'aside_files:apps/.aside-files': 50,
    'orphan_package:apps/gone': 300,
    'orphan_home:homes/gone': 70,
    'migration_copy:backups/gantry-v7-2026-11-01T10-00-00Z.db': 90,
    'downloads:cache': 500,
    'broken_database:gantry.broken-2026-11-01T10-00-00Z.db': 35,
    'set_aside_data:set-aside/2026-11-02T10-00-00Z': 60,
  });
  expect((await measure(['files', 'gone'])).cleanup.map((item) => item.kind)).not.toContain('orphan_package');
});

test('DA03 DA05 what was picked is gone, a broken database with its log, and everything else is there', async () => {
  const { cleanup } = await measure(['files']);
  const done = await clean(cleanup.filter((item) => item.kind !== 'downloads'), ['files']);
  expect(done).toMatchObject({ kept: [], freedBytes: 613 });
  expect(readdirSync(dataDir).filter((name) => name.startsWith('gantry.broken') || name.startsWith('.trash'))).toEqual([]);
  expect(readdirSync(join(dataDir, 'apps'))).toEqual(['files']);
  expect(readdirSync(join(dataDir, 'homes'))).toEqual(['files']);
  expect(readdirSync(join(dataDir, 'backups'))).toEqual(['mine.zip']);
  expect(existsSync(join(dataDir, 'gantry.db'))).toBe(true);
  expect((await measure(['files'])).cleanup.map((item) => item.kind)).toEqual(['downloads']);
});

test('DA04 what came into use since it was measured is kept and said', async () => {
  const { cleanup } = await measure(['files']);
  const orphans = cleanup.filter((item) => item.kind.startsWith('orphan'));
  expect(await clean(orphans, ['files', 'gone'])).toMatchObject({ removed: [], freedBytes: 0, kept: [{ id: 'orphan_package:apps/gone', fault: { code: 'conflict' } }, { id: 'orphan_home:homes/gone' }] });
  expect(existsSync(join(dataDir, 'apps/gone/b.js'))).toBe(true);
  expect(await clean(cleanup.filter((item) => item.kind === 'downloads'), ['files'], async () => false)).toMatchObject({ removed: [], kept: [{ fault: { code: 'conflict' } }] });
  rmSync(join(dataDir, 'homes/gone'), { recursive: true });
  expect(await clean(orphans.slice(1), ['files'])).toMatchObject({ removed: ['orphan_home:homes/gone'], freedBytes: 0 });
});

test('DA05 what a removal that was cut off left goes at the next start, and nothing else', async () => {
  mkdirSync(join(dataDir, '.restore-0123456789ab'));
  await sweep(dataDir);
  expect(readdirSync(dataDir).filter((name) => name.startsWith('.'))).toEqual([]);
  expect(existsSync(join(dataDir, 'apps/gone/b.js'))).toBe(true);
});
