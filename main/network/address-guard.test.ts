import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { LocalProxy } from '../../e2e/fixtures/local-proxy.ts';
import { configuredOrigin, PUBLIC_ONLY, setByPerson, type AddressGuard } from './address-guard.ts';
import { addressKind } from './address-kind.ts';
import { addressRefusedIn } from './address-refused.ts';
import { networkFault } from './network-fault.ts';
import { Outbound, type ContactNote } from './outbound.ts';
import { namesLead, namesLeadTo } from './plain-network.fixture.ts';
import { parseProxyAddress } from './proxy-address.ts';
import { DIRECT } from './proxy-route.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});
const serve = async (answer: RequestListener): Promise<number> => {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
};

/** What comes of asking an address: its text, or the kind that was refused. */
const ask = async (address: string, guard: AddressGuard, resolve?: LookupFunction, notes: ContactNote[] = []): Promise<string> => {
  const client = new Outbound({ config: () => Promise.resolve(DIRECT), resolve, onContact: (note) => notes.push(note) }).client('remote_server', { guard, connectMs: 5000 });
  try {
    return await (await client.fetch(address)).text();
  } catch (error) {
    return addressRefusedIn(error)?.kind ?? String((error as Error).cause ?? error);
  } finally {
    await client.close();
  }
};

