import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BackupManifestSchema } from '../../../shared/backup.ts';
import type { BackupManifest } from '../../../shared/backup.ts';
import { systemClock } from '../../clock.ts';
import { latestVersion } from '../../store/migrate.ts';
import { migrations } from '../../store/migrations/all.ts';
import { openTestStore } from '../../store/open-test-store.ts';
import { Backups } from './backups.ts';
import { entryKind } from './entry-names.ts';
import { readBackup } from './read-backup.ts';
import { openSecrets, sealSecrets } from './sealed-secrets.ts';

const MANIFEST: BackupManifest = { format: 'gantry-backup/1', createdAt: 1, gantryVersion: '0', schemaVersion: 1, platform: 'linux', secrets: 'sealed', secretCount: 1, homes: false, skipped: 0, files: [{ path: 'database/gantry.db', sizeBytes: 1, sha256: 'a'.repeat(64) }] };

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'gantry-zip-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A zip (APPNOTE 4.3) whose entries are stored, each with bytes of its own, or all over the bytes of the first one. */
const zipOf = (names: readonly string[], bytes: Buffer, shared: boolean): string => {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const [index, name] of names.entries()) {
    const head = (signature: number, more: number): Buffer => {
      const header = Buffer.alloc(more);
      header.writeUInt32LE(signature, 0);
      const from = signature === 0x02014b50 ? 6 : 4;
      header.writeUInt16LE(20, from);
      header.writeUInt32LE(crc32(bytes), from + 10);
      header.writeUInt32LE(bytes.length, from + 14);
      header.writeUInt32LE(bytes.length, from + 18);
      header.writeUInt16LE(Buffer.byteLength(name), from + 22);
      return header;
    };
    const offset = shared ? 0 : at;
    if (!shared || index === 0) {
      const local = Buffer.concat([head(0x04034b50, 30), Buffer.from(name), bytes]);
      parts.push(local);
      at += local.length;
    }
    const listed = head(0x02014b50, 46);
    listed.writeUInt32LE(offset, 42);
    central.push(listed, Buffer.from(name));
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  const path = join(mkdtempSync(join(folder, 'z-')), 'b.zip');
  writeFileSync(path, Buffer.concat([...parts, directory, end]));
  return path;
};
const read = (path: string) => {
  const dataDir = mkdtempSync(join(folder, 'to-'));
  return readBackup({ path, staging: join(dataDir, '.restore-0123456789ab'), dataDir, schemaVersion: latestVersion(migrations), acceptBroken: false }, () => {});
};

test.each<readonly [string, readonly string[], boolean, string]>([
  ['entries over the bytes of one', Array.from({ length: 40 }, (_, at) => `homes/rec/f${at}`), true, '/entries/homes/rec/f1'],
  ['a file that is a folder of another', ['homes/rec/x', 'homes/rec/x/y'], false, '/entries/homes/rec/x'],
  ['a folder that is a file, too', ['homes/rec/q/y', 'homes/rec/q'], false, '/entries/homes/rec/q'],
  ['a file and a folder where case is not looked at', ['homes/rec/X', 'homes/rec/x/y'], false, '/entries/homes/rec/X'],
  ['the lock of an app that is a folder of a file', ['apps/a/package-lock.json', 'apps/a/package-lock.json/x'], false, '/entries/apps/a/package-lock.json/x'],
])('DA41 a directory of entries that no backup has is refused before anything is unpacked: %s', async (_what, names, shared, field) => {
  expect(await read(zipOf(names, Buffer.alloc(4_096, 'a'), shared))).toMatchObject({ ok: false, error: { code: 'backup_invalid', field } });
});

test('DA41 what is no file is told at once: a pipe is not waited for', async () => {
  if (process.platform === 'win32') return;
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const [path, cause] of [[pipe, 'not_a_file'], ['/dev/zero', 'not_a_file'], [folder, 'not_a_file'], [join(folder, 'none.zip'), 'absent']] as const) {
    expect(await read(path)).toMatchObject({ ok: false, error: { code: 'file_unreadable', field: '/path', details: { cause } } });
  }
});

test('DA41 a moment that no date can hold is none', () => {
  const manifest = { format: 'gantry-backup/1', createdAt: 1, gantryVersion: '0', schemaVersion: 1, platform: 'linux', secrets: 'none', secretCount: 0, homes: false, skipped: 0, files: [] };
  expect(BackupManifestSchema.safeParse(manifest).success).toBe(true);
  for (const createdAt of [1e300, 8.64e15 + 1, -1, 0.5]) expect(BackupManifestSchema.safeParse({ ...manifest, createdAt }).success).toBe(false);
});

test('DA41 folders within one another end somewhere', () => {
  expect([60, 64].map((deep) => entryKind(`homes/rec/${'a/'.repeat(deep)}f`))).toEqual(['home', null]);
});

test('DA43 sealed values of which two have one reference are damaged', async () => {
  const value = { ref: 'r', serverId: 's', place: 'env.A', value: 'v' };
  expect(await openSecrets(await sealSecrets([value, { ...value, place: 'env.B' }], 'some long passphrase', MANIFEST), 'some long passphrase', MANIFEST)).toMatchObject({ ok: false, error: { code: 'backup_invalid', field: '/secrets' } });
});

test('DA43 sealed values open in the backup that they were sealed in, and in none that was changed', async () => {
  const values = [{ ref: 'r', serverId: 's', place: 'env.A', value: 'v' }];
  const text = await sealSecrets(values, 'some long passphrase', MANIFEST);
  const own = { path: 'secrets.json', sizeBytes: text.length, sha256: 'b'.repeat(64) };
  expect(await openSecrets(text, 'some long passphrase', { ...MANIFEST, files: [...MANIFEST.files, own] })).toEqual({ ok: true, value: values });
  for (const other of [{ files: [{ ...MANIFEST.files[0]!, sha256: 'c'.repeat(64) }] }, { files: [...MANIFEST.files, { ...own, path: 'homes/s/more' }] }, { createdAt: 2 }, { secretCount: 2 }]) {
    expect(await openSecrets(text, 'some long passphrase', { ...MANIFEST, ...other }), JSON.stringify(other)).toMatchObject({ ok: false, error: { code: 'backup_invalid', field: '/secrets' } });
  }
});

test('DA46 a backup is not written into the data folder, through whatever link', async () => {
  const store = openTestStore();
  const dataDir = join(store.path, '..');
  const backups = new Backups({ store, clock: systemClock, secrets: { openAll: () => ({ ok: true, value: [] }), sealAll: () => Promise.reject(new Error('not asked')) }, dataDir, version: '0', onProgress: () => () => {}, closing: new AbortController().signal });
  mkdirSync(join(dataDir, 'homes/rec'), { recursive: true });
  symlinkSync(dataDir, join(folder, 'link'));
  const before = readdirSync(dataDir);
  for (const path of [join(dataDir, 'b.zip'), join(dataDir, 'homes/rec/b.zip'), join(folder, 'link/b.zip'), join(dataDir, 'replacement.json')]) {
    expect(await backups.create({ path, homes: false, secrets: { kind: 'none' } })).toMatchObject({ ok: false, error: { code: 'invalid_request', field: '/path' } });
  }
  expect(readdirSync(dataDir)).toEqual(before);
  store.close();
});
