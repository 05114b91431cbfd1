import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync, utimesSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LocalRegistry } from '../../e2e/fixtures/local-registry.ts';
import type { Installation } from '../../shared/server.ts';
import type { FileManifest } from './file-manifest.ts';
import { openInstaller, publishApp, valueOf } from './installer.fixture.ts';
import { sha256 } from './seal.ts';
let registry: LocalRegistry;
beforeAll(async () => {
  registry = await LocalRegistry.start();
});
afterAll(() => registry.close());
beforeEach(() => {
  for (const name of ['app', 'app-dep']) registry.behave(name, 'good');
  publishApp(registry);
});

const installed = async () => {
  const opened = openInstaller(registry);
  const installation = valueOf(await opened.install('app'));
  return { ...opened, installation, at: (path: string) => join(installation.dir, path) };
};
const forgetCache = (dataDir: string): void => rmSync(join(dataDir, 'cache'), { recursive: true });

test('M41 a changed file comes back, also when size and time are as they were', async () => {
  const { installer, installation } = await installed();
  const before = readFileSync(installation.entry, 'utf8');
  const { atime, mtime } = statSync(installation.entry);
  writeFileSync(installation.entry, before.replace('console', 'Console'));
  utimesSync(installation.entry, atime, mtime);
  expect(valueOf(await installer.verify(installation)).restored).toEqual(['node_modules/app/cli.js']);
  expect(readFileSync(installation.entry, 'utf8')).toBe(before);
  expect(valueOf(await installer.verify(installation)).restored).toEqual([]);
});

test('M41 missing, truncated, linked, re-typed and un-executable files all come back', async () => {
  const { installer, installation, at } = await installed();
  rmSync(at('node_modules/app-dep'), { recursive: true });
  renameSync(at('node_modules/app/README.md'), at('node_modules/app/README.real'));
  symlinkSync('README.real', at('node_modules/app/README.md'));
  rmSync(at('package.json'));
  mkdirSync(at('package.json'));
  if (process.platform !== 'win32') chmodSync(installation.entry, 0o644);
  const report = valueOf(await installer.verify(installation));
  expect(report.restored.toSorted()).toEqual([...(process.platform === 'win32' ? [] : ['node_modules/app/cli.js']), 'node_modules/app/README.md', 'node_modules/app-dep/index.js', 'node_modules/app-dep/lib/deep.js', 'node_modules/app-dep/package.json', 'package.json'].toSorted());
  expect(report.setAside).toContain('node_modules/app/README.real');
  expect(valueOf(await installer.verify(installation))).toMatchObject({ restored: [], setAside: [] });
});

test('M42 files that could be loaded are set aside and kept; plain data of the app stays', async () => {
  const { installer, installation, at, dataDir } = await installed();
  mkdirSync(at('node_modules/app/node_modules/app-dep'), { recursive: true });
  writeFileSync(at('node_modules/app/node_modules/app-dep/index.js'), 'evil()');
  writeFileSync(at('node_modules/app/cli'), 'evil()');
  symlinkSync('app', at('node_modules/root'));
  writeFileSync(at('node_modules/app/memory.jsonl'), '{}\n');
  const report = valueOf(await installer.verify(installation));
  expect(report.setAside.toSorted()).toEqual(['node_modules/app/cli', 'node_modules/app/node_modules/app-dep/index.js', 'node_modules/root']);
  expect(report.data).toEqual(['node_modules/app/memory.jsonl']);
  expect(existsSync(at('node_modules/app/memory.jsonl'))).toBe(true);
  const aside = readdirSync(join(dataDir, 'apps', '.aside-app'), { recursive: true }).map(String);
  expect(aside.some((path) => path.endsWith(join('app-dep', 'index.js')))).toBe(true);
});

