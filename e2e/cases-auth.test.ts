import { createServer, type Server } from 'node:https';
import { createServer as createDoor, request as ask, type RequestListener, type Server as Door } from 'node:http';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { visit } from '../main/servers/auth/person.fixture.ts';
import { TestAuthority } from './fixtures/test-authority.ts';
import { CasePlay, CASES_SKIPPED, hasCases, scenarioOf, type Scenario } from './support/case-play.ts';

vi.setConfig({ testTimeout: 240_000 });

const filesBelow = (dir: string): string[] => readdirSync(dir).flatMap((name) => ((stat) => (stat.isDirectory() ? filesBelow(join(dir, name)) : stat.isFile() ? [join(dir, name)] : []))(statSync(join(dir, name))));

describe.skipIf(!hasCases)(`signing in and HTTP, played against the product ${CASES_SKIPPED}`, () => {
  let play: CasePlay;
  const closing: (Server | Door)[] = [];
  beforeEach(async () => {
    play = new CasePlay();
    await play.start({ GANTRY_PASSPHRASE: 'a long passphrase for tests' });
  });
  afterEach(async () => {
    for (const server of closing.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
    await play.end();
  });

  const begin = async (serverId: string) => play.rpc('servers:sign-in', { serverId });
  /** The person goes through the login server's page; resolves when the server was connected with it. */
  const signIn = async (serverId: string): Promise<void> => {
    const begun = await play.ask('servers:sign-in', { serverId });
    expect((await visit(begun.pending.address)).status).toBe(200);
    await play.becomes(serverId, 'ready');
  };
  const paths = (serverId: string): string[] => play.records(serverId).flatMap((event) => (event.ev === 'http' ? [String((event as { path?: unknown }).path)] : []));
  const tryEcho = (serverId: string) => play.ask('calls:try', { capabilityId: `mcp:${serverId}:tool:echo`, input: { text: 'hi' }, wait: true });
  const after = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

  test('C099 an issuer that differs by a slash at its end alone is the same one; another host or path is refused with both values', async () => {
    await play.addRemote('srv', 'C099');
    expect(await play.ask('servers:connect', { serverId: 'srv' })).toMatchObject({ code: 'sign_in_required' });
    await signIn('srv');
    expect(await play.echo('srv')).toBe('hi');
    const scenario = scenarioOf('C099');
    const as = (scenario['oauth'] as { as: object }).as;
    for (const [serverId, issuer] of [['another', 'https://evil.example'], ['path', '{{base}}/tenant']] as const) {
      await play.addRemote(serverId, { ...scenario, oauth: { ...(scenario['oauth'] as object), as: { ...as, issuer } } } as Scenario);
      await play.ask('servers:connect', { serverId });
      const refused = await begin(serverId);
      expect(refused).toMatchObject({ ok: false, error: { code: 'sign_in_unsafe', details: { why: 'issuer', expected: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+/), received: expect.stringContaining(issuer.replace('{{base}}', '')) } } });
    }
  });

  test('C101 where the login server registers nobody a client id is asked for, used without registering, and its secret is nowhere in the clear', async () => {
    await play.addRemote('srv', 'C101');
    await play.ask('servers:connect', { serverId: 'srv' });
    expect(await begin('srv')).toMatchObject({ ok: false, error: { code: 'client_id_required', details: { redirectAddress: 'http://127.0.0.1/callback' } } });
    await play.ask('servers:sign-in-client', { serverId: 'srv', client: { clientId: 'cid-1', clientSecret: { secret: 'canary-client-secret' } } });
    const begun = await play.ask('servers:sign-in', { serverId: 'srv' });
    expect(new URL(begun.pending.address).searchParams.get('client_id')).toBe('cid-1');
    expect((await visit(begun.pending.address)).status).toBe(200);
    await play.becomes('srv', 'ready');
    expect(paths('srv')).not.toContain('/register');
    for (const path of filesBelow(play.gantry.dataDir)) expect(readFileSync(path, 'latin1').includes('canary-client-secret'), path).toBe(false);
  });

  test('C103 a token that is over is renewed once for five calls at the same time; a login server that is away deletes nothing, and its return is enough', async () => {
    // the case's token endpoint behind a door of its own, which can be shut
    const renewals: number[] = [];
    let base = '';
    let door = createDoor((request, response) => {
      renewals.push(Date.now());
      request.pipe(ask(`${base}/token`, { method: 'POST', headers: request.headers }, (answer) => void answer.pipe(response.writeHead(answer.statusCode!, answer.headers))));
    });
    const open = async (port: number): Promise<number> => {
      await new Promise<void>((done) => door.listen(port, '127.0.0.1', done));
      return (door.address() as AddressInfo).port;
    };
    const port = await open(0);
    const scenario = scenarioOf('C103');
    const oauth = scenario['oauth'] as { as: object };
    await play.addRemote('srv', { ...scenario, oauth: { ...oauth, as: { ...oauth.as, token_endpoint: `http://127.0.0.1:${port}/token` } } } as Scenario);
    base = new URL(((await play.server('srv')) as unknown as { spec: { url: string } }).spec.url).origin;
    await play.ask('servers:connect', { serverId: 'srv' });
    await signIn('srv');
    expect(await play.echo('srv')).toBe('hi');
    // the case says so: tokens of two seconds
    await after(3000);
    renewals.length = 0;
    const calls = await Promise.all([1, 2, 3, 4, 5].map(() => tryEcho('srv')));
    expect(calls.map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'completed'));
    expect(renewals).toHaveLength(1);

    const answer = door.listeners('request')[0] as RequestListener;
    door.closeAllConnections();
    await new Promise((done) => door.close(done));
    await after(3000);
    const away = await tryEcho('srv');
    expect(away).toMatchObject({ state: 'failed', class: 'unavailable', fault: { details: { mayHaveRun: false } } });
    expect((await play.server('srv')).signIn?.account).toMatchObject({ tokenHost: `127.0.0.1:${port}` });
    door = createDoor(answer);
    closing.push(door);
    expect(await open(port)).toBe(port);
    await vi.waitFor(async () => expect(await tryEcho('srv')).toMatchObject({ state: 'completed', class: 'ok' }), { timeout: 60_000, interval: 500 });
    expect(renewals.length).toBeGreaterThan(1);
    expect(play.records('srv').filter(({ ev }) => ev === 'authorize')).toHaveLength(1);
  });

  test('C105 a token that is over in the middle of a session is renewed, and the call goes on', async () => {
    await play.addRemote('single', 'C105');
    await play.ask('servers:connect', { serverId: 'single' });
    await signIn('single');
    expect(await play.echo('single')).toBe('hi');
    await after(3000);
    const before = play.records('single').length;
    expect(await tryEcho('single')).toMatchObject({ state: 'completed', class: 'ok' });
    const since = play.records('single').slice(before).map((event) => event as unknown as { ev: string; path?: string; grant?: string });
    expect(since.filter(({ ev, grant }) => ev === 'token' && grant === 'refresh_token')).toHaveLength(1);
    expect(since.filter(({ ev }) => ev === 'authorize')).toEqual([]);
  });

  test('C107 an authority that nobody knows is named with the host; with its certificate the server is reached', async () => {
    await play.addRemote('plain', 'C107');
    const { spec } = (await play.server('plain')) as unknown as { spec: { url: string } };
    const inner = new URL(spec.url);
    const authority = new TestAuthority();
    const { cert, key } = authority.issue({ name: '127.0.0.1', altNames: ['127.0.0.1'] });
    // the player speaks plain http; its TLS is ended here
    const secure = createServer({ cert, key }, (request, response) => void request.pipe(ask({ host: inner.hostname, port: inner.port, path: request.url, method: request.method, headers: request.headers }, (answer) => void answer.pipe(response.writeHead(answer.statusCode!, answer.headers)))));
    closing.push(secure);
    await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done));
    const { port } = secure.address() as AddressInfo;
    await play.ask('servers:add', { serverId: 'srv', spec: { kind: 'http', url: `https://127.0.0.1:${port}/mcp` } });
    expect(await play.ask('servers:connect', { serverId: 'srv' })).toMatchObject({ code: 'certificate_untrusted', fault: { message: expect.stringContaining(`127.0.0.1:${port}`), details: { why: 'unknown_issuer' } } });
    const path = join(play.folder, 'root.pem');
    writeFileSync(path, authority.cert);
    await play.ask('network:setCertificate', { path });
    await play.becomes('srv', 'ready');
    expect(await play.echo('srv')).toBe('hi');
  });

  test('C108 a redirect within the origin keeps method, body and key; to another origin nothing goes; an address is used with its slash as typed', async () => {
    await play.addRemote('srv', 'C108');
    await play.ask('servers:update', { serverId: 'srv', headers: { Authorization: 'Bearer canary' }, consent: true });
    expect(await play.ask('servers:connect', { serverId: 'srv' })).toEqual({ state: 'ready' });
    const posts = play.records('srv').filter((event) => event.ev === 'http' && event.method === 'POST').map((event) => event as unknown as { path: string; len: number; headers: Record<string, string> });
    const at = (path: string): unknown[] => posts.filter((one) => one.path === path && one.headers['authorization'] === 'Bearer canary').map((one) => one.len);
    expect(at('/mcp/').length).toBeGreaterThan(0);
    expect(at('/mcp/')).toEqual(at('/mcp'));
    expect(await play.echo('srv')).toBe('hi');

    await play.addRemote('thief', { transport: 'http', tools: [], script: [] } as Scenario);
    const { spec } = (await play.server('thief')) as unknown as { spec: { url: string } };
    const led = (status: number, to: string): Scenario => ({ transport: 'http', tools: [], script: [{ on: 'http', http: { method: 'POST', path: '/mcp' }, do: [{ http: { status, headers: { Location: to } } }] }] }) as Scenario;
    await play.addRemote('moved', led(307, spec.url));
    await play.ask('servers:update', { serverId: 'moved', headers: { Authorization: 'Bearer canary' }, consent: true });
    expect(await play.ask('servers:connect', { serverId: 'moved' })).toMatchObject({ code: 'connection_failed', fault: { message: expect.stringContaining(spec.url) } });
    expect(play.records('thief').filter(({ ev }) => ev === 'http')).toEqual([]);
    await play.addRemote('get', led(302, '{{base}}/mcp/'));
    expect(await play.ask('servers:connect', { serverId: 'get' })).toMatchObject({ code: 'connection_failed' });
    expect(paths('get').filter((path) => path === '/mcp/')).toEqual([]);

    const typed = ((await play.server('srv')) as unknown as { spec: { url: string } }).spec.url;
    await play.ask('servers:add', { serverId: 'slash', spec: { kind: 'http', url: `${typed}/` } });
    const seen = paths('srv').length;
    expect(await play.ask('servers:connect', { serverId: 'slash' })).toEqual({ state: 'ready' });
    expect(new Set(paths('srv').slice(seen))).toEqual(new Set(['/mcp/']));
  });
});
