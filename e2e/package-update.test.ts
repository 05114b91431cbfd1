import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { InputOf, OutputOf, RequestName } from '../shared/contract/contract.ts';
import type { Fault } from '../shared/fault.ts';
import type { Result } from '../shared/result.ts';
import { createHost, type Host } from '../main/host.ts';
import { LocalRegistry } from './fixtures/local-registry.ts';

const assets = fileURLToPath(new URL('../assets', import.meta.url));
const AGENT = 'agent:default';
const SECRET = 'a-token-of-the-app-77';

/** A server without dependencies; `stays` is the same in each version, `moves` says another thing. */
const program = (version: string, moves: string): string => `#!/usr/bin/env node
const tools = [
  { name: 'stays', description: 'Always the same.', inputSchema: { type: 'object' } },
  { name: 'moves', description: ${JSON.stringify(moves)}, inputSchema: { type: 'object' } },
];
const answers = {
  initialize: (p) => ({ protocolVersion: p.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'app', version: ${JSON.stringify(version)} } }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': (p) => ({ content: [{ type: 'text', text: p.name + ' of ${version}' }] }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...(answer ? { result: answer(params) } : { error: { code: -32601, message: 'Method not found' } }) }) + '\\n');
}).on('close', () => process.exit(0));
`;
const publish = (registry: LocalRegistry, version: string, moves: string): string =>
  registry.publish({ name: 'app', version, manifest: { bin: 'cli.js' }, files: { 'cli.js': { text: program(version, moves), executable: true } } });

let registry: LocalRegistry;
let dataDir: string;
let host: Host;
const open = async (assetsDir = assets): Promise<void> => {
  const created = await createHost({ dataDir, shell: 'test', approvals: 'script', assetsDir });
  if (!created.ok) throw new Error(created.error.message);
  host = created.value;
};
const rpc = async <N extends RequestName>(name: N, input: InputOf<N>): Promise<Result<OutputOf<N>, Fault>> => (await host.handle(name, input, { kind: 'script', canDecide: true })) as Result<OutputOf<N>, Fault>;
const ask = async <N extends RequestName>(name: N, input: InputOf<N>): Promise<OutputOf<N>> => {
  const answer = await rpc(name, input);
  if (!answer.ok) throw new Error(`${name}: ${answer.error.code}: ${answer.error.message}`);
  return answer.value;
};
const get = async (serverId: string) => (await ask('servers:get', { serverId })).server;

