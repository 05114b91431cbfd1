import { createServer as createHttp, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LocalProxy } from '../../e2e/fixtures/local-proxy.ts';
import { TestAuthority } from '../../e2e/fixtures/test-authority.ts';
import type { AddressGuard } from './address-guard.ts';
import { networkFault } from './network-fault.ts';
import { Outbound, type ContactNote } from './outbound.ts';
import { parseProxyAddress, wholeProxy } from './proxy-address.ts';
import { DIRECT, isLoopbackHost, parseBypass, routeFor, type OutboundConfig } from './proxy-route.ts';
import { namesProxies, systemProxies } from './system-proxies.ts';

const proxyAt = (text: string) => {
  const parsed = parseProxyAddress(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
};
/** these tests are about the way, not about whom it may lead to */
const ANY: AddressGuard = { may: () => true, behindProxy: 'literal' };
const by = (proxy: string, more: Partial<OutboundConfig> = {}): OutboundConfig => ({ ...DIRECT, proxies: { http: proxyAt(proxy), https: proxyAt(proxy) }, ...more });

describe('which way', () => {
  const config = by('http://proxy:1', { bypass: parseBypass('intern.example, .corp.example *.lan.example;10.0.0.0/8 host.example:8443 fd00::/8 [2001:db8::1]') });
  const way = (address: string): string => {
    const route = routeFor(new URL(address), config);
    return route.kind === 'proxy' ? 'proxy' : route.because;
  };

  test('NW01 this computer is never reached through a proxy, whichever of its names is used', () => {
    for (const host of ['localhost', 'LOCALHOST.', 'a.localhost', '127.0.0.1', '127.9.8.7', '[::1]', '[::ffff:127.0.0.1]']) expect([host, isLoopbackHost(host), way(`https://${host}/`)]).toEqual([host, true, 'loopback']);
    for (const host of ['localhost.example', '128.0.0.1', '[::2]', '10.0.0.1']) expect([host, isLoopbackHost(host)]).toEqual([host, false]);
  });

  test('NW02 an entry of the no-proxy list is a name with what lies below it, an address, a range, each with or without a port', () => {
    for (const address of ['https://intern.example', 'https://a.intern.example', 'http://corp.example', 'https://x.y.corp.example', 'https://b.lan.example', 'https://10.1.2.3', 'https://host.example:8443', 'https://[fd12::1]', 'https://[2001:db8:0::1]']) expect([address, way(address)]).toEqual([address, 'bypass']);
    for (const address of ['https://notintern.example', 'https://intern.example.org', 'https://11.0.0.1', 'https://host.example', 'https://example']) expect([address, way(address)]).toEqual([address, 'proxy']);
    expect(routeFor(new URL('https://any.example'), by('http://p:1', { bypass: ['*'] })).kind).toBe('direct');
  });

  test('NW03 the variables of the system are read as programs read them; one that cannot be used is told, and nothing goes straight instead', () => {
    const all = systemProxies({ HTTPS_PROXY: 'http://secure:1', https_proxy: 'http://lower:1', HTTP_PROXY: 'plain:2', NO_PROXY: 'a.example,b.example' });
    expect([all.https?.host, all.http?.host, all.http?.port, all.bypass, all.from]).toEqual(['lower', 'plain', 2, ['a.example', 'b.example'], ['https_proxy', 'HTTP_PROXY', 'NO_PROXY']]);
    expect(systemProxies({ HTTP_PROXY: 'http://u%40x:p%3Aw@both:3' }).https).toEqual({ secure: false, host: 'both', port: 3, user: 'u@x', password: 'p:w' });
    expect(systemProxies({ ALL_PROXY: 'http://all:4' })).toMatchObject({ https: { host: 'all' }, http: { host: 'all' } });
    expect(systemProxies({ HTTPS_PROXY: 'socks5://s:1' })).toMatchObject({ https: null, problem: { code: 'invalid_request', field: 'HTTPS_PROXY' } });
    expect([namesProxies({ NO_PROXY: 'x' }), namesProxies({ http_proxy: 'x' }), namesProxies({ HTTPS_PROXY: ' ' })]).toEqual([false, true, false]);
    expect(wholeProxy(systemProxies({ HTTP_PROXY: 'http://u%40x:p%3Aw@both:3' }).http!)).toBe('http://u%40x:p%3Aw@both:3');
  });
});

describe('connections', () => {
  const authority = new TestAuthority();
  const LOGIN = { user: 'ann', password: 'pass:wörd' };
  let secure: Server;
  let plain: Server;
  let proxy: LocalProxy;
  const asked: string[] = [];
  const portOf = (server: Server): number => (server.address() as AddressInfo).port;
  beforeAll(async () => {
    const { cert, key } = authority.issue({ name: 'api.example', altNames: ['api.example', '127.0.0.1'] });
    secure = createHttps({ cert, key }, (request, response) => void response.end(`secure ${request.headers.host}`));
    plain = createHttp((request, response) => {
      asked.push(`${request.headers.host} ${request.url} ${request.headers['proxy-authorization'] ?? 'no sign-in'}`);
      response.end('plain');
    });
    for (const server of [secure, plain]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    proxy = await LocalProxy.start();
  });
  beforeEach(() => {
    proxy.seen.length = 0;
    proxy.options = { leadsTo: { 'api.example': { port: portOf(secure) }, 'plain.example': { port: portOf(plain) } } };
  });
  afterAll(async () => {
    await proxy.close();
    for (const server of [secure, plain]) server.close();
  });

  const trusting = (config: OutboundConfig): OutboundConfig => ({ ...config, extraRoots: [authority.cert] });
  const read = async (address: string, config: OutboundConfig): Promise<string> => {
    const client = new Outbound({ config: () => Promise.resolve(config) }).client('connection_test', { guard: ANY });
    try {
      return await (await client.fetch(address)).text();
    } catch (error) {
      const told = networkFault(error, 'It');
      return told ? `${told.code} ${String(told.details?.['status'] ?? told.details?.['why'] ?? told.details?.['cause'])}` : `unknown ${String(error)}`;
    } finally {
      await client.close();
    }
  };

  test('NW04 https goes through CONNECT with the sign-in and its own TLS, plain http is forwarded; the sign-in stays with the proxy', async () => {
    proxy.options = { ...proxy.options, login: LOGIN };
    const config = trusting(by(`http://${LOGIN.user}:${encodeURIComponent(LOGIN.password)}@127.0.0.1:${proxy.port}`));
    expect(await read('https://api.example/x', config)).toBe('secure api.example');
    expect(await read('http://plain.example/y?z=1', config)).toBe('plain');
    expect(proxy.seen).toEqual([
      { kind: 'connect', target: 'api.example:443', signedIn: true },
      { kind: 'forward', target: 'http://plain.example/y?z=1', signedIn: true },
    ]);
    expect(asked.at(-1)).toBe('plain.example /y?z=1 no sign-in');
  });

  test('NW05 what a proxy answers has a code and names the setting: 407, a refusal, nobody there, an address that is no proxy', async () => {
    proxy.options = { ...proxy.options, login: LOGIN };
    const config = trusting(by(`http://ann:wrong@127.0.0.1:${proxy.port}`));
    expect(await read('https://api.example', config)).toBe('proxy_refused 407');
    proxy.options = { ...proxy.options, login: undefined as never, refuses: 403 };
    expect(await read('https://api.example', trusting(by(proxy.url)))).toBe('proxy_refused 403');
    expect(await read('https://api.example', trusting(by('http://127.0.0.1:1')))).toBe('proxy_refused PROXY_UNREACHABLE');
    expect(await read('https://api.example', trusting(by(`http://127.0.0.1:${portOf(plain)}`)))).toMatch(/^proxy_refused (PROXY_REFUSED|PROXY_UNREACHABLE|200)$/);
    const told = networkFault({ code: 'PROXY_SIGN_IN', proxy: 'http://p:1', status: 407 });
    expect(told).toMatchObject({ code: 'proxy_refused', remedy: expect.stringContaining('Settings, Network') });
    expect(JSON.stringify(networkFault({ message: 'The proxy http://p:1 wants a user name and a password (407).', code: 'PROXY_SIGN_IN' }))).not.toContain('wrong');
  });

  test('NW06 a proxy that was asked for and cannot be used stops the connection: nothing goes straight; this computer is reached all the same', async () => {
    const locked: OutboundConfig = { ...by(proxy.url), problem: { code: 'secret_store_locked', message: 'locked' } };
    expect(await read('https://api.example', locked)).toMatch(/^secret_store_locked/);
    expect(await read('http://plain.example', locked)).toMatch(/^secret_store_locked/);
    expect(proxy.seen).toEqual([]);
    expect(await read(`http://127.0.0.1:${portOf(plain)}/`, locked)).toBe('plain');
    expect(proxy.seen).toEqual([]);
  });

  test('NW10 a company certificate is trusted besides the built-in roots, never instead of them; without it the failure says which step mends it', async () => {
    const address = `https://127.0.0.1:${portOf(secure)}/`;
    expect(await read(address, DIRECT)).toBe('certificate_untrusted unknown_issuer');
    expect(await read(address, trusting(DIRECT))).toMatch(/^secure /);
    const told = networkFault({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, 'registry.example');
    expect(told?.remedy).toContain('Company certificate');
    // a second authority among the roots of this process stands for the built-in ones
    const builtIn = new TestAuthority('Another Root');
    const { cert, key } = builtIn.issue({ name: '127.0.0.1', altNames: ['127.0.0.1'] });
    const ordinary = createHttps({ cert, key }, (_request, response) => void response.end('ordinary'));
    await new Promise<void>((resolve) => ordinary.listen(0, '127.0.0.1', resolve));
    const roots = getCACertificates('default');
    try {
      expect(await read(`https://127.0.0.1:${portOf(ordinary)}/`, trusting(DIRECT))).toBe('certificate_untrusted unknown_issuer');
      setDefaultCACertificates([...roots, builtIn.cert]);
      expect(await read(`https://127.0.0.1:${portOf(ordinary)}/`, trusting({ ...DIRECT }))).toBe('ordinary');
      expect(await read(address, trusting({ ...DIRECT }))).toMatch(/^secure /);
    } finally {
      setDefaultCACertificates(roots);
      ordinary.close();
    }
  });

  test('NW11 another name, a date that has passed and a changed verification variable are refused with a company certificate too', async () => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    const servers: Server[] = [];
    try {
      const serve = async (name: string, more: { to?: number } = {}): Promise<string> => {
        const { cert, key } = authority.issue({ name, altNames: [name], ...more });
        const server = createHttps({ cert, key }, (_request, response) => void response.end('reached'));
        servers.push(server);
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        return `https://127.0.0.1:${portOf(server)}/`;
      };
      expect(await read(await serve('other.example'), trusting(DIRECT))).toBe('certificate_untrusted other_name');
      expect(await read(await serve('127.0.0.1', { to: Date.now() - 1000 }), trusting(DIRECT))).toBe('certificate_untrusted dates');
      expect(await read(`https://127.0.0.1:${portOf(secure)}/`, DIRECT)).toBe('certificate_untrusted unknown_issuer');
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
      for (const server of servers) server.close();
    }
  });

  test('NW07 a changed configuration counts from the next request on, without a restart; each purpose and address is recorded', async () => {
    let config = trusting(by(proxy.url));
    const notes: ContactNote[] = [];
    const client = new Outbound({ config: () => Promise.resolve(config), onContact: (note) => notes.push(note) }).client('remote_server', { guard: ANY });
    expect(await (await client.fetch('https://api.example/')).text()).toBe('secure api.example');
    config = trusting(by(proxy.url, { bypass: ['plain.example'] }));
    expect(await (await client.fetch('https://api.example/')).text()).toBe('secure api.example');
    expect(proxy.connects).toEqual(['api.example:443', 'api.example:443']);
    config = trusting(DIRECT);
    expect(await (await client.fetch(`https://127.0.0.1:${portOf(secure)}/`)).text()).toMatch(/^secure/);
    expect(notes.filter(({ address }) => address === null).map(({ purpose, host, via }) => [purpose, host, via])).toEqual([['remote_server', 'api.example', proxy.url], ['remote_server', 'api.example', proxy.url], ['remote_server', '127.0.0.1', null]]);
    expect(notes.flatMap(({ host, address }) => (address === null ? [] : [[host, address]]))).toEqual([['127.0.0.1', '127.0.0.1']]);
    await client.close();
  });
});
