import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LocalProxy } from './fixtures/local-proxy.ts';
import { LocalRegistry } from './fixtures/local-registry.ts';
import { publishApp } from './fixtures/published-app.ts';
import { RemoteApp } from './fixtures/remote-app.ts';
import { TestAuthority } from './fixtures/test-authority.ts';
import { bridgeTo } from '../main/shell/shell-under-test.ts';
import type { InputOf, OutputOf, RequestName } from '../shared/contract/contract.ts';
import type { Fault } from '../shared/fault.ts';
import type { Result } from '../shared/result.ts';
import { Gantry } from './support/gantry.ts';

const REGISTRY = 'https://registry.example/';
const REMOTE = 'https://mcp.example/mcp';
const LOGIN = { user: 'ann', password: 'proxy-Password-4711' };
const TOKEN = 'npm-token-of-the-mirror-42';

const authority = new TestAuthority();
const certificate = authority.issue({ name: 'registry.example', altNames: ['registry.example', 'mcp.example'] });
let gantry: Gantry;
let proxy: LocalProxy;
let registry: LocalRegistry;
let remote: RemoteApp;
let home: Readonly<Record<string, string>>;
let window: ReturnType<typeof bridgeTo> | null = null;

beforeEach(async () => {
  gantry = new Gantry();
  registry = await LocalRegistry.start({ tls: certificate, address: REGISTRY, token: TOKEN });
  remote = await RemoteApp.start(certificate);
  proxy = await LocalProxy.start({ login: LOGIN, leadsTo: { 'registry.example': { port: registry.port }, 'mcp.example': { port: remote.port } } });
  // nothing of this computer's own npm configuration
  home = { npm_config_userconfig: join(gantry.dataDir, 'no-npmrc'), npm_config_fetch_retries: '0', GANTRY_PASSPHRASE: 'a passphrase of a test' };
});
afterEach(async () => {
  window?.close();
  await gantry.dispose();
  await Promise.all([proxy.close(), registry.close(), remote.close()]);
});

const start = async (more: Readonly<Record<string, string>> = {}): Promise<void> => {
  window?.close();
  const address = new URL(await gantry.start([], { ...home, ...more }));
  window = bridgeTo({ port: Number(address.port), token: address.hash.replace('#token=', '') });
};
/** As the window asks. */
const rpc = <N extends RequestName>(name: N, input: InputOf<N>): Promise<Result<OutputOf<N>, Fault>> => window!.request(name, input) as Promise<Result<OutputOf<N>, Fault>>;
const ask = async <N extends RequestName>(name: N, input: InputOf<N>): Promise<OutputOf<N>> => {
  const answer = await rpc(name, input);
  if (!answer.ok) throw new Error(`${name}: ${answer.error.code}: ${answer.error.message}`);
  return answer.value;
};

const everyFile = (folder: string): readonly string[] => readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))).filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());

const addApp = () => rpc('servers:add', { serverId: 'app', spec: { kind: 'npm', package: 'far-app', version: '1.0.0' } });
const byProxy = async (): Promise<void> => {
  await ask('settings:set', { proxyMode: 'manual', proxyAddress: proxy.url, proxyUser: LOGIN.user, npmRegistry: REGISTRY });
  await ask('network:setPassword', { password: LOGIN.password });
  await ask('network:setToken', { token: TOKEN });
};
const trust = async (): Promise<string> => {
  const path = join(gantry.dataDir, 'company.pem');
  writeFileSync(path, authority.cert);
  await ask('network:setCertificate', { path });
  return path;
};