test.each([
  ['public', ['93.184.215.14', '2606:4700::1111', '1.1.1.1']],
  ['loopback', ['127.0.0.1', '127.255.0.9', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::1']],
  ['private', ['10.1.2.3', '172.16.0.1', '192.168.1.1', 'fd00::1', 'fec0::1', '100.64.0.1', '::ffff:10.1.2.3', '64:ff9b::a01:203', '64:ff9b:1::5db8:d70e', '2002:a01:203::', '2001:0:0:0:0:0:f5fe:fdfc']],
  ['link_local', ['169.254.1.1', 'fe80::1', 'fe80::1%eth0']],
  ['metadata', ['169.254.169.254', '169.254.170.2', '169.254.170.23', '100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254', '::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::']],
  ['multicast', ['224.0.0.1', 'ff02::1', '255.255.255.255']],
  ['unspecified', ['0.0.0.0', '::', '0.1.2.3', 'nonsense', '']],
  ['translated', ['::ffff:93.184.215.14', '64:ff9b::5db8:d70e', '2002:5db8:d70e::']],
  ['reserved', ['198.18.0.7', '203.0.113.80', '240.0.0.1', '2001:db8::1', '192.88.99.1']],
] as const)('NG02 N06 addresses are %s by what they lead to, however they are written', (kind, addresses) => {
  for (const address of addresses) expect([address, addressKind(address)]).toEqual([address, kind]);
});

describe('a server at an address', () => {
  test('NG03 an address that was typed is reached as exactly that, in whichever form; another origin is not', async () => {
    const port = await serve((_request, response) => void response.end('here'));
    for (const host of ['127.0.0.1', '127.1', '0177.0.0.1', '2130706433', '0x7f.1', 'localhost', 'LOCALHOST.', '127.0.0.1.']) expect([host, await ask(`http://${host}:${port}/`, configuredOrigin(`http://${host}:${port}/mcp`), namesLeadTo('127.0.0.1'))]).toEqual([host, 'here']);
    expect(await ask(`http://127.0.0.1:${port}/`, configuredOrigin('http://127.0.0.1:1/mcp'))).toBe('loopback');
    expect(await ask(`http://127.0.0.1:${port}/`, configuredOrigin(`http://localhost:${port}/mcp`))).toBe('loopback');
    expect(await ask(`http://127.0.0.1:${port}/`, configuredOrigin('https://mcp.example/mcp'))).toBe('loopback');
  });

  test.each([
    ['127.0.0.1', 'loopback'], ['::1', 'loopback'], ['10.0.0.5', 'private'], ['100.64.0.1', 'private'], ['169.254.7.7', 'link_local'], ['169.254.169.254', 'metadata'], ['fd00:ec2::254', 'metadata'],
    ['224.0.0.1', 'multicast'], ['0.0.0.0', 'unspecified'], ['::', 'unspecified'], ['::ffff:10.0.0.5', 'private'], ['64:ff9b::a00:5', 'private'], ['64:ff9b::5db8:d70e', 'translated'], ['2002:a00:5::', 'private'], ['198.18.0.7', 'reserved'],
  ])('NG01 NG03 N06 a public name that leads to %s is refused as %s, and nothing is dialled', async (address, kind) => {
    const notes: ContactNote[] = [];
    for (const url of ['http://mcp.example:8080/', 'http://mcp.example.:8080/', 'http://ｍcp.example:8080/']) expect(await ask(url, configuredOrigin(url), namesLeadTo(address), notes)).toBe(kind);
    expect(notes.map((note) => note.address)).toEqual([null, null, null]);
  });

  test('NG01 one address of several that may not be reached refuses the name; this computer by name is this computer', async () => {
    expect(await ask('http://mcp.example/', configuredOrigin('http://mcp.example/mcp'), namesLeadTo('93.184.215.14', '10.0.0.5'))).toBe('private');
    expect(await ask('http://localhost:8123/', configuredOrigin('http://localhost:8123/mcp'), namesLeadTo('93.184.215.14'))).toBe('public');
    expect(await ask('http://localhost:8123/', PUBLIC_ONLY, namesLeadTo('93.184.215.14'))).toBe('public');
  });

  test('NG04 what was agreed to for the name is reached, as what was agreed to; other kinds are not', async () => {
    const port = await serve((_request, response) => void response.end('own'));
    const url = `http://mcp.example:${port}/mcp`;
    expect(await ask(url, configuredOrigin(url, ['loopback']), namesLeadTo('127.0.0.1'))).toBe('own');
    expect(await ask(url, configuredOrigin(url, ['private']), namesLeadTo('127.0.0.1'))).toBe('loopback');
    expect(await ask(url, configuredOrigin(url, ['loopback', 'private', 'link_local', 'translated', 'reserved']), namesLeadTo('169.254.169.254'))).toBe('metadata');
  });

  test('NG03 a name that says by itself that it is of one’s own network may lead there, and still not to a metadata service', async () => {
    const port = await serve((_request, response) => void response.end('lan'));
    for (const name of ['nas', 'nas.local', 'box.home.arpa', 'mcp.internal']) {
      const url = `http://${name}:${port}/mcp`;
      expect([name, await ask(url, configuredOrigin(url), namesLeadTo('127.0.0.1'))]).toEqual([name, 'lan']);
      expect([name, await ask(url, configuredOrigin(url), namesLeadTo('169.254.169.254'))]).toEqual([name, 'metadata']);
    }
  });

  test('N06 NG01 a name that leads elsewhere the second time is judged the second time: looked up once a connection, and what was found is what is dialled', async () => {
    const port = await serve((_request, response) => void response.setHeader('connection', 'close').end('first'));
    const asked: string[] = [];
    const turns = [['127.0.0.1'], ['169.254.169.254'], ['10.0.0.1']];
    const resolve: LookupFunction = (host, options, done) => namesLead({ '*': turns.shift()! }, asked)(host, options, done);
    const url = `http://mcp.example:${port}/mcp`;
    const client = new Outbound({ config: () => Promise.resolve(DIRECT), resolve }).client('remote_server', { guard: configuredOrigin(url, ['loopback']) });
    const kinds: unknown[] = [await (await client.fetch(url)).text()];
    for (let n = 0; n < 2; n += 1) kinds.push(addressRefusedIn(await client.fetch(url).catch((error: unknown) => error))?.kind);
    await client.close();
    expect([kinds, asked]).toEqual([['first', 'metadata', 'private'], ['mcp.example', 'mcp.example', 'mcp.example']]);
  });
});

describe('what the person set for Gantry', () => {
  test('NG05 its names may lead into the company’s network, not to this computer, a link or a metadata service; what it leads on to is public, by https', () => {
    const kindsOf = (guard: AddressGuard, target: string): string => (['public', 'private', 'reserved', 'loopback', 'link_local', 'metadata', 'multicast', 'unspecified'] as const).filter((kind) => guard.may(new URL(target), kind)).join(' ');
    const set = setByPerson(['https://npm.example/path/'], 'public');
    expect(kindsOf(set, 'https://npm.example/other')).toBe('public private reserved');
    expect(kindsOf(set, 'https://files.example/a.tgz')).toBe('public reserved');
    expect(kindsOf(set, 'http://files.example/a.tgz')).toBe('');
    expect(kindsOf(setByPerson(['https://npm.example'], 'lan'), 'https://files.example')).toBe('public private reserved');
    expect(kindsOf(setByPerson(['https://npm.example']), 'https://files.example')).toBe('');
    expect(kindsOf(setByPerson(['http://localhost:11434/v1']), 'http://localhost:11434')).toBe('loopback');
    expect(kindsOf(setByPerson(['http://gpu:8000/v1']), 'http://gpu:8000')).toBe('public private reserved loopback link_local');
  });
});

describe('with a proxy', () => {
  const through = async (proxy: LocalProxy, address: string, guard: AddressGuard, resolve: LookupFunction): Promise<string> => {
    const parsed = parseProxyAddress(proxy.url);
    if (!parsed.ok) throw new Error(parsed.error.message);
    // the proxy itself is looked up by the same resolver
    const client = new Outbound({ config: () => Promise.resolve({ ...DIRECT, proxies: { http: parsed.value, https: parsed.value } }), resolve }).client('remote_server', { guard });
    try {
      return await (await client.fetch(address)).text();
    } catch (error) {
      return addressRefusedIn(error)?.kind ?? networkFault(error)?.code ?? String((error as Error).cause ?? error);
    } finally {
      await client.close();
    }
  };

  test('NG07 an address that stands in the URL is judged; a name is the proxy’s to look up; what somebody else named is judged by what this computer finds, too', async () => {
    const seen: IncomingMessage[] = [];
    const port = await serve((request, response) => {
      seen.push(request);
      response.end('by proxy');
    });
    const proxy = await LocalProxy.start();
    proxy.options = { leadsTo: { 'mcp.example': { port }, 'unknown.example': { port } } };
    try {
      const asked: string[] = [];
      const names = namesLead({ 'mcp.example': ['10.0.0.5'] }, asked);
      for (const scheme of ['http', 'https']) expect(await through(proxy, `${scheme}://169.254.169.254/latest`, setByPerson(['https://mcp.example']), names)).toBe('metadata');
      expect(proxy.seen).toEqual([]);
      expect(await through(proxy, 'http://mcp.example/', configuredOrigin('http://mcp.example/mcp'), names)).toBe('by proxy');
      expect(asked).toEqual([]);
      const found: AddressGuard = { ...PUBLIC_ONLY, behindProxy: 'as_found' };
      expect(await through(proxy, 'http://mcp.example/', found, names)).toBe('private');
      expect(await through(proxy, 'http://unknown.example/', found, names)).toBe('by proxy');
      expect(await through(proxy, 'http://unknown.example/', PUBLIC_ONLY, names)).toMatch(/ENOTFOUND/);
      expect(seen).toHaveLength(2);
    } finally {
      await proxy.close();
    }
  });
});

test('NG01 a refusal names the name, the address and what it is, and says whether the person may agree', async () => {
  const client = new Outbound({ config: () => Promise.resolve(DIRECT), resolve: namesLeadTo('10.0.0.5') }).client('remote_server', { guard: configuredOrigin('https://mcp.example/mcp') });
  const told = networkFault(await client.fetch('https://mcp.example/mcp').catch((error: unknown) => error));
  await client.close();
  expect(told).toEqual({ code: 'address_refused', message: 'mcp.example leads to 10.0.0.5, that is a private network; it was not contacted.', remedy: expect.stringContaining('agree'), details: { host: 'mcp.example', address: '10.0.0.5', kind: 'private', agreeable: true } });
  // as another thread, or npm's client, hands it on
  expect(networkFault({ message: 'request failed', code: 'ADDRESS_REFUSED', host: 'npm.example', address: '169.254.169.254', kind: 'metadata', agreeable: false })).toMatchObject({ code: 'address_refused', details: { agreeable: false }, remedy: expect.not.stringContaining('agree') });
});
