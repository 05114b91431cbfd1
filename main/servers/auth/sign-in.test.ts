import { afterEach, expect, test } from 'vitest';
import type { Fault } from '../../../shared/fault.ts';
import { silentLog } from '../../log.ts';
import { census, createHarness, hasCases, textOf, until, type Harness } from '../pool-harness.fixture.ts';
import { LoginServer } from './login-server.fixture.ts';
import { visit } from './person.fixture.ts';

const open: Harness[] = [];
const servers: LoginServer[] = [];
const harness = (options: Parameters<typeof createHarness>[0] = {}): Harness => {
  const h = createHarness(options);
  open.push(h);
  return h;
};
const loginServer = async (): Promise<LoginServer> => {
  const one = await LoginServer.start();
  servers.push(one);
  return one;
};
afterEach(async () => {
  const marks = open.map((h) => h.mark);
  await Promise.all(open.splice(0).map((h) => h.close()));
  await Promise.all(servers.splice(0).map((one) => one.close()));
  expect(marks.flatMap(census)).toEqual([]);
});

const begin = async (h: Harness, agree?: string) => {
  const begun = await h.pool.signIns.begin('srv', agree);
  if (!begun.ok) throw new Error(JSON.stringify(begun.error));
  return begun.value;
};
const signIn = async (h: Harness, change?: (callback: URL) => void) => {
  const { pending, done } = await begin(h);
  const seen = await visit(pending.address, change);
  return { pending, seen, ended: await done };
};
const refusal = async (h: Harness): Promise<Fault> => {
  const begun = await h.pool.signIns.begin('srv');
  if (begun.ok) throw new Error('it was begun');
  return begun.error;
};
const view = (h: Harness) => h.pool.signIns.of('srv').view();
/** A server that is connected with a sign-in. */
const signedIn = async (options: Parameters<typeof createHarness>[0] = {}, prepare: (server: LoginServer) => void = () => {}) => {
  const h = harness(options);
  const server = await loginServer();
  prepare(server);
  h.add('srv', { kind: 'http', url: server.url });
  await h.pool.connect('srv');
  const { ended, pending } = await signIn(h);
  expect(ended).toEqual({ ok: true, value: undefined });
  expect(h.pool.status('srv').state).toBe('ready');
  return { h, server, pending };
};
const refreshes = (server: LoginServer): number => server.at('/token').filter(({ body }) => body.includes('grant_type=refresh_token')).length;
const echo = (h: Harness, extra = {}) => h.call('srv', 'echo', { text: 'hi' }, extra);

test.skipIf(!hasCases)('C099 issuers that differ by a slash at the end alone are one, in either direction', async () => {
  const h = harness();
  const base = await h.serveFake('srv', 'C099');
  h.add('srv', { kind: 'http', url: `${base}/mcp` });
  expect(await h.pool.connect('srv')).toMatchObject({ state: 'unavailable', code: 'sign_in_required', fault: { details: { reason: 'none', host: new URL(base).host } } });
  expect((await signIn(h)).ended).toEqual({ ok: true, value: undefined });
  expect(textOf(await echo(h))).toBe('hi');
  await signedIn({}, (server) => {
    server.metadata = (own) => ({ ...own, issuer: `${server.base}/` });
  });
});

test.each([
  ['another host', (base: string) => base.replace('127.0.0.1', 'localhost')],
  ['another scheme', (base: string) => base.replace('http:', 'https:')],
  ['a path', (base: string) => `${base}/other`],
])('AU02 an issuer with %s than the one that was named is refused with both values', async (_what, issuer) => {
  const h = harness();
  const server = await loginServer();
  server.metadata = (own) => ({ ...own, issuer: issuer(server.base) });
  h.add('srv', { kind: 'http', url: server.url });
  await h.pool.connect('srv');
  const why = await refusal(h);
  expect(why).toMatchObject({ code: 'sign_in_unsafe', details: { why: 'issuer' } });
  expect(why.message).toContain(issuer(server.base));
  expect(why.message).toContain(`${server.base},`);
  expect(server.at('/register')).toEqual([]);
});

