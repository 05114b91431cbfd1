import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LocalRegistry } from '../../e2e/fixtures/local-registry.ts';
import { InstallationSchema } from '../../shared/server.ts';
import { openInstaller, publishApp, valueOf } from './installer.fixture.ts';
let registry: LocalRegistry;
beforeAll(async () => {
  registry = await LocalRegistry.start();
});
afterAll(() => registry.close());
beforeEach(() => {
  registry.behave('app', 'good');
  registry.behave('app-dep', 'good');
});

test('M32 an installation is a pinned version with integrity, lock and the absolute path of its program', async () => {
  const integrity = publishApp(registry);
  const { install, dataDir } = openInstaller(registry);
  const steps: string[] = [];
  const installation = valueOf(await install('app', { onProgress: (step, done, total) => steps.push(total === undefined ? step : `${step} ${done}/${total}`) }));
  expect(InstallationSchema.parse(installation)).toMatchObject({ kind: 'npm', package: 'app', version: '1.0.0', integrity, dir: join(dataDir, 'apps', 'app'), scripts: [] });
  expect(installation.entry).toBe(join(dataDir, 'apps', 'app', 'node_modules', 'app', 'cli.js'));
  const lock = readFileSync(join(installation.dir, 'package-lock.json'));
  expect(installation.lockSha256).toBe(createHash('sha256').update(lock).digest('hex'));
  expect(Object.keys(JSON.parse(lock.toString()).packages)).toEqual(['', 'node_modules/app', 'node_modules/app-dep']);
  expect(installation.sizeBytes).toBeGreaterThan(200);
  expect(execFileSync(process.execPath, [installation.entry], { encoding: 'utf8' })).toBe('app 1.0.0\n');
  expect([...new Set(steps.map((step) => step.split(' ')[0]))]).toEqual(['resolve', 'download', 'extract', 'check', 'done']);
  expect(steps).toContain('download 2/2');
  if (process.platform !== 'win32') expect(statSync(installation.dir).mode & 0o077).toBe(0);
});

test('M32 the same package gives the same lock hash in another data folder', async () => {
  publishApp(registry);
  const [one, two] = await Promise.all([openInstaller(registry).install('app'), openInstaller(registry).install('app')]);
  expect(valueOf(one).lockSha256).toBe(valueOf(two).lockSha256);
});

test.each([
  ['a package the registry does not know', 'no-such-app', {}, 'good', { code: 'package_not_found', field: 'spec.package' }],
  ['a version it does not know', 'app', { version: '9.9.9' }, 'good', { code: 'package_not_found', field: 'spec.version', details: { versions: ['1.0.0'] } }],
  ['a tag it does not know', 'app', { version: 'nightly' }, 'good', { code: 'package_not_found', field: 'spec.version' }],
  ['a tarball that is not what its integrity says', 'app', {}, 'other_bytes', { code: 'integrity_mismatch', details: { step: 'download' } }],
  ['a tarball that is cut off', 'app', {}, 'cut_off', { code: 'network_failed', details: { step: 'download' } }],
  ['a registry that fails', 'app', {}, 'error', { code: 'network_failed', details: { step: 'download' } }],
] as const)('M33 %s is a coded fault with a remedy and leaves nothing', async (_, name, more, behaviour, expected) => {
  publishApp(registry);
  registry.behave('app', behaviour);
  const { install, left } = openInstaller(registry);
  const result = await install(name, more);
  expect(result).toMatchObject({ ok: false, error: { ...expected, remedy: expect.any(String), message: expect.any(String) } });
  expect(left()).toEqual([]);
});

test('M33 a registry that is not there is network_failed, and no address with credentials gets out', async () => {
  const gone = await LocalRegistry.start();
  const url = gone.url.replace('http://', 'http://user:hunter2@');
  await gone.close();
  const { install, left } = openInstaller({ ...gone, url } as LocalRegistry);
  const result = await install('app');
  expect(result).toMatchObject({ ok: false, error: { code: 'network_failed', field: 'spec.package', details: { step: 'resolve' } } });
  expect(JSON.stringify(result)).not.toContain('hunter2');
  expect(left()).toEqual([]);
});

test.each([
  ['no program', {}, {}, []],
  ['several programs, none named like it', { bin: { one: 'a.js', two: 'b.js' } }, { 'a.js': '1', 'b.js': '2' }, ['one', 'two']],
  ['a program that is not in it', { bin: 'gone.js' }, {}, ['binless']],
  ['a program outside of it', { bin: '../../package.json' }, {}, ['binless']],
  ['a program that is a shell script', { bin: 'run.sh' }, { 'run.sh': '#!/bin/sh\n' }, ['binless']],
])('M34 a package with %s is no_executable and leaves nothing', async (_, manifest, files, choices) => {
  registry.publish({ name: '@scope/binless', version: '1.0.0', manifest, files });
  const { install, left } = openInstaller(registry);
  const result = await install('@scope/binless');
  expect(result).toMatchObject({ ok: false, error: { code: 'no_executable', field: 'spec.package', remedy: expect.any(String) } });
  if (choices.length > 1) expect(result).toMatchObject({ error: { details: { choices } } });
  expect(left()).toEqual([]);
});

test('M34 of several programs the one named like the package is taken', async () => {
  registry.publish({ name: '@scope/many', version: '1.0.0', manifest: { bin: { other: 'a.js', many: 'b.js' } }, files: { 'a.js': '1\n', 'b.js': '2\n' } });
  const installation = valueOf(await openInstaller(registry).install('@scope/many'));
  expect(readFileSync(installation.entry, 'utf8')).toBe('2\n');
});

