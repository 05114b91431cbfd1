import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LoginServer } from '../main/servers/auth/login-server.fixture.ts';
import { visit } from '../main/servers/auth/person.fixture.ts';
import { Gantry } from './support/gantry.ts';

vi.setConfig({ testTimeout: 240_000 });

const PASSPHRASE = 'a long passphrase for tests';
let gantry: Gantry;
let server: LoginServer;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-sign-in-'));
  gantry = new Gantry();
  server = await LoginServer.start();
});
afterEach(async () => {
  await gantry.dispose();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const filesBelow = (dir: string): string[] => readdirSync(dir).flatMap((name) => (statSync(join(dir, name)).isDirectory() ? filesBelow(join(dir, name)) : [join(dir, name)]));
const TOKEN = /(?:access|refresh)-[0-9a-f]{8}-/;

test('AU16 AU08 AU17 through the whole host: nothing is begun that cannot be kept; signed in, called, renewed and signed out, no token is anywhere in the clear', async () => {
  await gantry.start(['--approvals=script']);
  await gantry.ask('servers:add', { serverId: 'far', spec: { kind: 'http', url: server.url } });
  expect(await gantry.ask('servers:connect', { serverId: 'far' })).toMatchObject({ state: 'unavailable', code: 'sign_in_required' });
  expect(await gantry.rpc('servers:sign-in', { serverId: 'far' })).toMatchObject({ ok: false, error: { code: 'secret_store_locked' } });
  expect(await gantry.rpc('servers:sign-in-client', { serverId: 'far', client: { clientId: 'cid', clientSecret: { secret: 's' } } })).toMatchObject({ ok: false, error: { code: 'secret_store_locked', field: '/client/clientSecret' } });
  expect(server.at('/register')).toEqual([]);
  await gantry.ask('secrets:unlock', { passphrase: PASSPHRASE });

  const stopped = await gantry.ask('servers:sign-in', { serverId: 'far' });
  await gantry.ask('servers:sign-in-cancel', { serverId: 'far' });
  await expect(visit(stopped.pending.address)).rejects.toThrow();
  const ended = gantry.ask('servers:sign-in', { serverId: 'far', wait: true });
  await vi.waitFor(async () => expect((await gantry.ask('servers:get', { serverId: 'far' })).server.signIn!.pending).not.toBeNull(), 60_000);
  // whoever asks meanwhile gets the one that was begun
  const { pending, code } = await gantry.ask('servers:sign-in', { serverId: 'far' });
  expect({ issuer: pending.issuer, code, registered: server.at('/register').length }).toEqual({ issuer: server.base, code: 'sign_in_required', registered: 1 });
  const seen = visit(pending.address);
  expect(await ended).toMatchObject({ state: 'ready', pending: { address: pending.address } });
  expect((await seen).status).toBe(200);

  server.forgetTokens();
  await gantry.ask('capabilities:review', { capabilityId: 'mcp:far:tool:echo', tier: 'low_write', admit: true });
  const tried = gantry.rpc('calls:try', { capabilityId: 'mcp:far:tool:echo', input: { text: 'seen' }, wait: true });
  const approvalId = await vi.waitFor(async () => (await gantry.ask('approvals:list', {})).approvals[0]!.id, 20_000);
  await gantry.ask('approvals:decide', { approvalId, decision: 'approve' });
  expect(await tried).toMatchObject({ ok: true, value: { state: 'completed', class: 'ok' } });
  const [run] = (await gantry.ask('runs:list', {})).runs;
  const { events } = await gantry.ask('runs:get', { runId: run!.id });
  expect(events.filter(({ type }) => type === 'call.recovery')).toMatchObject([{ data: { cause: 'authorized_again', sentAgain: true } }]);

  const { server: detail } = await gantry.ask('servers:get', { serverId: 'far' });
  expect(detail.signIn).toMatchObject({ account: { issuer: server.base, client: 'registered', renewable: true, ended: null }, pending: null, failure: null });
  const { addresses, contacted } = await gantry.ask('network:addresses', {});
  expect(addresses.find(({ purpose }) => purpose === 'sign_in')).toEqual({ purpose: 'sign_in', addresses: [server.base] });
  expect(contacted.some(({ purpose }) => purpose === 'sign_in')).toBe(true);
  const file = join(folder, 'made.gantry-backup');
  expect(await gantry.ask('backup:create', { path: file, secrets: { kind: 'sealed', passphrase: PASSPHRASE, again: PASSPHRASE } })).toMatchObject({ secretCount: 0 });
  const answers = [detail, await gantry.ask('servers:list', {}), await gantry.ask('servers:logs', { serverId: 'far' }), await gantry.ask('secrets:list', {}), events, await gantry.ask('runs:export', { runId: run!.id })];
  for (const answer of answers) expect(JSON.stringify(answer)).not.toMatch(TOKEN);

  expect(await gantry.ask('servers:sign-out', { serverId: 'far' })).toEqual({ revoked: true });
  expect(server.revoked).toHaveLength(2);
  expect(await gantry.ask('servers:connect', { serverId: 'far' })).toMatchObject({ code: 'sign_in_required', fault: { details: { reason: 'signed_out' } } });
  await gantry.stop();
  for (const path of filesBelow(gantry.dataDir)) expect(TOKEN.test(readFileSync(path, 'latin1')), path).toBe(false);
});

test('AU03 the address of a client metadata document is https with a path, and is what login servers get that read such', async () => {
  await gantry.start([], { GANTRY_PASSPHRASE: PASSPHRASE });
  for (const clientDocument of ['http://gantry.example/client.json', 'https://gantry.example', 'https://u:p@gantry.example/c.json', 'client.json']) {
    expect(await gantry.rpc('settings:set', { clientDocument })).toMatchObject({ ok: false, error: { code: 'invalid_request', field: '/clientDocument', remedy: expect.any(String) } });
  }
  await gantry.ask('settings:set', { clientDocument: 'https://gantry.example/client.json' });
  server.metadata = (own) => ({ ...own, client_id_metadata_document_supported: true });
  await gantry.ask('servers:add', { serverId: 'far', spec: { kind: 'http', url: server.url } });
  const { pending } = await gantry.ask('servers:sign-in', { serverId: 'far' });
  expect(new URL(pending.address).searchParams.get('client_id')).toBe('https://gantry.example/client.json');
  expect(server.at('/register')).toEqual([]);
  expect(await gantry.rpc('servers:sign-in', { serverId: 'absent' })).toMatchObject({ ok: false, error: { code: 'not_found' } });
  await gantry.ask('servers:add', { serverId: 'here', spec: { kind: 'command', command: process.execPath, args: ['-e', ''] }, enabled: false });
  for (const answer of [await gantry.rpc('servers:sign-in', { serverId: 'here' }), await gantry.rpc('servers:sign-in-client', { serverId: 'here', client: null })]) expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_request', field: '/serverId' } });
});
