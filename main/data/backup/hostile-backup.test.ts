import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { openTestLine } from '../../calls/open-test-line.ts';
import { latestVersion } from '../../store/migrate.ts';
import { migrations } from '../../store/migrations/all.ts';
import { SqliteStore } from '../../store/database.ts';
import { readBackup } from './read-backup.ts';
import { writeBackup } from './write-backup.ts';

type Entries = Map<string, { bytes: Buffer; mode?: number }>;
type Manifest = Record<string, unknown> & { files: { path: string; sizeBytes: number; sha256: string }[] };

let folder: string;
let good: Entries;
const tell = (): void => {};

const entriesOf = async (path: string): Promise<Entries> => {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  const entries: Entries = new Map();
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    entries.set(entry.fileName, { bytes: Buffer.concat(chunks) });
  }
  zip.close();
  return entries;
};
const zipOf = async (entries: Iterable<readonly [string, { bytes: Buffer; mode?: number }]>): Promise<string> => {
  const path = join(mkdtempSync(join(folder, 'z-')), 'b.zip');
  const zip = new ZipFile();
  for (const [name, { bytes, mode = 0o100600 }] of entries) zip.addBuffer(bytes, name, { mode });
  zip.end();
  await finished(zip.outputStream.pipe(createWriteStream(path)));
  return path;
};
const manifestOf = (entries: Entries): Manifest => JSON.parse(entries.get('manifest.json')!.bytes.toString()) as Manifest;
/** The good backup with changes, its manifest made to fit again unless `asIs`. */
const changed = (change: (entries: Entries) => void, asIs = false): Promise<string> => {
  const entries: Entries = new Map([...good].map(([name, one]) => [name, { ...one }]));
  change(entries);
  if (!asIs) {
    const files = [...entries].filter(([name]) => name !== 'manifest.json').map(([path, { bytes }]) => ({ path, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }));
    entries.set('manifest.json', { bytes: Buffer.from(JSON.stringify({ ...manifestOf(entries), files })) });
  }
  return zipOf(entries);
};
const withManifest = (change: (manifest: Manifest) => void): Promise<string> =>
  changed((entries) => {
    const manifest = manifestOf(entries);
    change(manifest);
    entries.set('manifest.json', { bytes: Buffer.from(JSON.stringify(manifest)) });
  }, true);
const withDatabase = (change: (store: SqliteStore) => void): Promise<string> =>
  changed((entries) => {
    const path = join(mkdtempSync(join(folder, 'd-')), 'gantry.db');
    writeFileSync(path, entries.get('database/gantry.db')!.bytes);
    const store = new SqliteStore(path);
    change(store);
    store.connection.pragma('journal_mode = DELETE');
    store.close();
    entries.set('database/gantry.db', { bytes: readFileSync(path) });
  });

