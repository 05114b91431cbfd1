import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { TestAuthority } from '../../../e2e/fixtures/test-authority.ts';
import { LoopbackCallback, MOST_STRANGERS } from '../../network/loopback-callback.ts';
import { Outbound } from '../../network/outbound.ts';
import { namesLead, namesLeadTo, plainOutbound } from '../../network/plain-network.fixture.ts';
import { DIRECT } from '../../network/proxy-route.ts';
import { census, createHarness, type Harness } from '../pool-harness.fixture.ts';
import { AuthFetch } from './auth-fetch.ts';
import { authFaultOf } from './auth-fault.ts';
import { judgeAddress } from './judge-address.ts';
import { LoginServer } from './login-server.fixture.ts';
import { visit } from './person.fixture.ts';

const open: Harness[] = [];
const servers: LoginServer[] = [];
afterEach(async () => {
  const marks = open.map((h) => h.mark);
  await Promise.all(open.splice(0).map((h) => h.close()));
  await Promise.all(servers.splice(0).map((one) => one.close()));
  expect(marks.flatMap(census)).toEqual([]);
});
const loginServer = async (): Promise<LoginServer> => {
  const one = await LoginServer.start();
  servers.push(one);
  return one;
};
const locked = async (prepare: (server: LoginServer) => void = () => {}, options: Parameters<typeof createHarness>[0] = {}) => {
  const server = await loginServer();
  prepare(server);
  const h = createHarness(options);
  open.push(h);
  h.add('srv', { kind: 'http', url: server.url });
  const connected = await h.pool.connect('srv');
  return { h, server, connected };
};
const begin = async (h: Harness) => {
  const begun = await h.pool.signIns.begin('srv');
  if (!begun.ok) throw new Error(JSON.stringify(begun.error));
  return begun.value;
};

const REMOTE = { serverUrl: 'https://mcp.example/mcp', agreed: [] };