test('NW07 NW10 NW15 NW17 proxy, certificate and mirror are set while Gantry runs, tested step by step, and carry an installation and a remote server', async () => {
  publishApp(registry, 'far-app', '1.0.0');
  await start();
  await byProxy();

  // the test and the installation fail by the same cause, which names its setting
  const { test: before } = await ask('network:test', { what: 'npm' });
  expect(before).toMatchObject({ ok: false, target: REGISTRY, fault: { code: 'certificate_untrusted', details: { why: 'unknown_issuer' } } });
  expect(before.steps.map(({ step, ok }) => `${step} ${ok}`)).toEqual(['route true', 'connect true', 'proxy true', 'tls false']);
  expect(before.steps.at(-1)?.facts).toMatchObject({ issuer: 'Test Company Root', subject: 'registry.example' });
  expect(await addApp()).toMatchObject({ ok: false, error: { code: 'certificate_untrusted', field: 'spec.package', remedy: expect.stringContaining('Company certificate') } });
  await ask('servers:add', { serverId: 'far', spec: { kind: 'http', url: REMOTE } });
  expect(await ask('servers:connect', { serverId: 'far' })).toMatchObject({ state: 'unavailable', code: 'certificate_untrusted' });
  expect(registry.requests).toEqual([]);
  expect(remote.asked).toEqual([]);

  // the copy holds when the file has gone
  const path = await trust();
  renameSync(path, `${path}.away`);
  const { test: after } = await ask('network:test', { what: 'npm' });
  expect(after.fault).toBeNull();
  expect(after.steps.map(({ step, ok }) => `${step} ${ok}`)).toEqual(['route true', 'connect true', 'proxy true', 'tls true', 'answer true']);
  expect(after.steps.find(({ step }) => step === 'route')?.facts).toMatchObject({ via: proxy.url, signsIn: true });
  expect(after.steps.find(({ step }) => step === 'tls')?.facts).toMatchObject({ trustedBy: 'company', root: 'Test Company Root' });
  expect(after.steps.at(-1)?.facts).toMatchObject({ status: 200, ping: true });

  // a server that had failed by the way comes by itself
  await vi.waitFor(async () => expect((await ask('servers:get', { serverId: 'far' })).server.state).toBe('ready'), { timeout: 90_000, interval: 300 });
  expect(await addApp()).toMatchObject({ ok: true });
  expect((await ask('servers:get', { serverId: 'app' })).server.installation).toMatchObject({ registry: REGISTRY, version: '1.0.0' });
  expect(new Set(proxy.connects)).toEqual(new Set(['registry.example:443', 'mcp.example:443']));
  expect(proxy.seen.every(({ signedIn }) => signedIn)).toBe(true);

  const { addresses, contacted } = await ask('network:addresses', {});
  expect(addresses.filter(({ purpose }) => purpose === 'npm' || purpose === 'remote_server')).toEqual([{ purpose: 'npm', addresses: [REGISTRY] }, { purpose: 'remote_server', addresses: [REMOTE] }]);
  expect(new Set(contacted.map(({ purpose, host, via }) => `${purpose} ${host} ${via}`))).toEqual(new Set(['connection_test', 'npm'].map((purpose) => `${purpose} registry.example ${proxy.url}`).concat(`remote_server mcp.example ${proxy.url}`)));

  // all of it is found again after a restart
  await gantry.stop();
  await start();
  await vi.waitFor(async () => expect((await ask('servers:get', { serverId: 'far' })).server.state).toBe('ready'), { timeout: 90_000, interval: 300 });
  expect((await gantry.ask('network:get', {})).network).toMatchObject({ proxy: { https: proxy.url, passwordSet: true, problem: null }, certificate: { name: path, certificates: [{ subject: 'CN=Test Company Root' }] }, certificateProblem: null, npm: { registry: REGISTRY, from: 'settings', tokenSet: true } });
});

test('NW05 NW08 a password that the proxy refuses is told; one that is right is sealed, shown nowhere, and belongs to one proxy and user', async () => {
  await start();
  expect(await rpc('network:setPassword', { password: 'x' })).toMatchObject({ ok: false, error: { code: 'conflict', field: '/password' } });
  for (const [change, field] of [[{ proxyMode: 'manual' }, '/proxyAddress'], [{ proxyAddress: 'socks5://p:1' }, '/proxyAddress'], [{ proxyAddress: 'http://a:b@p:1' }, '/proxyAddress'], [{ proxyAddress: 'http://p:1/x' }, '/proxyAddress'], [{ proxyAddress: '::' }, '/proxyAddress']] as const) {
    expect(await rpc('settings:set', change)).toMatchObject({ ok: false, error: { code: 'invalid_request', field, remedy: expect.any(String) } });
  }
  await byProxy();
  await trust();
  await ask('network:setPassword', { password: 'not-the-password' });
  const { test: refused } = await ask('network:test', { what: 'proxy' });
  expect(refused).toMatchObject({ ok: false, fault: { code: 'proxy_refused', details: { status: 407, proxy: proxy.url } } });
  expect(refused.steps.at(-1)).toMatchObject({ step: 'proxy', ok: false, facts: { status: 407 } });
  expect(await addApp()).toMatchObject({ ok: false, error: { code: 'proxy_refused', remedy: expect.stringContaining('Settings, Network') } });

  await ask('network:setPassword', { password: LOGIN.password });
  expect((await ask('network:test', { what: 'proxy' })).test.ok).toBe(true);
  const said = JSON.stringify([await ask('network:get', {}), await ask('settings:get', {}), await ask('secrets:list', {}), await ask('network:addresses', {}), refused]);
  const signIn = Buffer.from(`${LOGIN.user}:${LOGIN.password}`).toString('base64');
  const held = everyFile(gantry.dataDir).map((path) => readFileSync(path, 'latin1')).join('');
  for (const secret of [LOGIN.password, TOKEN, signIn]) expect([said.includes(secret), held.includes(secret)]).toEqual([false, false]);

  await ask('settings:set', { proxyUser: 'bob' });
  expect((await ask('network:get', {})).network.proxy.passwordSet).toBe(false);
});

