import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extractAll, listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { load } from 'js-yaml';
import { beforeAll, expect, test, vi } from 'vitest';
import { ended, openRecordedElectron } from '../main/shell/shell-under-test.ts';
import { ensureBuilt, pinnedNode } from '../main/shell/setup.mjs';
import { importedPackages } from './needed-packages.ts';
import { programKind } from './node-binary.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 900_000 });

const root = fileURLToPath(new URL('..', import.meta.url));
const FEED = { GANTRY_UPDATE_URL: 'https://updates.example/gantry/', GANTRY_UPDATE_PUBLIC_KEY: 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=' };
const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
const work = mkdtempSync(join(tmpdir(), 'gantry-package-'));
const out = join(work, 'out', arch === 'x64' ? 'linux-unpacked' : 'linux-arm64-unpacked');
const resources = join(out, 'resources');
/** The archive, spread out: Node reads no archive. Named as the archive is, so that paths are as in a package. */
const spread = join(work, 'resources');

/** Stands in for Electron's binary: a file with a fuse wire in it (all on), and what the builder expects beside it. */
const standIn = (): string => {
  const folder = join(work, 'electron');
  for (const name of ['locales', 'resources']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.alloc(64), Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'), Buffer.from([1, 8]), Buffer.from('11111111'), Buffer.alloc(64)]), { mode: 0o755 });
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version', 'chrome-sandbox', 'locales/en-US.pak']) writeFileSync(join(folder, name), 'x');
  return folder;
};

let listed: readonly string[] = [];
beforeAll(async () => {
  await ensureBuilt({ root, log: () => {} });
  await ensureBuilt({ root, log: () => {}, target: 'electron' });
  const cli = join(root, 'node_modules', 'electron-builder', 'cli.js');
  const packed = spawnSync(pinnedNode(root), [cli, '--linux', 'dir', `--${arch}`, '--publish', 'never', `-c.electronDist=${standIn()}`, `-c.directories.output=${join(work, 'out')}`], { cwd: root, encoding: 'utf8', env: { ...process.env, ...FEED } });
  if (packed.status !== 0) throw new Error(packed.stdout + packed.stderr);
  listed = listPackage(join(resources, 'app.asar'), { isPack: false }).map((path) => path.replaceAll('\\', '/').slice(1));
  mkdirSync(spread);
  extractAll(join(resources, 'app.asar'), join(spread, 'app.asar'));
  for (const name of ['app.asar.unpacked', 'node']) symlinkSync(join(resources, name), join(spread, name));
});

test('B02 the builder writes the fuses into the binary', async () => {
  const wire = await getCurrentFuseWire(join(out, 'gantry'));
  // the letters of the wire: off, on
  const [off, on] = [0x30, 0x31];
  const state = (fuse: FuseV1Options): number | undefined => wire[fuse];
  for (const fuse of [FuseV1Options.RunAsNode, FuseV1Options.EnableNodeOptionsEnvironmentVariable, FuseV1Options.EnableNodeCliInspectArguments, FuseV1Options.GrantFileProtocolExtraPrivileges]) expect([fuse, state(fuse)]).toEqual([fuse, off]);
  for (const fuse of [FuseV1Options.OnlyLoadAppFromAsar, FuseV1Options.EnableEmbeddedAsarIntegrityValidation, FuseV1Options.EnableCookieEncryption]) expect([fuse, state(fuse)]).toEqual([fuse, on]);
});

test('B03 the archive holds nothing of development', () => {
  expect(listed.length).toBeGreaterThan(500);
  const wrong = [/\.(map|ts|tsx|mts|cts)$/, /(^|\/)(test|tests|__tests__|e2e|fixtures)(\/|$)/, /\.(test|spec)\.[cm]?js$/, /(^|\/)\.(env|npmrc|git|gantry-build)/, /\.(pem|key|p12|pfx)$/, /^(main|renderer|preload|shared|packaging|docs|\.ci|\.github)\//, /package-lock\.json$/, /^dist\/.*record(er|ed)/];
  for (const pattern of wrong) expect([String(pattern), listed.filter((path) => pattern.test(path))]).toEqual([String(pattern), []]);
  const lock = (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, { dev?: boolean }> }).packages;
  const shipped = new Set(Object.entries(lock).filter(([, entry]) => !entry.dev).map(([path]) => path.split('node_modules/').at(-1)));
  const packages = [...new Set(listed.flatMap((path) => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/@]+)\/package\.json$/.exec(path)?.[1] ?? []))];
  expect(packages.length).toBeGreaterThan(50);
  expect(packages.filter((name) => !shipped.has(name))).toEqual([]);
  expect(packages.filter((name) => /^(react|react-dom|typescript|vite|electron|@mantine\/.*)$/.test(name))).toEqual([]);
});