test.each([
  ['http://169.254.169.254/latest/meta-data', 'scheme'],
  ['https://169.254.169.254/', 'address'],
  ['https://localhost/x', 'address'],
  ['https://localhost./x', 'address'],
  ['https://sub.localhost/x', 'address'],
  ['https://127.1/', 'address'],
  ['https://0177.0.0.1/', 'address'],
  ['https://2130706433/', 'address'],
  ['https://0x7f.1/', 'address'],
  ['https://[::1]/', 'address'],
  ['https://[::]/', 'address'],
  ['https://[::ffff:127.0.0.1]/', 'address'],
  ['https://[::ffff:a9fe:a9fe]/', 'address'],
  ['https://0.0.0.0/', 'address'],
  ['https://10.0.0.7/', 'private_address'],
  ['https://[fd00::1]/', 'private_address'],
  ['https://100.64.0.1/', 'private_address'],
  ['http://login.example/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['data:text/html,x', 'scheme'],
  ['ftp://login.example/', 'scheme'],
  ['--flag', 'scheme'],
  ['$(calc)', 'scheme'],
  ['http://a"&calc', 'scheme'],
  ['https://user:pw@login.example/', 'login'],
])('N01 N02 N06 AU14 a remote server’s sign-in does not lead to %s', (address, why) => {
  const judged = judgeAddress(address, 'It', REMOTE);
  expect(judged).toMatchObject({ ok: false, error: { code: 'sign_in_unsafe', remedy: expect.any(String), details: { why } } });
});

test('AU14 N06 what may be used: public https, the server’s own origin, this computer for a server on it, a private origin that the person agreed to', () => {
  const dial = (address: string, rules = REMOTE as Parameters<typeof judgeAddress>[2]) => {
    const judged = judgeAddress(address, 'It', rules);
    return judged.ok ? [judged.value.dial, judged.value.url.href] : judged.error.details?.['why'];
  };
  expect(dial('https://login.example:8443/a?b=c')).toEqual(['public', 'https://login.example:8443/a?b=c']);
  expect(dial('https://mcp.example/x')).toEqual(['own', 'https://mcp.example/x']);
  // shown and dialled in the form that cannot be mistaken for another
  expect(dial('https://lоgin.example/')).toEqual(['public', 'https://xn--lgin-3od.example/'.replace('xn--lgin-3od', new URL('https://lоgin.example/').hostname.split('.')[0]!)]);
  const local = { serverUrl: 'http://127.0.0.1:4000/mcp', agreed: [] };
  expect(dial('http://localhost:5000/authorize', local)).toEqual(['loopback', 'http://localhost:5000/authorize']);
  expect(dial('http://10.0.0.7/', local)).toBe('scheme');
  const agreed = { ...REMOTE, agreed: ['https://10.0.0.7', 'https://127.0.0.1', 'https://169.254.169.254'] };
  expect(dial('https://10.0.0.7/token', agreed)).toEqual(['agreed', 'https://10.0.0.7/token']);
  expect(dial('https://10.0.0.8/token', agreed)).toBe('private_address');
  expect(dial('https://127.0.0.1/token', agreed)).toBe('address');
  expect(dial('https://169.254.169.254/token', agreed)).toBe('address');
});

test.each([
  ['127.0.0.1', [], 'address'],
  ['169.254.169.254', ['https://login.example'], 'address'],
  ['10.1.2.3', [], 'private_address'],
  ['::ffff:10.1.2.3', [], 'private_address'],
  ['::1', ['https://login.example'], 'address'],
])('N01 N06 AU14 a public name that leads to %s when it is dialled is not contacted', async (address, agreed, why) => {
  const asks = new AuthFetch({ outbound: plainOutbound(namesLeadTo(address)), rules: { ...REMOTE, agreed } });
  const error = await asks.fetch('https://login.example/token').catch((thrown: unknown) => thrown);
  await asks.close();
  expect(authFaultOf(error)).toMatchObject({ code: 'sign_in_unsafe', details: { why } });
});

test('N06 AU14 the name is looked up anew for each connection, and judged each time', async () => {
  const server = await loginServer();
  const dialled: string[] = [];
  const port = new URL(server.base).port;
  const local = new AuthFetch({ outbound: plainOutbound(namesLead({ localhost: ['127.0.0.1'] }, dialled)), rules: { serverUrl: 'http://127.0.0.1:1/mcp', agreed: [] } });
  expect((await local.fetch(`http://localhost:${port}/.well-known/oauth-authorization-server`)).status).toBe(200);
  await local.close();
  const moved = new AuthFetch({ outbound: plainOutbound(namesLeadTo('93.184.215.14')), rules: { serverUrl: 'http://127.0.0.1:1/mcp', agreed: [] } });
  expect(authFaultOf(await moved.fetch(`http://localhost:${port}/token`).catch((thrown: unknown) => thrown))).toMatchObject({ details: { why: 'address' } });
  await moved.close();
  expect(dialled).toEqual(['localhost']);
});

test('N01 AU14 metadata at another origin than the server’s is not asked for before the person agrees to that origin by name', async () => {
  const other = await loginServer();
  const { h, server, connected } = await locked((one) => {
    one.challenge = () => `Bearer resource_metadata="${other.base}/.well-known/oauth-protected-resource/mcp"`;
  });
  expect(connected).toMatchObject({ code: 'sign_in_unsafe', fault: { details: { why: 'other_origin', origin: other.base } } });
  expect(await h.pool.signIns.begin('srv')).toMatchObject({ ok: false, error: { details: { why: 'other_origin' } } });
  expect(other.asked).toEqual([]);
  other.resource = () => ({ resource: server.url, authorization_servers: [server.base] });
  expect(await h.pool.signIns.begin('srv', other.base)).toMatchObject({ ok: true, value: { pending: { issuer: server.base } } });
  expect(other.asked.map(({ path }) => path)).toEqual(['/.well-known/oauth-protected-resource/mcp']);
});

test.each([
  ['authorization_endpoint', 'javascript:alert(1)'],
  ['authorization_endpoint', 'file:///etc/passwd'],
  ['authorization_endpoint', 'http://login.example/authorize'],
  ['authorization_endpoint', 'https://user@login.example/authorize'],
  ['token_endpoint', 'http://169.254.169.254/token'],
  ['token_endpoint', 'https://10.0.0.1/token'],
])('N01 N02 AU14 a login server whose %s is %s is refused before anything is registered', async (field, address) => {
  const { h, server } = await locked((one) => {
    one.metadata = (own) => ({ ...own, [field]: address });
  });
  const begun = await h.pool.signIns.begin('srv');
  expect(begun).toMatchObject({ ok: false, error: { code: expect.stringMatching(/^sign_in_(?:unsafe|failed)$/) } });
  expect(server.at('/register')).toEqual([]);
});

test('N05 AU14 a redirect of a login server is followed within its origin alone, and no configured header goes along', async () => {
  const thief = await loginServer();
  const { h, server } = await locked((one) => {
    one.before = ({ path, method }, response) => {
      if (path !== '/register' || method !== 'POST') return false;
      response.writeHead(307, { location: `${thief.base}/register` }).end();
      return true;
    };
  });
  h.store.write((db) => db.run('UPDATE servers SET headers_json = ? WHERE id = ?', [JSON.stringify({ 'X-Own': { plain: 'own-header' } }), 'srv']));
  h.consent('srv');
  await h.pool.connect('srv');
  expect(server.at('/mcp').at(-1)!.headers['x-own']).toBe('own-header');
  expect(await h.pool.signIns.begin('srv')).toMatchObject({ ok: false, error: { code: 'client_id_required' } });
  expect(thief.asked).toEqual([]);
  expect(server.asked.filter(({ path }) => path !== '/mcp').some(({ headers }) => 'x-own' in headers)).toBe(false);
});

test('AU01 N05 where the metadata of a server leads on to another origin, that is what is told, and it is not asked', async () => {
  const other = await loginServer();
  const { h, server } = await locked((one) => {
    one.before = ({ path }, response) => path.includes('/.well-known/') && (response.writeHead(302, { location: `${other.base}${path}?from=here` }).end(), true);
  });
  const host = new URL(server.base).host;
  const begun = await h.pool.signIns.begin('srv');
  expect(begun).toMatchObject({ ok: false, error: { code: 'auth_required', message: expect.stringContaining(`Asked how to sign in, ${host} leads on to ${other.base}/.well-known/`), details: { redirect: expect.not.stringContaining('?') } } });
  expect(other.asked).toEqual([]);
});

test('N05 a token stays at its origin when the endpoint leads elsewhere', async () => {
  const thief = await loginServer();
  const { h, server } = await locked();
  const { pending, done } = await begin(h);
  await visit(pending.address);
  await done;
  server.before = ({ path }, response) => path === '/mcp' && (response.writeHead(307, { location: thief.url }).end(), true);
  const outcome = await h.call('srv', 'echo', {});
  expect(JSON.stringify(outcome)).toContain(thief.url);
  expect(thief.asked).toEqual([]);
});

test('AU14 an answer over the cap is not read on, also where it was packed small', async () => {
  const { h } = await locked((one) => {
    one.before = ({ path }, response) => path.includes('oauth-authorization-server') && (response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(40 * 1024 * 1024, 0x20))), true);
  });
  expect(await h.pool.signIns.begin('srv')).toMatchObject({ ok: false, error: { code: 'sign_in_failed', details: { why: 'answer' } } });
});