test('NW14 NW16 a mirror is https or on this computer, its token is for it alone, and what it lacks is told with its name', async () => {
  publishApp(registry, 'far-app', '1.2.0');
  await start();
  for (const npmRegistry of ['http://registry.example/', 'ftp://x/', 'no address', 'https://u:p@registry.example/']) {
    expect(await rpc('settings:set', { npmRegistry })).toMatchObject({ ok: false, error: { code: 'invalid_request', field: '/npmRegistry' } });
  }
  expect(await rpc('settings:set', { npmScopes: [{ scope: '@acme', registry: 'http://far.example/' }] })).toMatchObject({ ok: false, error: { field: '/npmScopes/0/registry' } });
  await byProxy();
  await trust();
  expect(await addApp()).toMatchObject({ ok: false, error: { code: 'package_not_found', field: 'spec.version', message: expect.stringContaining(REGISTRY), details: { registry: REGISTRY, versions: ['1.2.0'] } } });
  expect(await rpc('servers:add', { serverId: 'none', spec: { kind: 'npm', package: 'no-such-app' } })).toMatchObject({ ok: false, error: { code: 'package_not_found', message: expect.stringContaining(REGISTRY) } });

  // another registry, on this computer and without a proxy: the token does not go there
  const near = await LocalRegistry.start();
  const scoped = await LocalRegistry.start();
  try {
    publishApp(near, 'near-app', '1.0.0');
    publishApp(scoped, '@acme/app', '1.0.0');
    await ask('settings:set', { npmRegistry: near.url, npmScopes: [{ scope: '@acme', registry: scoped.url }] });
    expect((await ask('network:get', {})).network.npm).toEqual({ registry: near.url, from: 'settings', scopes: [{ scope: '@acme', registry: scoped.url }], tokenSet: false });
    await ask('servers:add', { serverId: 'near', spec: { kind: 'npm', package: 'near-app' } });
    await ask('servers:add', { serverId: 'acme', spec: { kind: 'npm', package: '@acme/app' } });
    expect((await ask('servers:get', { serverId: 'acme' })).server.installation?.registry).toBe(scoped.url);
    // what was delivered under a version holds, whoever delivers it later
    near.publish({ name: 'near-app', version: '1.0.0', manifest: { bin: 'cli.js' }, files: { 'cli.js': 'other' } });
    writeFileSync(join(gantry.dataDir, 'apps', 'near', 'node_modules', 'near-app', 'cli.js'), 'changed');
    expect(await ask('servers:connect', { serverId: 'near' })).toMatchObject({ state: 'ready' });
  } finally {
    await Promise.all([near.close(), scoped.close()]);
  }
  await ask('settings:set', { npmRegistry: '', npmScopes: [] });
  await gantry.stop();
  await start({ npm_config_registry: 'http://127.0.0.1:9/' });
  expect((await ask('network:get', {})).network.npm).toMatchObject({ registry: 'http://127.0.0.1:9/', from: 'npm_configuration' });
});

test('NW03 NW06 the proxy of the system is used, straight away again when it is switched off; its password is masked', async () => {
  await start({ HTTPS_PROXY: `http://${LOGIN.user}:${LOGIN.password}@127.0.0.1:${proxy.port}`, NO_PROXY: 'nowhere.example' });
  await ask('settings:set', { npmRegistry: REGISTRY });
  await ask('network:setToken', { token: TOKEN });
  await trust();
  const { network } = await ask('network:get', {});
  expect(network.proxy).toMatchObject({ mode: 'system', https: proxy.url, bypass: ['nowhere.example'], from: ['HTTPS_PROXY', 'NO_PROXY'] });
  expect(JSON.stringify(network)).not.toContain(LOGIN.password);
  expect((await ask('network:test', { what: 'npm' })).test).toMatchObject({ ok: true });
  await ask('settings:set', { proxyMode: 'off' });
  const { test: straight } = await ask('network:test', { what: 'npm' });
  expect(straight).toMatchObject({ ok: false, fault: { code: 'connection_failed' } });
  expect(straight.steps[0]?.facts).toMatchObject({ via: null, because: 'no_proxy_set' });
  expect(straight.steps.at(-1)).toMatchObject({ step: 'dns', ok: false });
});