test('AU01 a refused server says where to sign in, and before a person begins nothing is registered, opened or asked of the login server', async () => {
  const h = harness();
  const [server, own] = [await loginServer(), await loginServer()];
  server.resource = (facts) => ({ ...facts, authorization_servers: [own.base] });
  h.add('srv', { kind: 'http', url: server.url });
  expect(await h.pool.connect('srv')).toMatchObject({ state: 'unavailable', code: 'sign_in_required', fault: { message: expect.stringContaining(new URL(own.base).host), remedy: expect.any(String), details: { reason: 'none' } } });
  expect(h.pool.status('srv')).not.toHaveProperty('retryAt');
  expect(own.asked).toEqual([]);
  expect(view(h)).toMatchObject({ account: null, pending: null, failure: null });
});

test('AU01 AU15 a server that offers no sign-in wants a key; with a key of the person’s own there is no sign-in', async () => {
  const h = harness();
  const server = await loginServer();
  h.add('srv', { kind: 'http', url: server.url }, { headers: { authorization: { plain: 'Bearer own' } } });
  expect(await h.pool.connect('srv')).toMatchObject({ code: 'auth_required' });
  expect(server.asked.every(({ path, headers }) => path === '/mcp' && headers.authorization === 'Bearer own')).toBe(true);
  expect(await refusal(h)).toMatchObject({ code: 'conflict', details: { header: 'Authorization' } });
  const other = harness();
  server.challenge = () => 'Bearer';
  server.before = ({ path }, response) => path.includes('.well-known') && (response.writeHead(404).end(), true);
  other.add('srv', { kind: 'http', url: server.url });
  expect(await other.pool.connect('srv')).toMatchObject({ code: 'auth_required', fault: { remedy: expect.stringContaining('key') } });
});

test('AU02 a server of an earlier revision is its own login server', async () => {
  const { server } = await signedIn({}, (one) => {
    one.challenge = () => 'Bearer';
    one.before = ({ path }, response) => path.includes('oauth-protected-resource') && (response.writeHead(404).end(), true);
  });
  expect(server.at('/token')).toHaveLength(1);
});