test.each([
  ['another state', (to: URL) => to.searchParams.set('state', 'x'.repeat(43))],
  ['a state of as many characters and more bytes', (to: URL) => to.searchParams.set('state', 'é'.repeat(43))],
  ['no state', (to: URL) => to.searchParams.delete('state')],
  ['two states', (to: URL) => to.searchParams.append('state', 'y')],
])('N04 AU05 AU06 an answer with %s is refused and its code not used, and the sign-in goes on waiting for its own', async (_what, change) => {
  const { h, server } = await locked((one) => {
    one.answer = change;
  });
  const { pending, done } = await begin(h);
  const seen = await visit(pending.address);
  expect([seen.status, seen.page.includes('does not belong')]).toEqual([403, true]);
  expect(server.at('/token')).toEqual([]);
  expect(h.pool.signIns.of('srv').view()).toMatchObject({ pending: { address: pending.address }, failure: null });
  server.answer = () => {};
  expect((await visit(pending.address)).status).toBe(200);
  expect(await done).toMatchObject({ ok: true });
});

test('N04 AU06 another page on this computer cannot end a sign-in, and cannot go on guessing either', async () => {
  const { h, server } = await locked();
  const { pending, done } = await begin(h);
  const place = new URL(new URL(pending.address).searchParams.get('redirect_uri')!);
  for (let n = 0; n < MOST_STRANGERS; n += 1) expect((await fetch(`${place.href}?state=guess-${n}&code=c`)).status).toBe(403);
  expect(h.pool.signIns.of('srv').view().pending).not.toBeNull();
  expect((await fetch(`${place.href}?state=one-more&code=c`)).status).toBe(400);
  expect(await done).toMatchObject({ ok: false, error: { code: 'sign_in_unsafe', details: { why: 'state' } } });
  expect(server.at('/token')).toEqual([]);
});