const read = async (path: string, acceptBroken = false) => {
  const dataDir = mkdtempSync(join(folder, 'to-'));
  const staging = join(dataDir, '.restore-0123456789ab');
  const outcome = await readBackup({ path, staging, dataDir, schemaVersion: latestVersion(migrations), acceptBroken }, tell);
  return { outcome, outside: readdirSync(dataDir).filter((name) => name !== '.restore-0123456789ab'), staging };
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-hostile-'));
  const t = openTestLine();
  const id = t.world.tool({ name: 'look', tier: 'read_only' });
  await t.line.tryCall({ capabilityId: id, principal: 'user', input: { a: 1 } });
  const dataDir = dirname(t.store.path);
  mkdirSync(join(dataDir, 'homes/rec'), { recursive: true });
  writeFileSync(join(dataDir, 'homes/rec/xxxxxxxxxxx'), 'home');
  const target = join(folder, 'good.zip');
  await writeBackup({ databasePath: t.store.path, dataDir, target, serverIds: ['rec'], homes: true, secrets: null, about: { createdAt: 1, gantryVersion: '0.1.0', schemaVersion: latestVersion(migrations), platform: 'linux' } }, tell);
  good = await entriesOf(target);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('DA41 the good one is read whole, so that what follows is refused for its own fault', async () => {
  const { outcome, staging } = await read(await changed(() => {}));
  expect(outcome).toMatchObject({ ok: true, value: { runs: 1, brokenRuns: [], incoming: ['gantry.db', 'homes'] } });
  expect(readFileSync(join(staging, 'homes/rec/xxxxxxxxxxx'), 'utf8')).toBe('home');
});

const ZEROS = Buffer.alloc(80 * 2 ** 20);
const renamed = async (to: string): Promise<string> => {
  const path = await changed(() => {});
  const from = 'homes/rec/xxxxxxxxxxx';
  writeFileSync(path, Buffer.from(readFileSync(path, 'latin1').replaceAll(from, to.padEnd(from.length, 'x').slice(0, from.length)), 'latin1'));
  return path;
};

test.each<readonly [string, () => Promise<string>, RegExp]>([
  ['no zip', async () => { const path = join(folder, 'no.zip'); writeFileSync(path, 'no zip at all'); return path; }, /^\/path$/],
  ['a zip that is cut off', async () => { const path = await changed(() => {}); writeFileSync(path, readFileSync(path).subarray(0, -40)); return path; }, /^\/(path|entries)/],
  ['a path out of the folder', () => renamed('../../../../outside'), /^\/entries/],
  ['a path out of a home', () => renamed('homes/rec/../../../o'), /^\/entries/],
  ['an absolute path', () => renamed('/etc/passwd'), /^\/entries/],
  ['a path of Windows', () => renamed('homes\\rec\\..\\..\\out'), /^\/entries/],
  ['a drive', () => renamed('homes/rec/C:evil'), /^\/entries/],
  ['a link', () => changed((entries) => void entries.set('homes/rec/link', { bytes: Buffer.from('/etc'), mode: 0o120777 })), /^\/entries\/homes\/rec\/link/],
  ['a device', () => changed((entries) => void entries.set('homes/rec/dev', { bytes: Buffer.alloc(0), mode: 0o020600 })), /^\/entries/],
  ['a name of another kind', () => changed((entries) => void entries.set('instance.lock', { bytes: Buffer.from('x') })), /^\/entries\/instance\.lock/],
  ['a name that stands twice', async () => zipOf([...good, ['homes/rec/xxxxxxxxxxx', { bytes: Buffer.from('other') }]]), /^\/entries\/homes/],
  ['a name that stands twice where case is not looked at', () => changed((entries) => void entries.set('homes/rec/XXXXXXXXXXX', { bytes: Buffer.from('other') })), /^\/entries\/homes/],
  ['an entry that the manifest does not name', async () => zipOf([...good, ['homes/rec/more', { bytes: Buffer.from('other') }]]), /^\/entries\/homes\/rec\/more/],
  ['an entry that is missing', () => withManifest((manifest) => void manifest.files.push({ path: 'homes/rec/gone', sizeBytes: 1, sha256: 'a'.repeat(64) })), /^\/files\/homes\/rec\/gone/],
  ['a hash that is wrong', () => withManifest((manifest) => void (manifest.files[0]!.sha256 = 'a'.repeat(64))), /^\/files\/database/],
  ['a file that was changed', () => changed((entries) => void entries.set('homes/rec/xxxxxxxxxxx', { bytes: Buffer.from('HOME') }), true), /^\/files\/homes/],
  ['a file larger than it says', () => withManifest((manifest) => void (manifest.files[0]!.sizeBytes = 10)), /^\/files\/database/],
  ['a bomb', () => changed((entries) => void entries.set('homes/rec/zeros', { bytes: ZEROS }), true), /^\/entries/],
  ['a manifest that is huge', () => changed((entries) => void entries.set('manifest.json', { bytes: ZEROS }), true), /^\/entries\/manifest/],
  ['no manifest', () => changed((entries) => void entries.delete('manifest.json'), true), /^\/manifest/],
  ['a manifest that is no JSON', () => changed((entries) => void entries.set('manifest.json', { bytes: Buffer.from('{') }), true), /^\/manifest/],
  ['a manifest with odd fields', () => withManifest((manifest) => void (manifest['secretCount'] = 'many')), /^\/manifest\/secretCount/],
  ['a manifest that names a place outside', () => withManifest((manifest) => void (manifest.files[0]!.path = '../x')), /^\/(files|entries)/],
  ['no database', () => changed((entries) => void entries.delete('database/gantry.db')), /^\/files\/database/],
  ['a database that is none', () => changed((entries) => void entries.set('database/gantry.db', { bytes: Buffer.from('x'.repeat(9_000)) })), /^\/database/],
  ['a trigger of a stranger', () => withDatabase((store) => void store.connection.exec("CREATE TRIGGER t AFTER UPDATE ON servers BEGIN DELETE FROM rules; END")), /^\/database/],
  ['a table that is missing', () => withDatabase((store) => void store.connection.exec('DROP TABLE rules')), /^\/database/],
  ['a chain that was tampered with', () => withDatabase((store) => void store.connection.exec("UPDATE events SET data_json = replace(data_json, 'allow', 'deny ') WHERE type = 'call.policy'")), /^\/database\/runs\//],
  ['a row beside the chain that was changed', () => withDatabase((store) => void store.connection.exec("UPDATE invocations SET result_json = '{}'")), /^\/database\/runs\//],
])('DA41 refused by code and field, nothing written outside: %s', async (_what, make, field) => {
  const { outcome, outside } = await read(await make());
  expect(outcome).toMatchObject({ ok: false, error: { code: 'backup_invalid', field: expect.stringMatching(field), remedy: expect.any(String) } });
  expect(outside).toEqual([]);
  expect(existsSync(join(folder, 'outside'))).toBe(false);
});

test('DA41 one from the future is refused by name, before anything else of it is judged', async () => {
  for (const change of [(manifest: Manifest) => void (manifest['format'] = 'gantry-backup/2'), (manifest: Manifest) => void (manifest['schemaVersion'] = 9_999)]) {
    const { outcome } = await read(await withManifest((manifest) => { manifest['gantryVersion'] = '9.1.0'; change(manifest); }));
    expect(outcome).toMatchObject({ ok: false, error: { code: 'backup_from_future', message: expect.stringContaining('9.1.0') } });
  }
});

test('DA41 evidence that did not hold before comes over only where that was accepted, and still does not hold', async () => {
  const path = await withDatabase((store) => void store.connection.exec("UPDATE invocations SET result_json = '{}'"));
  expect((await read(path, true)).outcome).toMatchObject({ ok: true, value: { brokenRuns: [expect.any(String)] } });
});

test('DA41 DA42 steps that wait to be taken into their tables are taken before the evidence is judged', async () => {
  const { outcome, staging } = await read(await changed(() => {}));
  expect(outcome.ok).toBe(true);
  const store = new SqliteStore(join(staging, 'gantry.db'));
  expect(store.connection.prepare('SELECT count(*) FROM events').pluck().get()).toBe(9);
  store.close();
});

test('DA42 what is brought in runs nothing and holds no key: servers off, without consent, no process, nothing sealed', async () => {
  const path = await withDatabase((store) => void store.connection.exec(`
    INSERT INTO servers (id, name, spec_json, args_json, env_json, headers_json, home, enabled, required, consented_fingerprint, created_at) VALUES ('evil', 'E', '{"kind":"command","command":"evil"}', '[]', '{}', '{}', 'own', 1, 0, 'aa', 1);
    INSERT INTO processes VALUES ('token', 1, '1', 'evil', 1); INSERT INTO secrets VALUES ('s', 'evil', 'env.K', x'00', x'00', 1); INSERT INTO key_wraps VALUES ('passphrase', '{}', 1);`));
  const { outcome, staging } = await read(path);
  expect(outcome.ok).toBe(true);
  const store = new SqliteStore(join(staging, 'gantry.db'));
  const count = (table: string) => store.connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  expect([store.connection.prepare('SELECT enabled, consented_fingerprint FROM servers').get(), count('processes'), count('secrets'), count('key_wraps')]).toEqual([{ enabled: 0, consented_fingerprint: null }, 0, 0, 0]);
  store.close();
});
