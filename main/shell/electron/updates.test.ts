import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import electronUpdater from 'electron-updater';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LocalProxy } from '../../../e2e/fixtures/local-proxy.ts';
import { TestAuthority } from '../../../e2e/fixtures/test-authority.ts';
import { Outbound, type ContactNote } from '../../network/outbound.ts';
import { parseProxyAddress } from '../../network/proxy-address.ts';
import { DIRECT } from '../../network/proxy-route.ts';
import { askOver, setUpdater, updaterFor } from './open-updater.ts';
import { OutboundExecutor } from './outbound-executor.ts';
import { SignedFeed, isSignedBy } from './signed-feed.ts';
import { Updates } from './updates.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const APP = Buffer.alloc(200_000, 'gantry');

/** The place where releases lie, as a real server; each test may spoil it. */
const feed = { files: new Map<string, Buffer>(), asked: [] as { path: string; headers: IncomingHttpHeaders }[] };
let server: Server;
let url = '';
beforeAll(async () => {
  server = createServer((req, res) => {
    feed.asked.push({ path: req.url ?? '', headers: req.headers });
    const file = feed.files.get((req.url ?? '').split('?')[0] ?? '');
    res.writeHead(file ? 200 : 404, { 'content-length': file?.length ?? 0 });
    res.end(file);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/releases`;
});
afterAll(() => server.close());

const release = (version: string, sha512 = createHash('sha512').update(APP).digest('base64')): string =>
  `version: ${version}\nfiles:\n  - url: Gantry.AppImage\n    sha512: ${sha512}\n    size: ${APP.length}\npath: Gantry.AppImage\nsha512: ${sha512}\nreleaseDate: '2026-11-30T00:00:00.000Z'\n`;
const publish = (text: string, signature = sign(null, Buffer.from(text), privateKey).toString('base64')): void => {
  feed.files = new Map([['/releases/latest-linux.yml', Buffer.from(text)], ['/releases/latest-linux.yml.sig', Buffer.from(`${signature}\n`)], ['/releases/Gantry.AppImage', APP]]);
};

const straight = new Outbound({ config: () => Promise.resolve(DIRECT) });

const openUpdates = (publicKeyOfApp = key, version = '0.1.0', outbound = straight, from = url) => {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-update-'));
  // the builder writes it into the package
  writeFileSync(join(folder, 'app-update.yml'), 'provider: generic\nurl: https://updates.example/\nupdaterCacheDirName: gantry-updater\n');
  process.env['APPIMAGE'] = join(folder, 'old.AppImage');
  const updater = new electronUpdater.AppImageUpdater(null, {
    version, name: 'gantry', isPackaged: true, appUpdateConfigPath: join(folder, 'app-update.yml'), userDataPath: folder, baseCachePath: folder,
    whenReady: () => Promise.resolve(), relaunch: () => {}, quit: () => {}, onQuit: () => {},
  });
  askOver(updater, new OutboundExecutor(outbound, from));
  setUpdater(updater);
  updater.setFeedURL({ provider: 'custom', updateProvider: SignedFeed, url: from, publicKey: publicKeyOfApp } as unknown as Parameters<typeof updater.setFeedURL>[0]);
  let installed = 0;
  const installer = Object.assign(Object.create(updater) as typeof updater, { quitAndInstall: () => void (installed += 1) });
  const phases: string[] = [];
  const updates: Updates = new Updates({ updater: installer, now: () => 7, onChange: () => phases.push(updates.state.phase) });
  return { updates, phases, installed: () => installed };
};

beforeEach(() => {
  feed.asked = [];
  publish(release('0.2.0'));
});

test('W20 looking, fetching and restarting are three acts, and none follows from another', async () => {
  const { updates, phases, installed } = openUpdates();
  expect(feed.asked).toEqual([]);
  expect(await updates.check()).toMatchObject({ ok: true });
  expect(updates.state).toEqual({ phase: 'available', version: '0.2.0', checkedAt: 7 });
  expect(feed.asked.map(({ path }) => path)).toEqual(['/releases/latest-linux.yml', '/releases/latest-linux.yml.sig']);
  expect(await updates.download()).toEqual({ ok: true, value: undefined });
  expect(updates.state).toEqual({ phase: 'downloaded', version: '0.2.0' });
  expect(new Set(phases)).toEqual(new Set(['checking', 'available', 'downloading', 'downloaded']));
  expect(installed()).toBe(0);
});

test('W23 a restart ends the host before the installer takes over, and needs a fetched version', async () => {
  const { updates, installed } = openUpdates();
  const order: string[] = [];
  expect(await updates.restart(async () => void order.push('end'))).toMatchObject({ ok: false, error: { code: 'conflict' } });
  await updates.check();
  expect(await updates.restart(async () => void order.push('end'))).toMatchObject({ ok: false, error: { code: 'conflict' } });
  await updates.download();
  expect(await updates.restart(async () => void order.push(`end, installed ${installed()}`))).toMatchObject({ ok: true });
  expect([order, installed()]).toEqual([['end, installed 0'], 1]);
});

test('W20 an equal or an older version is none', async () => {
  for (const version of ['0.1.0', '0.0.9', '0.2.0-beta.1']) {
    publish(release(version));
    const { updates } = openUpdates(key, version === '0.2.0-beta.1' ? '0.2.0' : '0.1.0');
    await updates.check();
    expect([version, updates.state]).toEqual([version, { phase: 'current', checkedAt: 7 }]);
  }
});

test('W21 a feed without signature, with a foreign or a broken one, or changed after signing is not believed (M17)', async () => {
  const other = generateKeyPairSync('ed25519').privateKey;
  const signedBefore = sign(null, Buffer.from(release('0.2.0')), privateKey).toString('base64');
  const spoilt: readonly (() => void)[] = [
    () => feed.files.delete('/releases/latest-linux.yml.sig'),
    () => publish(release('0.2.0'), sign(null, Buffer.from(release('0.2.0')), other).toString('base64')),
    () => publish(release('9.9.9'), signedBefore),
    () => publish(release('0.2.0'), 'not base64 at all'),
    () => publish(release('0.2.0'), ''),
    () => feed.files.delete('/releases/latest-linux.yml'),
  ];
  for (const spoil of spoilt) {
    publish(release('0.2.0'));
    spoil();
    const { updates } = openUpdates();
    expect(await updates.check()).toMatchObject({ ok: false, error: { code: 'update_failed', details: { step: 'check' } } });
    expect(updates.state.phase).toBe('failed');
    expect(await updates.download()).toMatchObject({ ok: false, error: { code: 'conflict' } });
  }
  expect(isSignedBy('AAAA', 'x', 'AAAA')).toBe(false);
});

test('W21 a file that is not the one that the feed names is not kept', async () => {
  publish(release('0.2.0', createHash('sha512').update('another').digest('base64')));
  const { updates, installed } = openUpdates();
  await updates.check();
  expect(await updates.download()).toMatchObject({ ok: false, error: { code: 'update_failed', message: expect.stringMatching(/sha512 checksum mismatch/), details: { step: 'download' } } });
  expect(await updates.restart(() => Promise.resolve())).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(installed()).toBe(0);
});

test('W22 a look sends no identifier', async () => {
  const { updates } = openUpdates();
  await updates.check();
  for (const { headers, path } of feed.asked) expect(Object.keys(headers).filter((name) => !['host', 'connection', 'accept', 'user-agent', 'cache-control', 'accept-encoding'].includes(name)).concat(path.includes('?') ? [path] : [])).toEqual([]);
});

test('W20 only a package with a feed and its key updates itself, and not one that the system owns', () => {
  const manifest = { gantry: { updateFeed: { url: 'https://updates.example/', publicKey: key } } };
  const facts = { packaged: true, platform: 'linux' as const, env: { APPIMAGE: '/x.AppImage' }, manifest };
  expect(updaterFor(facts)).toMatchObject({ feed: { url: 'https://updates.example/' } });
  expect(updaterFor({ ...facts, packaged: false })).toEqual({ reason: 'not_packaged' });
  expect(updaterFor({ ...facts, env: {} })).toEqual({ reason: 'system_package' });
  for (const broken of [{}, null, { gantry: {} }, { gantry: { updateFeed: { url: 'http://updates.example/', publicKey: key } } }, { gantry: { updateFeed: { url: 'https://updates.example/' } } }]) {
    expect(updaterFor({ ...facts, manifest: broken })).toEqual({ reason: 'no_feed' });
  }
  expect(new Updates({ updater: null, reason: 'no_feed', now: () => 0, onChange: () => {} }).state).toEqual({ phase: 'none', reason: 'no_feed' });
});

test('NW04 NW10 NW20 updates go by the way of the host out: the proxy, the company certificate, and the record of whom they contacted', async () => {
  const authority = new TestAuthority();
  const secure = createSecureServer(authority.issue({ name: 'updates.example', altNames: ['updates.example'] }), (req, res) => {
    const file = feed.files.get((req.url ?? '').split('?')[0] ?? '');
    res.writeHead(file ? 200 : 404, { 'content-length': file?.length ?? 0 });
    res.end(file);
  });
  await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done));
  const proxy = await LocalProxy.start({ login: { user: 'ann', password: 'pw' }, leadsTo: { 'updates.example': { port: (secure.address() as AddressInfo).port } } });
  const address = parseProxyAddress(`http://ann:pw@127.0.0.1:${proxy.port}`);
  if (!address.ok) throw new Error(address.error.message);
  const notes: ContactNote[] = [];
  const way = (extraRoots: readonly string[]) => new Outbound({ config: () => Promise.resolve({ ...DIRECT, proxies: { http: address.value, https: address.value }, extraRoots }), onContact: (note) => notes.push(note) });
  try {
    const untrusting = openUpdates(key, '0.1.0', way([]), 'https://updates.example/releases');
    expect(await untrusting.updates.check()).toMatchObject({ ok: false, error: { code: 'update_failed' } });
    const { updates } = openUpdates(key, '0.1.0', way([authority.cert]), 'https://updates.example/releases');
    expect(await updates.check()).toMatchObject({ ok: true });
    expect(await updates.download()).toEqual({ ok: true, value: undefined });
    expect(new Set(proxy.connects)).toEqual(new Set(['updates.example:443']));
    expect(new Set(notes.map(({ purpose, host, via }) => `${purpose} ${host} ${via}`))).toEqual(new Set([`update updates.example ${proxy.url}`]));
  } finally {
    secure.close();
    await proxy.close();
  }
});