test.each([
  ['the iss of another login server', (to: URL) => to.searchParams.set('iss', 'https://evil.example'), 'issuer'],
  ['an iss that differs by a slash', (to: URL) => to.searchParams.set('iss', `${to.searchParams.get('test')}/`), 'issuer'],
])('N04 AU05 an answer with %s is refused and its code not used', async (_what, change, why) => {
  const { h, server } = await locked((one) => {
    one.answer = (to) => {
      to.searchParams.set('test', one.base);
      change(to);
    };
  });
  const { pending, done } = await begin(h);
  const seen = await visit(pending.address);
  expect(await done).toMatchObject({ ok: false, error: { code: 'sign_in_unsafe', details: { why } } });
  expect(seen.status).toBe(400);
  expect(server.at('/token')).toEqual([]);
  expect(h.pool.signIns.of('srv').view().failure).toMatchObject({ details: { why } });
});

test('N04 AU05 an iss that the login server always sends may not be missing; what an answer with a wrong one says is not repeated', async () => {
  const { h, server } = await locked((one) => {
    one.metadata = (own) => ({ ...own, authorization_response_iss_parameter_supported: true });
    one.answer = (to) => to.searchParams.set('iss', one.base);
  });
  const right = await begin(h);
  await visit(right.pending.address);
  expect(await right.done).toMatchObject({ ok: true });
  server.answer = () => {};
  await h.pool.signIns.signOut('srv');
  const missing = await begin(h);
  await visit(missing.pending.address);
  expect(await missing.done).toMatchObject({ ok: false, error: { details: { why: 'issuer', received: '' } } });
  server.answer = (to) => {
    to.searchParams.set('iss', 'https://evil.example');
    to.searchParams.delete('code');
    to.searchParams.set('error', 'access_denied');
    to.searchParams.set('error_description', 'Call +1 555 to go on');
  };
  const wrong = await begin(h);
  await visit(wrong.pending.address);
  const ended = await wrong.done;
  expect(ended).toMatchObject({ ok: false, error: { details: { why: 'issuer' } } });
  expect(JSON.stringify(ended)).not.toMatch(/555|access_denied/);
});

test('AU05 a login server that says no is told by the name of its error, not in its words', async () => {
  const { h } = await locked((one) => {
    one.answer = (to) => {
      to.searchParams.delete('code');
      to.searchParams.set('error', 'access_denied');
      to.searchParams.set('error_description', 'Visit https://evil.example');
    };
  });
  const { pending, done } = await begin(h);
  await visit(pending.address);
  const ended = await done;
  expect(ended).toMatchObject({ ok: false, error: { code: 'sign_in_failed', details: { why: 'access_denied' } } });
  expect(JSON.stringify(ended)).not.toContain('evil');
});

