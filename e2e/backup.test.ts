import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { processesWith } from './support/census.ts';
import { LocalRegistry } from './fixtures/local-registry.ts';
import { publishApp } from './fixtures/published-app.ts';
import { Gantry } from './support/gantry.ts';

const fixture = fileURLToPath(new URL('./fixtures/recording-server.mjs', import.meta.url));
const PASSPHRASE = 'correct horse battery staple';
const STORE = { GANTRY_PASSPHRASE: 'a long passphrase for tests' };
vi.setConfig({ testTimeout: 240_000 });

let first: Gantry;
let second: Gantry;
let folder: string;
let file: string;
beforeEach(() => {
  [first, second] = [new Gantry(), new Gantry()];
  folder = mkdtempSync(join(tmpdir(), 'gantry-backup-'));
  file = join(folder, 'b.zip');
});
afterEach(async () => {
  await Promise.all([first.dispose(), second.dispose()]);
  rmSync(folder, { recursive: true, force: true });
});

/** A host with a server that holds a secret, a review, a grant, a rule, a run, changed settings and a home folder. */
const lived = async (): Promise<string> => {
  await first.start(['--approvals=script'], STORE);
  await first.ask('servers:add', { serverId: 'rec', name: 'Recorder', spec: { kind: 'command', command: process.execPath, args: [fixture] }, env: { RECORD_FILE: join(folder, 'r.jsonl'), TOKEN: { secret: 'kanarienvogel-8812' } } });
  await first.ask('servers:connect', { serverId: 'rec' });
  await first.ask('capabilities:review', { capabilityId: 'mcp:rec:tool:look', tier: 'read_only', admit: true });
  await first.ask('access:set', { principal: 'agent:default', capabilityId: 'mcp:rec:tool:look', allowed: true });
  await first.ask('rules:add', { effect: 'deny', capabilityId: 'mcp:rec:tool:note', note: 'never' });
  await first.ask('settings:set', { theme: 'dark', approvalExpiryMinutes: 9 });
  mkdirSync(join(first.dataDir, 'homes/rec/.config'), { recursive: true });
  writeFileSync(join(first.dataDir, 'homes/rec/.config/state.json'), '{"mine":true}');
  return (await first.ask('calls:try', { capabilityId: 'mcp:rec:tool:look', input: { text: 'hello' }, wait: true })).runId;
};
const leftOvers = (dataDir: string): string[] => readdirSync(dataDir).filter((name) => /^(\.|replacement)/.test(name));