test('B03 no file of ours names the machine it was built on, or holds a key', () => {
  const own = listed.filter((path) => /^(dist|assets)\//.test(path) || path === 'package.json').filter((path) => /\.(m?js|cjs|json|html|css)$/.test(path));
  expect(own.length).toBeGreaterThan(30);
  for (const path of own) {
    const text = readFileSync(join(spread, 'app.asar', path), 'utf8');
    expect([path, text.includes(root.slice(0, -1)), /-----BEGIN [A-Z ]*PRIVATE KEY-----\n[A-Za-z0-9+/=]{20}/.test(text), /sourceMappingURL=/.test(text)]).toEqual([path, false, false, false]);
  }
});

test('B03 every package that main and its workers import can be read from the package', () => {
  const names = [...importedPackages(join(spread, 'app.asar', 'dist', 'electron'))].filter((name) => name !== 'electron-updater');
  expect(names.length).toBeGreaterThan(10);
  const script = `for (const name of ${JSON.stringify(names)}) await import(name);`;
  const file = join(spread, 'app.asar', 'dist', 'electron', 'import-all.mjs');
  writeFileSync(file, script);
  const read = spawnSync(join(spread, 'node', 'node'), [file], { encoding: 'utf8' });
  rmSync(file);
  expect([read.status, read.stderr]).toEqual([0, '']);
});

test('B04 addons, the catalog and the first-party servers are files beside the archive', () => {
  for (const path of ['assets/servers/environment/server.mjs', 'assets/catalog/environment.json', `node_modules/better-sqlite3/prebuilds/linux-${arch}.node`]) {
    expect([path, existsSync(join(resources, 'app.asar.unpacked', path)), listed.includes(path)]).toEqual([path, true, true]);
  }
});

test('B05 the Node of the package is for its system and runs as the pinned version', () => {
  const node = join(resources, 'node', 'node');
  expect(programKind(readFileSync(node).subarray(0, 4096))).toBe(`linux-${arch}`);
  expect(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()).toBe(`v${(JSON.parse(readFileSync(join(root, 'packaging/node-binaries.json'), 'utf8')) as { version: string }).version}`);
  expect(readFileSync(join(resources, 'node', 'LICENSE'), 'utf8')).toMatch(/^Node\.js is licensed/);
});

test('B08 the list of licences ships', () => {
  expect(listed).toContain('dist/renderer/licences.json');
});

test('B11 the feed and its key are in the package, and where electron-updater looks', () => {
  expect(JSON.parse(readFileSync(join(spread, 'app.asar', 'package.json'), 'utf8'))).toMatchObject({ version: expect.any(String), gantry: { updateFeed: { url: FEED.GANTRY_UPDATE_URL, publicKey: FEED.GANTRY_UPDATE_PUBLIC_KEY } } });
  expect(load(readFileSync(join(resources, 'app-update.yml'), 'utf8'))).toMatchObject({ provider: 'generic', url: FEED.GANTRY_UPDATE_URL });
});

test('B06 what is in the package starts: the host is ready and connects the environment app with the Node of the package', async () => {
  const shell = await openRecordedElectron(mkdtempSync(join(tmpdir(), 'gantry-packed-')), spread, { APPIMAGE: join(work, 'Gantry.AppImage'), XDG_CONFIG_HOME: join(work, 'config') });
  const value = async <T>(name: string, input: object): Promise<T> => {
    const answer = await shell.request(name, input);
    if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.error)}`);
    return answer.value as T;
  };
  try {
    expect(await value('health:ready', {})).toEqual({ ready: true });
    expect((await value<{ entries: unknown[] }>('market:search', { query: '' })).entries.length).toBeGreaterThan(5);
    const { launch } = await value<{ launch: { command: string; args: string[] } }>('servers:preview', { spec: { kind: 'builtin', name: 'environment' } });
    expect(launch).toMatchObject({ command: join(spread, 'node', 'node'), args: [join(spread, 'app.asar.unpacked', 'assets', 'servers', 'environment', 'server.mjs')] });
    await value('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
    expect(await value('servers:connect', { serverId: 'environment' })).toMatchObject({ state: 'ready' });
    const tried = await value<{ state: string; runId: string }>('calls:try', { capabilityId: 'mcp:environment:tool:get_versions', input: {}, wait: true });
    expect(tried.state).toBe('completed');
    expect(await value('runs:verify', { runId: tried.runId })).toMatchObject({ ok: true });
    expect((await value<{ licences: unknown[] }>('about:licences', {})).licences.length).toBeGreaterThan(100);
    expect(await shell.act<{ status: number }>('page', 'app://gantry/index.html')).toMatchObject({ status: 200 });
    // a package with a feed can update itself, has looked nowhere, and can start with the session
    expect(await value('shell:get', {})).toMatchObject({ shell: { can: { update: true, launchAtLogin: true }, updateFeed: FEED.GANTRY_UPDATE_URL, update: { phase: 'idle', checkedAt: null }, launchAtLogin: false } });
    expect(await value('shell:setLaunchAtLogin', { on: true })).toMatchObject({ shell: { launchAtLogin: true } });
    expect(readFileSync(join(work, 'config', 'autostart', 'gantry.desktop'), 'utf8')).toContain('Gantry.AppImage');
    expect((await shell.act<{ tray: { image: string }[] }>('desktop')).tray[0]?.image).toBe(join(spread, 'app.asar', 'assets', 'icons', 'tray-light.png'));
    expect(existsSync(join(spread, 'app.asar', 'assets', 'icons', 'tray-light.png'))).toBe(true);
  } finally {
    await shell.close();
  }
  expect(await ended(shell.child)).toBe(0);
});