test('AU03 AU04 Gantry registers itself as a native program with its loopback address, and sends S256', async () => {
  const { server } = await signedIn();
  const registered = JSON.parse(server.at('/register')[0]!.body) as Record<string, unknown>;
  const { query } = server.at('/authorize')[0]!;
  expect(registered).toMatchObject({ client_name: 'Gantry', application_type: 'native', token_endpoint_auth_method: 'none', redirect_uris: [query.get('redirect_uri')] });
  expect(query.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  expect(query.get('code_challenge_method')).toBe('S256');
  expect(query.get('code_challenge')).toMatch(/^[\w-]{43}$/);
});

test.each([['says nothing of PKCE', undefined], ['offers plain alone', ['plain']]])('AU04 N04 a login server that %s is refused before anything is registered', async (_what, methods) => {
  const h = harness();
  const server = await loginServer();
  server.metadata = (own) => ({ ...own, code_challenge_methods_supported: methods });
  h.add('srv', { kind: 'http', url: server.url });
  await h.pool.connect('srv');
  expect(await refusal(h)).toMatchObject({ code: 'sign_in_unsafe', details: { why: 'pkce' } });
  expect(server.at('/register')).toEqual([]);
});

test.skipIf(!hasCases)('C101 where Gantry cannot register, an entered client id is used, its secret sealed and bound to the login server it was first used with', async () => {
  const h = harness();
  const base = await h.serveFake('srv', 'C101');
  h.add('srv', { kind: 'http', url: `${base}/mcp` });
  await h.pool.connect('srv');
  expect(await refusal(h)).toMatchObject({ code: 'client_id_required', details: { redirectAddress: 'http://127.0.0.1/callback' } });
  expect(view(h).failure).toMatchObject({ code: 'client_id_required' });
  h.pool.signIns.of('srv').setClient({ clientId: 'cid-1', secret: 'the-client-secret', port: null });
  expect(view(h)).toMatchObject({ failure: null, ownClient: { clientId: 'cid-1', hasSecret: true, issuer: null } });
  const { ended } = await signIn(h);
  expect(ended).toEqual({ ok: true, value: undefined });
  expect(h.records('srv').filter(({ ev }) => ev === 'authorize')).toMatchObject([{ query: { client_id: 'cid-1' } }]);
  expect(h.records('srv').some((r) => r['path'] === '/register')).toBe(false);
  expect(view(h)).toMatchObject({ account: { client: 'own', clientId: 'cid-1' }, ownClient: { issuer: base } });
  const stored = h.store.read((db) => JSON.stringify(db.all('SELECT * FROM sign_ins')));
  expect(stored).toContain('cid-1');
  expect(stored).not.toContain('the-client-secret');
});

test('AU03 N03 a client id with its secret is not sent to another login server that the server names later', async () => {
  const h = harness();
  const [server, other] = [await loginServer(), await loginServer()];
  h.add('srv', { kind: 'http', url: server.url });
  h.pool.signIns.of('srv').setClient({ clientId: 'cid', secret: 'client-secret', port: null });
  await h.pool.connect('srv');
  expect((await signIn(h)).ended.ok).toBe(true);
  expect(server.at('/token')[0]!.headers.authorization).toBe(`Basic ${Buffer.from('cid:client-secret').toString('base64')}`);
  server.resource = (own) => ({ ...own, authorization_servers: [other.base] });
  await h.pool.signIns.signOut('srv');
  expect(await refusal(h)).toMatchObject({ code: 'sign_in_unsafe', details: { why: 'changed', expected: server.base, received: other.base } });
  expect(other.asked.map(({ path }) => path)).toEqual(['/.well-known/oauth-authorization-server']);
});

test('AU03 a published client metadata document is the client where the login server reads such', async () => {
  const document = 'https://gantry.example/client.json';
  const { server } = await signedIn({ clientDocument: () => document }, (one) => {
    one.metadata = (own) => ({ ...own, client_id_metadata_document_supported: true });
  });
  expect(server.at('/register')).toEqual([]);
  expect(server.at('/authorize')[0]!.query.get('client_id')).toBe(document);
});

test('AU03 a registration is used again while its port is free, and made anew where it is not', async () => {
  const { h, server, pending } = await signedIn();
  await h.pool.signIns.signOut('srv');
  const again = await signIn(h);
  expect(server.at('/register')).toHaveLength(1);
  const portOf = (address: string): string => new URL(new URL(address).searchParams.get('redirect_uri')!).port;
  expect(portOf(again.pending.address)).toBe(portOf(pending.address));
  await h.pool.signIns.signOut('srv');
  const { createServer } = await import('node:net');
  const squatter = createServer();
  await new Promise<void>((done) => squatter.listen(Number(portOf(pending.address)), '127.0.0.1', done));
  try {
    const moved = await signIn(h);
    expect(moved.ended.ok).toBe(true);
    expect(portOf(moved.pending.address)).not.toBe(portOf(pending.address));
    expect(server.at('/register')).toHaveLength(2);
  } finally {
    await new Promise((done) => squatter.close(done));
  }
});

test.skipIf(!hasCases)('C103 five calls that meet an expired token renew it once; what the login server cannot do now costs the sign-in nothing', async () => {
  const h = harness();
  const base = await h.serveFake('srv', 'C103');
  h.add('srv', { kind: 'http', url: `${base}/mcp` });
  await h.pool.connect('srv');
  expect((await signIn(h)).ended.ok).toBe(true);
  await until(() => (view(h).account!.expiresAt ?? 0) < Date.now());
  const outcomes = await Promise.all([1, 2, 3, 4, 5].map((n) => h.call('srv', 'echo', { text: `hi ${n}` })));
  expect(outcomes.map(textOf)).toEqual(['hi 1', 'hi 2', 'hi 3', 'hi 4', 'hi 5']);
  expect(h.records('srv').filter((r) => r.ev === 'token' && r['grant'] === 'refresh_token')).toHaveLength(1);
});

test.each(['unreachable', 'busy'] as const)('AU09 C103 a login server that is %s keeps the tokens: the call says so, and the next one renews', async (how) => {
  const { h, server } = await signedIn({}, (one) => {
    one.lifeSeconds = 1;
  });
  await until(() => (view(h).account!.expiresAt ?? 0) < Date.now());
  server.tokens = how;
  server.lifeSeconds = 3600;
  const before = server.at('/mcp').length;
  const failed = await echo(h);
  expect(failed).toMatchObject({ kind: 'failed', sent: false, mayHaveRun: false, fault: { code: 'connection_failed' } });
  expect(server.at('/mcp')).toHaveLength(before);
  expect(h.pool.status('srv').state).toBe('ready');
  expect(view(h).account).toMatchObject({ ended: null, renewable: true });
  server.tokens = 'ok';
  expect(textOf(await echo(h))).toBe('hi');
});

test('AU09 C103 one refresh token is used once by whoever comes, also by calls that were refused at the same time', async () => {
  const { h, server } = await signedIn();
  server.forgetTokens();
  const causes: string[] = [];
  const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => echo(h, { onRecovery: ({ cause }: { readonly cause: string }) => causes.push(cause) })));
  expect(outcomes.map(textOf)).toEqual(['hi', 'hi', 'hi', 'hi', 'hi']);
  expect(refreshes(server)).toBe(1);
  expect(causes).toEqual(Array.from({ length: 5 }, () => 'authorized_again'));
});