test('M43 a damaged lock or manifest comes back from its copy, and without a good copy the app is refused', async () => {
  const { installer, installation, at, dataDir } = await installed();
  const lock = readFileSync(at('package-lock.json'));
  appendFileSync(at('package-lock.json'), ' ');
  writeFileSync(at('gantry-files.json'), '{}');
  expect(valueOf(await installer.verify(installation)).restored).toEqual(['package-lock.json', 'gantry-files.json']);
  expect(readFileSync(at('package-lock.json'))).toEqual(lock);
  for (const file of ['package-lock.json', 'gantry-files.json']) {
    const good = readFileSync(at(file));
    writeFileSync(at(file), '{"format":"gantry-files/1","files":{},"links":{},"packages":{},"gantry":{"filesSha256":""}}');
    if (existsSync(join(dataDir, 'cache'))) forgetCache(dataDir);
    expect(await installer.verify(installation), file).toMatchObject({ ok: false, error: { code: 'integrity_mismatch', remedy: expect.any(String), details: { files: [file] } } });
    writeFileSync(at(file), good);
  }
});

test('M44 restoring needs no network while the downloads are there, and is network_failed when neither is', async () => {
  const { installer, installation, dataDir } = await installed();
  registry.behave('app', 'error');
  const asked = registry.requests.length;
  writeFileSync(installation.entry, 'x');
  expect(valueOf(await installer.verify(installation)).restored).toHaveLength(1);
  expect(registry.requests.length).toBe(asked);
  writeFileSync(installation.entry, 'x');
  forgetCache(dataDir);
  expect(await installer.verify(installation)).toMatchObject({ ok: false, error: { code: 'network_failed', details: { step: 'restore', files: ['node_modules/app/cli.js'] } } });
  registry.behave('app', 'good');
  expect(valueOf(await installer.verify(installation)).restored).toHaveLength(1);
});

test('M05 what is published again under the same version is never taken; latest moving on changes nothing', async () => {
  const { installer, installation, dataDir } = await installed();
  registry.publish({ name: 'app', version: '2.0.0', manifest: { bin: 'cli.js' }, files: { 'cli.js': 'evil()\n' } });
  expect(valueOf(await installer.verify(installation)).restored).toEqual([]);
  publishApp(registry, '1.0.0', 'evil()\n');
  forgetCache(dataDir);
  rmSync(installation.entry);
  expect(await installer.verify(installation)).toMatchObject({ ok: false, error: { code: 'integrity_mismatch', details: { step: 'restore' } } });
  expect(existsSync(installation.entry)).toBe(false);
  expect(installation.version).toBe('1.0.0');
});

test('M43 a record that names a folder outside the data folder is refused', async () => {
  const { installer, installation, dataDir } = await installed();
  for (const dir of [dataDir, join(dataDir, 'apps'), '/', join(dataDir, 'apps', '..', 'homes')]) {
    expect(await installer.verify({ ...installation, dir } as Installation)).toMatchObject({ ok: false, error: { code: 'integrity_mismatch' } });
  }
});

test.each<readonly [string, (manifest: FileManifest) => object]>([
  ['a link outside', (manifest) => ({ ...manifest, links: { '../../kept/mine': 'nowhere' } })],
  ['a link that leads outside', (manifest) => ({ ...manifest, links: { 'node_modules/out': '../../../kept' } })],
  ['a link to a place from the root', (manifest) => ({ ...manifest, links: { 'node_modules/out': '/etc' } })],
  ['a file outside', (manifest) => ({ ...manifest, files: { ...manifest.files, '../../kept/mine': ['0'.repeat(64), 1, 0] } })],
])('M90 a record with its hashes in order that names %s is refused, and nothing outside of the folder is touched', async (_what, change) => {
  const { installer, installation, at, dataDir } = await installed();
  mkdirSync(join(dataDir, 'kept'));
  writeFileSync(join(dataDir, 'kept/mine'), 'mine');
  const manifest = JSON.stringify(change(JSON.parse(readFileSync(at('gantry-files.json'), 'utf8')) as FileManifest));
  const lock = JSON.stringify({ ...(JSON.parse(readFileSync(at('package-lock.json'), 'utf8')) as object), gantry: { filesSha256: sha256(manifest) } });
  writeFileSync(at('gantry-files.json'), manifest);
  writeFileSync(at('package-lock.json'), lock);
  expect(await installer.verify({ ...installation, lockSha256: sha256(lock) })).toMatchObject({ ok: false, error: { code: 'integrity_mismatch' } });
  expect(readFileSync(join(dataDir, 'kept/mine'), 'utf8')).toBe('mine');
  expect(existsSync(at('node_modules/out'))).toBe(false);
});