test('DA40 DA42 DA44 a backup made beside a running host comes up on another folder: off, without consent, with grants, rules, settings and evidence that holds', async () => {
  const runId = await lived();
  const made = await first.ask('backup:create', { path: file, homes: true, secrets: { kind: 'none' } });
  expect(made).toMatchObject({ path: file, servers: 1, runs: 1, secretCount: 0, brokenRuns: [] });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const bytes = readFileSync(file);
  for (const secret of ['kanarienvogel', '"kdf"']) expect(bytes.includes(secret)).toBe(false);
  expect(leftOvers(first.dataDir)).toEqual([]);
  expect(await first.rpc('backup:create', { path: file })).toMatchObject({ ok: false, error: { code: 'conflict', field: '/path' } });

  await second.start(['--approvals=script'], STORE);
  await second.ask('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
  const { preview } = await second.ask('backup:read', { path: file });
  expect(preview).toMatchObject({ servers: [{ id: 'rec', name: 'Recorder', kind: 'command' }], runs: 1, grants: 1, rules: 1, homes: true, secrets: 'none', secretPlaces: [{ serverId: 'rec', place: 'env.TOKEN' }], gantryVersion: expect.any(String) });
  expect((await second.ask('servers:list', {})).servers.map((one) => one.id)).toEqual(['environment']);
  const { setAside } = await second.ask('backup:restore', { previewId: preview.previewId });
  const { servers } = await second.ask('servers:list', {});
  expect(servers).toMatchObject([{ id: 'rec', enabled: false }]);
  expect((await second.ask('health:status', {})).notices).toMatchObject([{ code: 'data_restored', details: { backupAt: preview.createdAt, consent: 1, setAside } }]);
  expect(processesWith(fixture)).toHaveLength(1);
  expect((await second.ask('servers:get', { serverId: 'rec' })).server.consentedFingerprint).toBeNull();
  expect((await second.ask('settings:get', {})).settings).toMatchObject({ theme: 'dark', approvalExpiryMinutes: 9 });
  expect((await second.ask('rules:list', {})).rules.filter((rule) => rule.note === 'never')).toHaveLength(1);
  expect((await second.ask('capabilities:get', { capabilityId: 'mcp:rec:tool:look' })).capability.grantedTo).toEqual(['agent:default']);
  expect(await second.ask('runs:verify', { runId })).toMatchObject({ ok: true });
  expect(await second.ask('runs:get', { runId })).toEqual(await first.ask('runs:get', { runId }));
  expect(readFileSync(join(second.dataDir, 'homes/rec/.config/state.json'), 'utf8')).toBe('{"mine":true}');
  expect(readdirSync(setAside)).toContain('gantry.db');
  expect(leftOvers(second.dataDir)).toEqual([]);
  // consent is asked for again, and the secret that is missing is named
  await second.ask('servers:enable', { serverId: 'rec' });
  const refused = await second.ask('servers:connect', { serverId: 'rec' });
  expect(refused).toMatchObject({ code: 'consent_required' });
  const { server } = await second.ask('servers:get', { serverId: 'rec' });
  const started = await second.ask('servers:connect', { serverId: 'rec', consent: server.launch.fingerprint });
  expect(started).toMatchObject({ state: 'unavailable' });
  expect(JSON.stringify(await second.ask('servers:get', { serverId: 'rec' }))).toContain('TOKEN');
});

test('DA43 secrets go sealed by a passphrase: a wrong one changes nothing, without it they stay out, with it they are there', async () => {
  await lived();
  for (const [passphrase, again, field] of [['short', 'short', '/secrets/passphrase'], ['aaaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaaa', '/secrets/passphrase'], ['123456789012345', '123456789012345', '/secrets/passphrase'], [PASSPHRASE, `${PASSPHRASE}.`, '/secrets/again']] as const) {
    expect(await first.rpc('backup:create', { path: file, secrets: { kind: 'sealed', passphrase, again } })).toMatchObject({ ok: false, error: { code: 'invalid_request', field } });
  }
  expect(await first.ask('backup:create', { path: file, secrets: { kind: 'sealed', passphrase: PASSPHRASE, again: PASSPHRASE } })).toMatchObject({ secretCount: 1 });
  for (const secret of ['kanarienvogel', PASSPHRASE]) expect(readFileSync(file).includes(secret)).toBe(false);

  // no Gantry runs on the second folder: the command alone does it
  expect(await second.rpc('backup:restore', { path: file, passphrase: 'a wrong passphrase here' })).toMatchObject({ ok: false, error: { code: 'wrong_passphrase', field: '/passphrase' } });
  expect(await second.ask('servers:list', {})).toEqual({ servers: [] });
  expect(leftOvers(second.dataDir)).toEqual([]);
  expect(await second.ask('backup:restore', { path: file })).toMatchObject({ secrets: 'left_out' });
  expect(await second.ask('secrets:status', {})).toMatchObject({ count: 0 });
  await second.start(['--approvals=script']);
  expect(await second.ask('backup:restore', { path: file, passphrase: PASSPHRASE })).toMatchObject({ secrets: 'restored' });
  expect(await second.ask('secrets:status', {})).toMatchObject({ state: 'ready', count: 1 });
  await second.ask('servers:enable', { serverId: 'rec' });
  const { server } = await second.ask('servers:get', { serverId: 'rec' });
  expect(await second.ask('servers:connect', { serverId: 'rec', consent: server.launch.fingerprint })).toMatchObject({ state: 'ready' });
  const pid = (await second.ask('servers:get', { serverId: 'rec' })).server.connection!.pid!;
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toContain('kanarienvogel-8812');
  // the passphrase of the backup opens the store of this machine
  await second.stop();
  await second.start();
  expect(await second.ask('secrets:status', {})).toMatchObject({ state: 'locked' });
  expect(await second.ask('secrets:unlock', { passphrase: PASSPHRASE })).toMatchObject({ state: 'ready' });
});

test('DA40 an app of npm is fetched again by its lock on the other folder, and only as that: other bytes under its name are refused', async () => {
  const registry = await LocalRegistry.start();
  try {
    publishApp(registry, 'app', '1.0.0');
    await first.start([], { ...STORE, npm_config_registry: registry.url, npm_config_fetch_retries: '0' });
    const { serverId } = await first.ask('servers:add', { spec: { kind: 'npm', package: 'app' } });
    expect(await first.ask('servers:connect', { serverId })).toMatchObject({ state: 'ready' });
    await first.ask('backup:create', { path: file });
    const before = await first.ask('servers:get', { serverId });
    await first.stop();

    await second.start([], { ...STORE, npm_config_registry: registry.url, npm_config_fetch_retries: '0' });
    await second.ask('backup:restore', { path: file });
    const { server } = await second.ask('servers:get', { serverId });
    expect(server.installation).toMatchObject({ version: '1.0.0', integrity: before.server.installation!.integrity, dir: join(second.dataDir, 'apps', serverId) });
    expect(server.launch.fingerprint).toBe(before.server.launch.fingerprint);
    await second.ask('servers:enable', { serverId });
    registry.publish({ name: 'app', version: '1.0.0', manifest: { bin: 'cli.js' }, files: { 'cli.js': { text: '#!/usr/bin/env node\nprocess.exit(0)', executable: true } } });
    expect(await second.ask('servers:connect', { serverId, consent: server.launch.fingerprint })).toMatchObject({ state: 'unavailable', code: 'integrity_mismatch' });
    publishApp(registry, 'app', '1.0.0');
    expect(await second.ask('servers:connect', { serverId, consent: server.launch.fingerprint })).toMatchObject({ state: 'ready' });
  } finally {
    await registry.close();
  }
});