test('C105 AU10 a token that is over in the middle of a session: one renewal, the call is sent once more and told so', async () => {
  const { h, server } = await signedIn();
  server.forgetTokens();
  const causes: string[] = [];
  expect(textOf(await echo(h, { onRecovery: ({ cause }: { readonly cause: string }) => causes.push(cause) }))).toBe('hi');
  expect(causes).toEqual(['authorized_again']);
  expect(server.at('/mcp').filter(({ body }) => body.includes('tools/call'))).toHaveLength(2);
  expect(refreshes(server)).toBe(1);
});

test('C105 AU10 where the renewal is refused the server waits for a sign-in: the call ends, nothing loops, other servers go on', async () => {
  const { h, server } = await signedIn();
  const other = await loginServer();
  other.before = ({ path, body }, response) => {
    if (path !== '/mcp') return false;
    const { id, method, params } = JSON.parse(body || '{}') as { id?: number; method?: string; params?: { protocolVersion?: string } };
    const result = { initialize: { protocolVersion: params?.protocolVersion, capabilities: {}, serverInfo: { name: 'o', version: '1' } } }[method ?? ''];
    response.writeHead(id === undefined ? 202 : 200, { 'content-type': 'application/json' }).end(id === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'no' } }) }));
    return true;
  };
  h.add('other', { kind: 'http', url: other.url });
  expect(await h.pool.connect('other')).toEqual({ state: 'ready' });
  server.forgetTokens();
  server.tokens = 'invalid_grant';
  expect(await echo(h)).toMatchObject({ kind: 'failed', mayHaveRun: false, fault: { code: 'sign_in_required', details: { reason: 'expired' } } });
  await until(() => h.pool.status('srv').state === 'unavailable');
  expect(h.pool.status('srv')).toMatchObject({ code: 'sign_in_required' });
  expect(h.pool.status('srv')).not.toHaveProperty('retryAt');
  const asked = server.asked.length;
  expect(await echo(h)).toMatchObject({ fault: { code: 'unavailable' } });
  expect(server.asked).toHaveLength(asked);
  expect(refreshes(server)).toBe(1);
  expect(h.pool.status('other').state).toBe('ready');
  expect(view(h).account).toMatchObject({ ended: { why: 'expired' } });
  server.tokens = 'ok';
  expect((await signIn(h)).ended.ok).toBe(true);
  expect(textOf(await echo(h))).toBe('hi');
});