/** The lock as a stranger's backup could bring it, all its hashes in order; nothing of the app is there yet. */
const withLock = async (change: (packages: Record<string, Record<string, unknown>>) => void) => {
  const opened = await installed();
  const lock = JSON.parse(readFileSync(opened.at('package-lock.json'), 'utf8')) as { packages: Record<string, Record<string, unknown>> };
  change(lock.packages);
  const text = JSON.stringify(lock);
  writeFileSync(opened.at('package-lock.json'), text);
  rmSync(opened.at('node_modules'), { recursive: true });
  forgetCache(opened.dataDir);
  return { ...opened, verify: () => opened.installer.verify({ ...opened.installation, lockSha256: sha256(text) } as Installation) };
};

test('M91 a lock that names another address than the registry of now is not followed: that address hears nothing, the registry is asked by name and integrity', async () => {
  const elsewhere = await LocalRegistry.start();
  try {
    publishApp(elsewhere);
    const good = await withLock((packages) => { for (const one of Object.values(packages)) if (one['resolved'] !== undefined) one['resolved'] = String(one['resolved']).replace(registry.url, elsewhere.url); });
    expect(valueOf(await good.verify()).restored).toContain('node_modules/app/cli.js');
    expect(elsewhere.requests).toEqual([]);

    // bytes that only the stranger has, with the integrity that fits them
    const integrity = elsewhere.publish({ name: 'app-dep', version: '1.0.0', manifest: { main: 'index.js' }, files: { 'index.js': 'evil()', 'lib/deep.js': '' } });
    const evil = await withLock((packages) => Object.assign(packages['node_modules/app-dep']!, { integrity, resolved: `${elsewhere.url}app-dep/-/app-dep-1.0.0.tgz` }));
    expect(await evil.verify()).toMatchObject({ ok: false, error: { code: 'integrity_mismatch', details: { step: 'restore' } } });
    expect(elsewhere.requests).toEqual([]);
  } finally {
    await elsewhere.close();
  }
});

test.each<readonly [string, Record<string, unknown>]>([
  ['under its name', { name: 'app-dep' }],
  ['in another version', { version: '9.9.9' }],
  ['with another integrity', { integrity: `sha512-${Buffer.alloc(64).toString('base64')}` }],
])('M91 a lock that has another package %s than the one that the person is told is refused, and nothing is fetched', async (_what, change) => {
  const t = await withLock((packages) => Object.assign(packages['node_modules/app']!, change));
  const asked = registry.requests.length;
  expect(await t.verify()).toMatchObject({ ok: false, error: { code: 'integrity_mismatch', details: { step: 'restore', files: ['package-lock.json'] } } });
  expect(registry.requests.length).toBe(asked);
});

test('M45 a host killed in the middle of an installation leaves nothing after the next start', async () => {
  registry.behave('app-dep', 'stalls');
  const { installer, dataDir, left } = openInstaller(registry);
  const child = spawn(process.execPath, [fileURLToPath(new URL('./install-and-wait.fixture.ts', import.meta.url)), registry.url, dataDir], { stdio: 'ignore' });
  await registry.untilStalled();
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(left().some((path) => path.includes('.staging-app-'))).toBe(true);
  await installer.resumeCleanup();
  expect(left()).toEqual([]);
});

test('M45 a crash between the two renames of an update brings the former version back; an unknown folder goes', async () => {
  const { installer, installation, dataDir, install } = await installed();
  await install('app', { serverId: 'orphan' });
  renameSync(installation.dir, join(dataDir, 'apps', '.old-app-0123456789ab'));
  mkdirSync(join(dataDir, 'apps', '.staging-app-0123456789ab'));
  await installer.resumeCleanup(['app']);
  expect(readdirSync(join(dataDir, 'apps'))).toEqual(['app']);
  expect(valueOf(await installer.verify(installation))).toMatchObject({ restored: [], setAside: [] });
});