beforeEach(async () => {
  registry = await LocalRegistry.start();
  dataDir = mkdtempSync(join(tmpdir(), 'gantry-update-'));
  vi.stubEnv('npm_config_registry', registry.url);
  vi.stubEnv('npm_config_fetch_retries', '0');
  vi.stubEnv('GANTRY_KEYCHAIN', 'off');
});
afterEach(async () => {
  await host.close();
  await registry.close();
  vi.unstubAllEnvs();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Version 1.0.0 installed, connected, both tools reviewed and granted. */
const grantedApp = async (): Promise<void> => {
  publish(registry, '1.0.0', 'Moves things.');
  await open();
  await ask('secrets:unlock', { passphrase: 'a long passphrase for tests' });
  await ask('servers:add', { serverId: 'app', spec: { kind: 'npm', package: 'app', version: '1.0.0', args: ['--plain'] }, env: { TOKEN: { secret: SECRET } } });
  expect(await ask('servers:connect', { serverId: 'app' })).toMatchObject({ state: 'ready' });
  for (const name of ['stays', 'moves']) await ask('capabilities:review', { capabilityId: `mcp:app:tool:${name}`, tier: 'read_only', admit: true });
  await ask('access:set', { principal: AGENT, serverId: 'app', allowed: true });
};
const grants = async () => Object.fromEntries((await ask('capabilities:list', { serverId: 'app' })).capabilities.map((one) => [one.name, { granted: one.grantedTo, review: one.needsReview }]));

test('H11 an update installs the other version, runs nothing of it before consent, and keeps the grants of what did not change', async () => {
  await grantedApp();
  const before = await get('app');
  const integrity = publish(registry, '2.0.0', 'Moves things, and deletes the rest.');
  expect(await ask('servers:update', { serverId: 'app', version: '2.0.0' })).toMatchObject({ launchChanged: true });
  await vi.waitFor(async () => expect(await get('app')).toMatchObject({ state: 'unavailable', code: 'consent_required' }), { timeout: 90_000 });

  const waiting = await get('app');
  expect(waiting).toMatchObject({ installation: { version: '2.0.0', integrity }, consentedFingerprint: before.launch.fingerprint, connection: null, launch: { package: { version: '2.0.0' } } });
  expect(waiting.launch).toMatchObject({ args: [expect.stringContaining('cli.js'), '--plain'], env: { TOKEN: { secretRef: expect.any(String) } } });
  expect(waiting.launch.fingerprint).not.toBe(before.launch.fingerprint);
  // what was agreed to is on record whole, so that old and new can be shown side by side
  expect(waiting.facts.find((fact) => fact.step === 'consented')!.data['launch']).toEqual(before.launch);
  expect(JSON.stringify(waiting)).not.toContain(SECRET);
  expect(await ask('calls:try', { capabilityId: 'mcp:app:tool:stays', input: {}, wait: true })).toMatchObject({ state: 'failed' });

  expect(await ask('servers:connect', { serverId: 'app', consent: before.launch.fingerprint })).toMatchObject({ state: 'unavailable', code: 'consent_required' });
  expect(await ask('servers:connect', { serverId: 'app', consent: waiting.launch.fingerprint })).toMatchObject({ state: 'ready' });
  expect((await get('app')).connection?.serverInfo.version).toBe('2.0.0');
  expect(await grants()).toEqual({ stays: { granted: [AGENT], review: false }, moves: { granted: [], review: true } });
  expect(await ask('calls:try', { capabilityId: 'mcp:app:tool:stays', input: {}, wait: true })).toMatchObject({ state: 'completed', class: 'ok' });
});

test('H12 an update that fails, is refused or stopped leaves the former version connected, with its secrets and grants', async () => {
  await grantedApp();
  const { pid } = (await get('app')).connection!;
  publish(registry, '2.0.0', 'Other.');
  expect(await rpc('servers:update', { serverId: 'app', version: '9.9.9' })).toMatchObject({ ok: false, error: { code: 'package_not_found' } });
  registry.behave('app', 'other_bytes');
  expect(await rpc('servers:update', { serverId: 'app', version: '2.0.0' })).toMatchObject({ ok: false, error: { code: 'integrity_mismatch' } });

  registry.behave('app', 'stalls');
  const stopped = rpc('servers:update', { serverId: 'app', version: '2.0.0' });
  await registry.untilStalled();
  expect(await get('app')).toMatchObject({ state: 'installing' });
  expect(await rpc('servers:update', { serverId: 'app', version: '2.0.0' })).toMatchObject({ ok: false, error: { code: 'conflict' } });
  // what runs goes on while the other version is fetched
  expect(await ask('calls:try', { capabilityId: 'mcp:app:tool:stays', input: {}, wait: true })).toMatchObject({ state: 'completed' });
  await ask('servers:cancelInstall', { serverId: 'app' });
  expect(await stopped).toMatchObject({ ok: false, error: { code: 'install_cancelled' } });

  expect(await get('app')).toMatchObject({ state: 'ready', spec: { version: '1.0.0' }, installation: { version: '1.0.0' }, connection: { pid, serverInfo: { version: '1.0.0' } } });
  expect((await ask('secrets:list', {})).secrets).toHaveLength(1);
  expect(await grants()).toEqual({ stays: { granted: [AGENT], review: false }, moves: { granted: [AGENT], review: false } });
  // it also starts again: its files are those of its lock
  await ask('servers:disable', { serverId: 'app' });
  expect(await ask('servers:connect', { serverId: 'app' })).toMatchObject({ code: 'disabled' });
  await ask('servers:enable', { serverId: 'app' });
  await vi.waitFor(async () => expect(await get('app')).toMatchObject({ state: 'ready' }), { timeout: 90_000 });
});

test('H13 a built-in app that changed with Gantry is described anew at the start and asks for consent; one that only moved does not', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'gantry-assets-'));
  cpSync(assets, copy, { recursive: true });
  await open();
  const { serverId } = await ask('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
  expect(await ask('servers:connect', { serverId })).toMatchObject({ state: 'ready' });
  await ask('access:set', { principal: AGENT, serverId, allowed: true });
  const granted = (await get(serverId)).grantedCount;
  await host.close();

  await open(copy);
  await vi.waitFor(async () => expect(await get(serverId)).toMatchObject({ state: 'ready', installation: { dir: join(copy, 'servers', 'environment') } }), { timeout: 90_000 });
  await host.close();

  const file = join(copy, 'servers', 'environment', 'server.mjs');
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n// another release\n`);
  await open(copy);
  await vi.waitFor(async () => expect(await get(serverId)).toMatchObject({ state: 'unavailable', code: 'consent_required' }), { timeout: 90_000 });
  const renewed = await get(serverId);
  expect(renewed.facts.find((fact) => fact.step === 'update')!.data).toMatchObject({ by: 'update of Gantry', after: renewed.launch.fingerprint });
  expect(await ask('servers:connect', { serverId, consent: renewed.launch.fingerprint })).toMatchObject({ state: 'ready' });
  expect((await get(serverId)).grantedCount).toBe(granted);
  rmSync(copy, { recursive: true, force: true });
});