test('AU10 a token that is renewed and refused again is not tried a third time', async () => {
  const { h, server } = await signedIn();
  server.before = ({ path }, response) => path === '/mcp' && (response.writeHead(401, { 'www-authenticate': server.challenge(server.base) }).end(), true);
  expect(await echo(h)).toMatchObject({ kind: 'failed', fault: { code: 'sign_in_required', details: { reason: 'refused' } } });
  expect(refreshes(server)).toBe(1);
  expect(server.at('/mcp').filter(({ body }) => body.includes('tools/call'))).toHaveLength(2);
});

test('AU11 a missing right is told with its name and never asked for silently; the sign-in that follows keeps what was granted', async () => {
  const { h, server } = await signedIn({}, (one) => {
    one.resource = (own) => ({ ...own, scopes_supported: ['files:read'] });
  });
  expect(view(h).account!.scopes).toEqual(['files:read']);
  server.wants = ['files:write'];
  const authorized = server.at('/authorize').length;
  expect(await echo(h)).toMatchObject({ kind: 'failed', mayHaveRun: false, fault: { code: 'scope_missing', details: { scopes: ['files:write'] } } });
  expect(h.pool.status('srv').state).toBe('ready');
  expect(server.at('/authorize')).toHaveLength(authorized);
  expect(refreshes(server)).toBe(0);
  expect(view(h).missingScopes).toEqual(['files:write']);
  const { pending } = await signIn(h);
  expect(pending).toMatchObject({ scopes: ['files:read', 'files:write'], newScopes: ['files:write'] });
  expect(textOf(await echo(h))).toBe('hi');
  expect(view(h)).toMatchObject({ missingScopes: [], account: { scopes: ['files:read', 'files:write'] } });
});

test('AU11 a server that is never content is not signed in to a fourth time', async () => {
  const { h, server } = await signedIn();
  server.before = ({ path, body }, response) =>
    path === '/mcp' && body.includes('tools/call') && (response.writeHead(403, { 'www-authenticate': `${server.challenge(server.base)}, error="insufficient_scope", scope="more"` }).end(), true);
  for (const n of [2, 3]) {
    expect(await echo(h), String(n)).toMatchObject({ fault: { code: 'scope_missing' } });
    expect((await signIn(h)).ended.ok, String(n)).toBe(true);
  }
  await echo(h);
  expect(await refusal(h)).toMatchObject({ code: 'scope_missing', details: { tries: 3 } });
  expect(server.at('/authorize')).toHaveLength(3);
});

test('N03 AU12 the refresh token goes to the token endpoint of the sign-in, whatever is named later; another login server is shown as such', async () => {
  const { h, server } = await signedIn();
  const thief = await loginServer();
  server.resource = (own) => ({ ...own, authorization_servers: [thief.base] });
  server.metadata = (own) => ({ ...own, token_endpoint: `${thief.base}/token` });
  server.forgetTokens();
  expect(textOf(await echo(h))).toBe('hi');
  expect(thief.asked).toEqual([]);
  const { pending } = await begin(h);
  expect(pending).toMatchObject({ issuer: thief.base, changedFrom: server.base });
  expect(thief.asked.map(({ path }) => path)).not.toContain('/token');
  expect(JSON.stringify(thief.asked)).not.toContain('refresh-');
});

