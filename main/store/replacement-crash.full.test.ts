import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../clock.ts';
import { openStore } from './open.ts';
import { newReplacement, stagingOf, writeReplacement } from './replacement.ts';

const CHILD = fileURLToPath(new URL('./replacement-crash.fixture.ts', import.meta.url));
vi.setConfig({ testTimeout: 300_000 });

const databaseWith = async (dir: string, word: string): Promise<void> => {
  const opened = await openStore({ dataDir: dir, clock: systemClock });
  if (!opened.ok) throw new Error(opened.error.message);
  opened.value.store.write((db) => void db.run("INSERT INTO settings VALUES ('word', ?)", [word]));
  opened.value.store.close();
};
const standing = async (dataDir: string): Promise<string> => {
  const opened = await openStore({ dataDir, clock: systemClock });
  if (!opened.ok) throw new Error(opened.error.message);
  const row = opened.value.store.read((db) => db.get("SELECT value_json FROM settings WHERE key = 'word'")) as { value_json: string } | undefined;
  opened.value.store.close();
  const app = join(dataDir, 'apps', 'a.txt');
  return `${row?.value_json ?? 'none'} ${existsSync(app) ? readFileSync(app, 'utf8') : 'none'}`;
};

type Kind = 'restore' | 'failing restore' | 'reset';
const prepare = async (kind: Kind): Promise<string> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-crash-'));
  await databaseWith(dataDir, 'old');
  mkdirSync(join(dataDir, 'apps'));
  writeFileSync(join(dataDir, 'apps', 'a.txt'), 'old');
  const names = ['gantry.db', 'gantry.db-wal', 'gantry.db-shm', 'apps'];
  const reset = kind === 'reset';
  const replacement = newReplacement(dataDir, Date.UTC(2026, 10, 30), { kind: reset ? 'reset' : 'restore', incoming: reset ? [] : ['gantry.db', 'apps'], outgoing: names.map((name) => ({ name, to: name === 'apps' && reset ? ('trash' as const) : ('aside' as const) })), forget: [], stripSecrets: reset });
  const staging = stagingOf(dataDir, replacement.id);
  if (!reset) {
    mkdirSync(join(staging, 'apps'), { recursive: true });
    writeFileSync(join(staging, 'apps', 'a.txt'), 'new');
    if (kind === 'restore') await databaseWith(staging, 'new');
    else writeFileSync(join(staging, 'gantry.db'), 'broken'.repeat(1_000));
  }
  writeReplacement(dataDir, replacement);
  return dataDir;
};
const start = (dataDir: string, number: number): { readonly points: string[]; readonly signal: string | null } => {
  const { stdout, signal } = spawnSync(process.execPath, [CHILD, dataDir, String(number)], { encoding: 'utf8' });
  return { points: stdout.trim().split('\n').filter(Boolean), signal };
};

test.each([
  ['restore', 'new new'],
  ['failing restore', 'old old'],
  ['reset', 'none none'],
] as const)('DA32 %s, killed at every point, and once more at every point of the start after it, ends whole: %s', async (kind, end) => {
  const first = await prepare(kind);
  const { points } = start(first, 0);
  expect(points.length).toBeGreaterThan(4);
  for (let at = 1; at <= points.length; at += 1) {
    const killed = await prepare(kind);
    expect(start(killed, at).signal).toBe('SIGKILL');
    const again = mkdtempSync(join(tmpdir(), 'gantry-again-'));
    cpSync(killed, again, { recursive: true, verbatimSymlinks: true });
    expect([points[at - 1], await standing(killed)]).toEqual([points[at - 1], end]);
    expect(readdirSync(killed).filter((name) => /^(\.|replacement)/.test(name))).toEqual([]);
    // killed a second time, at its middle
    start(again, Math.ceil((points.length - at) / 2) || 1);
    expect([points[at - 1], await standing(again)]).toEqual([points[at - 1], end]);
    for (const dir of [killed, again]) rmSync(dir, { recursive: true, force: true });
  }
});