test('M35 stopping while a download hangs, or before it begins, leaves nothing', async () => {
  publishApp(registry);
  registry.behave('app-dep', 'stalls');
  const { install, left } = openInstaller(registry);
  const controller = new AbortController();
  const running = install('app', { signal: controller.signal });
  await registry.untilStalled();
  expect(left().join()).toContain('.staging-app-');
  controller.abort();
  expect(await running).toMatchObject({ ok: false, error: { code: 'install_cancelled', remedy: expect.any(String) } });
  expect(left()).toEqual([]);
  expect(await install('app', { signal: AbortSignal.abort() })).toMatchObject({ error: { code: 'install_cancelled' } });
  expect(left()).toEqual([]);
});

test('M35 stopping at any step leaves nothing', async () => {
  publishApp(registry);
  for (const stopAt of ['resolve', 'download', 'extract', 'check']) {
    const { install, left } = openInstaller(registry);
    const controller = new AbortController();
    const result = await install('app', { signal: controller.signal, onProgress: (step) => step === stopAt && controller.abort() });
    expect(result, stopAt).toMatchObject({ ok: false, error: { code: 'install_cancelled' } });
    expect(left(), stopAt).toEqual([]);
  }
});

test('M36 two installations at the same time work, and a second one of the same server is refused', async () => {
  publishApp(registry);
  registry.publish({ name: 'other', version: '2.0.0', manifest: { bin: 'o.js', dependencies: { 'app-dep': '*' } }, files: { 'o.js': '1\n' } });
  const { installer, install } = openInstaller(registry);
  const [one, two, again] = await Promise.all([install('app'), install('other', { serverId: 'other' }), install('app')]);
  expect(again).toMatchObject({ ok: false, error: { code: 'conflict' } });
  for (const installation of [valueOf(one), valueOf(two)]) expect(valueOf(await installer.verify(installation))).toMatchObject({ restored: [], setAside: [] });
});

test('M37 uninstalling leaves nothing of an app, keeps what others need, and its home folder unless told', async () => {
  publishApp(registry);
  const { installer, install, dataDir, left } = openInstaller(registry);
  const one = valueOf(await install('app'));
  const two = valueOf(await install('app', { serverId: 'two' }));
  mkdirSync(join(dataDir, 'homes', 'app'), { recursive: true });
  writeFileSync(join(one.dir, 'stray.js'), '1');
  await installer.verify(one);
  await installer.uninstall(one);
  expect(readdirSync(join(dataDir, 'apps'))).toEqual(['two']);
  expect(existsSync(join(dataDir, 'homes', 'app'))).toBe(true);
  registry.behave('app', 'error');
  writeFileSync(two.entry, 'damaged');
  expect(valueOf(await installer.verify(two)).restored).toEqual(['node_modules/app/cli.js']);
  await installer.uninstall(two, { home: true });
  await installer.uninstall(one, { home: true });
  expect(left()).toEqual([]);
  await installer.uninstall({ ...one, dir: dataDir });
  expect(existsSync(dataDir)).toBe(true);
});

test('M38 an update keeps the data an app wrote beside its code; a failed one leaves the former version as it was', async () => {
  publishApp(registry);
  const { installer, install } = openInstaller(registry);
  const before = valueOf(await install('app'));
  writeFileSync(join(before.dir, 'node_modules', 'app', 'memory.jsonl'), '{"kept":true}\n');
  registry.publish({ name: 'app', version: '2.0.0', manifest: { bin: 'cli.js' }, files: { 'cli.js': 'console.log(2)\n' } });
  registry.behave('app', 'other_bytes');
  expect(await install('app')).toMatchObject({ ok: false, error: { code: 'integrity_mismatch' } });
  expect(valueOf(await installer.verify(before))).toMatchObject({ restored: [], data: ['node_modules/app/memory.jsonl'] });
  registry.behave('app', 'good');
  const after = valueOf(await install('app'));
  expect(after.version).toBe('2.0.0');
  expect(readFileSync(join(after.dir, 'node_modules', 'app', 'memory.jsonl'), 'utf8')).toBe('{"kept":true}\n');
  expect(valueOf(await installer.verify(after))).toMatchObject({ restored: [], setAside: [] });
});

test('M39 a dependency on a git repository or a folder is refused', async () => {
  registry.publish({ name: 'gitty', version: '1.0.0', manifest: { bin: 'a.js', dependencies: { evil: 'git+https://127.0.0.1/evil.git' } }, files: { 'a.js': '1' } });
  registry.publish({ name: 'foldery', version: '1.0.0', manifest: { bin: 'a.js', dependencies: { evil: 'file:../../..' } }, files: { 'a.js': '1' } });
  for (const name of ['gitty', 'foldery']) {
    const { install, left } = openInstaller(registry);
    expect(await install(name), name).toMatchObject({ ok: false, error: { code: 'install_failed', remedy: expect.stringContaining('git repository or a folder') } });
    expect(left()).toEqual([]);
  }
});

test('M40 the built-in app is described by its files, and a changed record is refused', async () => {
  const { installer } = openInstaller(registry);
  const installation = valueOf(await installer.install({ serverId: 'environment', spec: { kind: 'builtin', name: 'environment' } }));
  expect(installation).toMatchObject({ kind: 'builtin', package: 'environment', version: '1.0.0', integrity: expect.stringMatching(/^sha512-/), lockSha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(valueOf(await installer.verify(installation)).restored).toEqual([]);
  expect(await installer.verify({ ...installation, lockSha256: '0'.repeat(64) })).toMatchObject({ ok: false, error: { code: 'integrity_mismatch' } });
  for (const name of ['nothing', '../environment', '']) expect(await installer.install({ serverId: 'x', spec: { kind: 'builtin', name } })).toMatchObject({ ok: false, error: { code: 'package_not_found' } });
});