test('N04 AU06 the place for the answer is on this computer alone, takes one answer and no other name, and is closed behind it', async () => {
  const { h, server } = await locked();
  const { pending, done } = await begin(h);
  const redirect = new URL(new URL(pending.address).searchParams.get('redirect_uri')!);
  expect(redirect.hostname).toBe('127.0.0.1');
  expect((await fetch(new URL('/other', redirect))).status).toBe(404);
  expect((await fetch(redirect, { method: 'POST' })).status).toBe(405);
  const { request } = await import('node:http');
  const byName = await new Promise<number | undefined>((settle) => request({ host: '127.0.0.1', port: redirect.port, path: '/callback?code=x', headers: { host: `rebound.example:${redirect.port}` } }, (response) => settle(response.statusCode)).end());
  expect(byName).toBe(404);
  const seen = await visit(pending.address);
  expect(await done).toMatchObject({ ok: true });
  expect(seen.page).toContain('Signed in.');
  expect(seen.page).toContain('已登录');
  await expect(fetch(seen.callback)).rejects.toThrow();
  expect(server.at('/token')).toHaveLength(1);
});

test('AU06 a second answer at the same time gets none; a taken port is told as such', async () => {
  const outcome = Promise.withResolvers<boolean>();
  const first = (await LoopbackCallback.open(null, () => outcome.promise))!;
  expect(await LoopbackCallback.open(first.port, () => Promise.resolve(true))).toBeNull();
  const address = `http://127.0.0.1:${first.port}/callback?state=a`;
  const one = fetch(address);
  const two = fetch(address);
  expect((await Promise.race([one, two])).status).toBe(410);
  outcome.resolve(true);
  expect([(await one).status, (await two).status].sort()).toEqual([200, 410]);
  first.close();
});

test('AU06 AU07 one sign-in at a time; it can be stopped, and ends by itself in the end', async () => {
  const { h } = await locked();
  const first = await begin(h);
  const again = await begin(h);
  expect(again.pending.address).toBe(first.pending.address);
  h.pool.signIns.of('srv').cancel();
  expect(await first.done).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  await expect(fetch(new URL(first.pending.address).searchParams.get('redirect_uri')!)).rejects.toThrow();
  expect(h.pool.signIns.of('srv').view()).toMatchObject({ pending: null, failure: null });
  const { h: patient } = await locked(() => {}, { signIn: { limitMs: 30 } });
  const late = await begin(patient);
  expect(await late.done).toMatchObject({ ok: false, error: { code: 'sign_in_failed', details: { why: 'deadline' } } });
  expect(patient.pool.signIns.of('srv').view().failure).toMatchObject({ details: { why: 'deadline' } });
});

test('AU07 N02 what a person is shown before: the whole host of the page, of the login server and of where tokens are asked for', async () => {
  const pages = await loginServer();
  const { h, server } = await locked((one) => {
    one.metadata = (own) => ({ ...own, authorization_endpoint: `${pages.base}/authorize` });
  });
  const { pending } = await begin(h);
  expect(pending).toMatchObject({ host: new URL(pages.base).host, issuer: server.base, tokenHost: new URL(server.base).host, step: 'waiting', changedFrom: null });
  expect(pending.address).toBe(new URL(pending.address).href);
});

test('N09 C107 AU14 a login server whose certificate is not trusted is refused by name, and reached where the company’s certificate is known', async () => {
  const authority = new TestAuthority();
  const secure = createServer(authority.issue({ name: 'localhost', altNames: ['localhost'] }), (_request, response) => response.end('{}'));
  await new Promise<void>((listening) => secure.listen(0, '127.0.0.1', listening));
  const address = `https://localhost:${(secure.address() as AddressInfo).port}`;
  try {
    const { h } = await locked((one) => {
      one.resource = (own) => ({ ...own, authorization_servers: [address] });
    });
    expect(await h.pool.signIns.begin('srv')).toMatchObject({ ok: false, error: { code: 'certificate_untrusted', message: expect.stringContaining(new URL(address).host), details: { why: 'unknown_issuer' } } });
    const trusting = new AuthFetch({ outbound: new Outbound({ config: () => Promise.resolve({ ...DIRECT, extraRoots: [authority.cert] }) }), rules: { serverUrl: 'http://127.0.0.1:1/mcp', agreed: [] } });
    expect((await trusting.fetch(`${address}/x`)).status).toBe(200);
    await trusting.close();
  } finally {
    await new Promise((closed) => secure.close(closed));
  }
});