test('AU13 signing out drops the tokens, stops the server, and takes them back at the login server', async () => {
  const { h, server } = await signedIn();
  const tokens = [...h.secrets.values()];
  expect(tokens).toEqual([expect.stringContaining('refresh-'), expect.stringContaining('access-')]);
  expect(await h.pool.signIns.signOut('srv')).toEqual({ revoked: true });
  expect(server.revoked).toEqual(tokens);
  expect([...h.secrets.values()]).toEqual([]);
  await until(() => h.pool.status('srv').state === 'unavailable');
  expect(h.pool.status('srv')).toMatchObject({ code: 'sign_in_required' });
  expect(view(h).account).toMatchObject({ ended: { why: 'signed_out' }, renewable: false });
  const asked = server.at('/mcp').length;
  expect(await echo(h)).toMatchObject({ kind: 'failed', sent: false });
  expect(server.at('/mcp')).toHaveLength(asked);
});

test('AU13 removing a server takes its tokens back, at a login server that takes its time too, and nothing waits for it', async () => {
  const told: string[] = [];
  const { h, server } = await signedIn({ log: { ...silentLog, info: (message: string) => void told.push(message) } });
  const tokens = [...h.secrets.values()];
  const held = Promise.withResolvers<void>();
  server.before = ({ path }, response) => path === '/revoke' && (void held.promise.then(() => response.writeHead(200).end()), true);
  expect(await h.pool.remove('srv')).toMatchObject({ ok: true });
  expect([...h.secrets.values()]).toEqual([]);
  await until(() => server.at('/revoke').length === 1);
  expect(told.filter((one) => one.includes('tokens'))).toEqual([]);
  held.resolve();
  await until(() => told.some((one) => one.includes('were taken back')));
  expect(server.at('/revoke').map(({ body }) => new URLSearchParams(body).get('token'))).toEqual(tokens);
});

test('AU08 tokens go to the exact address they were made for: another one, also of the same server entry, gets none', async () => {
  const { h, server } = await signedIn();
  const other = await loginServer();
  for (const url of [`${server.base}/other/mcp`, other.url]) {
    h.store.write((db) => db.run('UPDATE servers SET spec_json = ? WHERE id = ?', [JSON.stringify({ kind: 'http', url }), 'srv']));
    h.consent('srv');
    await h.pool.configChanged('srv');
    await h.pool.connect('srv');
  }
  expect(server.at('/other/mcp').concat(other.at('/mcp')).length).toBeGreaterThan(0);
  expect(JSON.stringify([server.at('/other/mcp'), other.asked])).not.toContain('access-');
});

test('AU08 no token is in what a window, the log of the server or its facts get', async () => {
  const { h, server } = await signedIn();
  server.forgetTokens();
  server.tokens = 'invalid_grant';
  await echo(h);
  const shown = JSON.stringify([view(h), h.pool.logs('srv'), h.pool.status('srv'), h.store.read((db) => [db.all('SELECT * FROM server_facts'), db.all('SELECT * FROM sign_ins')])]);
  expect(shown).toContain('sign_in_required');
  for (const secret of ['access-', 'refresh-']) expect(shown).not.toContain(secret);
});

test('AU12 what a sign-in came to is read again after a restart', async () => {
  const { h, server } = await signedIn();
  await h.pool.close();
  const later = harness({ store: h.store, secrets: { reveal: (ref) => (h.secrets.has(ref) ? { ok: true, value: h.secrets.get(ref)! } : { ok: false, error: { code: 'not_found', message: '' } }), put: () => ({ ok: true, value: '' }), remove: () => {} } });
  expect(await later.pool.connect('srv')).toEqual({ state: 'ready' });
  expect(server.at('/authorize')).toHaveLength(1);
  h.secrets.clear();
  server.forgetTokens();
  await later.pool.disable('srv');
  await later.pool.enable('srv');
  // a data folder that came back without its secrets
  await until(() => later.pool.status('srv').state === 'unavailable');
  expect(later.pool.status('srv')).toMatchObject({ code: 'sign_in_required' });
});
