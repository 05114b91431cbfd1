import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { SqliteStore } from './database.ts';
import { openStore } from './open.ts';
import type { OpenStoreOptions } from './open.ts';
import { newReplacement, readReplacement, stagingOf, writeReplacement } from './replacement.ts';
import type { Replacement } from './replacement.ts';

let dataDir: string;
const open = async (more: Partial<OpenStoreOptions> = {}) => {
  const opened = await openStore({ dataDir, clock: systemClock, ...more });
  if (!opened.ok) throw new Error(`${opened.error.code} ${opened.error.message}`);
  return opened.value;
};
/** Writes a word into a database of its own at a place, and closes it. */
const databaseWith = async (dir: string, word: string): Promise<void> => {
  const opened = await openStore({ dataDir: dir, clock: systemClock });
  if (!opened.ok) throw new Error(opened.error.message);
  opened.value.store.write((db) => void db.run("INSERT INTO settings VALUES ('word', ?)", [JSON.stringify(word)]));
  opened.value.store.close();
};
/** The word of the database in place, and what lies beside it. */
const standing = async (): Promise<{ readonly word: string | null; readonly apps: string | null }> => {
  const { store } = await open();
  const row = store.read((db) => db.get("SELECT value_json FROM settings WHERE key = 'word'")) as { value_json: string } | undefined;
  store.close();
  const file = join(dataDir, 'apps', 'a.txt');
  return { word: row ? (JSON.parse(row.value_json) as string) : null, apps: existsSync(file) ? readFileSync(file, 'utf8') : null };
};
const restore = (): Replacement => {
  const replacement = newReplacement(dataDir, Date.UTC(2026, 10, 30), { kind: 'restore', incoming: ['gantry.db', 'apps'], outgoing: ['gantry.db', 'gantry.db-wal', 'gantry.db-shm', 'apps'].map((name) => ({ name, to: 'aside' as const })), forget: [], stripSecrets: false });
  const staging = stagingOf(dataDir, replacement.id);
  mkdirSync(join(staging, 'apps'), { recursive: true });
  writeFileSync(join(staging, 'apps', 'a.txt'), 'new');
  return replacement;
};
const OLD = { word: 'old', apps: 'old' };
const NEW = { word: 'new', apps: 'new' };

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'gantry-replace-'));
  await databaseWith(dataDir, 'old');
  mkdirSync(join(dataDir, 'apps'));
  writeFileSync(join(dataDir, 'apps', 'a.txt'), 'old');
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('DA30 what waits takes the place of everything old at the next start, and the old is set aside', async () => {
  const replacement = restore();
  await databaseWith(stagingOf(dataDir, replacement.id), 'new');
  writeReplacement(dataDir, replacement);
  expect(await standing()).toEqual(NEW);
  expect(readReplacement(dataDir)).toBeNull();
  expect(readdirSync(join(dataDir, 'set-aside', replacement.aside)).toSorted()).toEqual(['apps', 'gantry.db']);
  expect(readdirSync(dataDir).filter((name) => name.startsWith('.'))).toEqual([]);
  expect(await standing()).toEqual(NEW);
});

test('DA45 the start that restored says so once, with from when the backup is and how many servers wait for consent', async () => {
  const replacement = { ...restore(), backupAt: Date.UTC(2026, 10, 29) };
  const staging = stagingOf(dataDir, replacement.id);
  await databaseWith(staging, 'new');
  const incoming = new SqliteStore(join(staging, 'gantry.db'));
  incoming.connection.exec("INSERT INTO servers (id, name, spec_json, args_json, env_json, headers_json, home, enabled, required, created_at) VALUES ('a', 'A', '{\"kind\":\"builtin\",\"name\":\"memory\"}', '[]', '{}', '{}', 'own', 0, 0, 1)");
  incoming.close();
  writeReplacement(dataDir, replacement);
  const opened = await open();
  expect(opened.notices()).toMatchObject([{ code: 'data_restored', details: { backupAt: Date.UTC(2026, 10, 29), consent: 1, setAside: join(dataDir, 'set-aside', replacement.aside) } }]);
  opened.store.close();
  const again = await open();
  expect(again.notices()).toEqual([]);
  again.store.close();
});

test('DA35 the start that reset everything says so, with where the database was set aside', async () => {
  const outgoing = ['gantry.db', 'apps'].map((name) => ({ name, to: name === 'apps' ? ('trash' as const) : ('aside' as const) }));
  const replacement = newReplacement(dataDir, Date.UTC(2026, 10, 30), { kind: 'reset', incoming: [], outgoing, forget: [], stripSecrets: true });
  writeReplacement(dataDir, replacement);
  const opened = await open();
  expect(opened.notices()).toMatchObject([{ code: 'data_reset', details: { what: 'everything', setAside: join(dataDir, 'set-aside', replacement.aside) } }]);
  opened.store.close();
});

test('DA31 a database that cannot be opened brings everything old back, and says so', async () => {
  const replacement = restore();
  writeFileSync(join(stagingOf(dataDir, replacement.id), 'gantry.db'), 'no database at all'.repeat(400));
  writeReplacement(dataDir, replacement);
  const opened = await open();
  expect(opened.broughtBack).toMatchObject({ code: 'store_broken' });
  expect(opened.notices()).toMatchObject([{ code: 'data_brought_back', details: { kind: 'restore' } }]);
  opened.store.close();
  expect(await standing()).toEqual(OLD);
  expect(readdirSync(dataDir).filter((name) => /^(\.|set-aside|replacement|gantry\.broken)/.test(name))).toEqual([]);
});

test('DA31 a database from the future brings everything old back', async () => {
  const replacement = restore();
  await databaseWith(stagingOf(dataDir, replacement.id), 'new');
  const future = new SqliteStore(join(stagingOf(dataDir, replacement.id), 'gantry.db'));
  future.connection.pragma('user_version = 9999');
  future.close();
  writeReplacement(dataDir, replacement);
  const opened = await open();
  expect(opened.broughtBack).toMatchObject({ code: 'store_from_future' });
  opened.store.close();
  expect(await standing()).toEqual(OLD);
});

test('DA30 a file that Gantry did not write is left alone, and names nothing outside the folder', async () => {
  for (const text of ['{', '{"v":2}', JSON.stringify({ ...restore(), incoming: ['../outside'] }), JSON.stringify({ ...restore(), aside: '..' }), JSON.stringify({ ...restore(), id: '../../../../x' })]) {
    writeFileSync(join(dataDir, 'replacement.json'), text);
    expect(readReplacement(dataDir)).toBeNull();
    expect(await standing()).toEqual(OLD);
  }
});
