import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import npmFetch from 'npm-registry-fetch';
import { afterEach, expect, test } from 'vitest';
import { OUTBOUND_PURPOSES, type OutboundPurpose } from '../../shared/outbound.ts';
import { askEmbeddings, embeddingsClient } from '../agent/embeddings/ask-embeddings.ts';
import { askModel } from '../agent/model-adapter.ts';
import { fetchIcon } from '../icons/fetch-icon.ts';
import { fetchOptions } from '../market/fetch-options.ts';
import { AuthFetch } from '../servers/auth/auth-fetch.ts';
import { authFaultOf } from '../servers/auth/auth-fault.ts';
import { GuardedFetch } from '../servers/guarded-fetch.ts';
import { OutboundExecutor } from '../shell/electron/outbound-executor.ts';
import { configuredOrigin, setByPerson } from './address-guard.ts';
import { addressRefusedIn } from './address-refused.ts';
import { isTooLarge } from './answer-too-large.ts';
import { networkFault } from './network-fault.ts';
import { Outbound, type ContactNote } from './outbound.ts';
import { namesLeadTo } from './plain-network.fixture.ts';
import { DIRECT } from './proxy-route.ts';
import { tryConnection } from './try-connection.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const outboundTo = (address: string, notes: ContactNote[] = []): Outbound => new Outbound({ config: () => Promise.resolve(DIRECT), resolve: namesLeadTo(address), onContact: (note) => notes.push(note) });
const guarded = (url: string, outbound: Outbound): GuardedFetch =>
  new GuardedFetch({ url, guard: configuredOrigin(url), headers: {}, outbound, onStreamAgain: () => {}, onWhole: () => {}, onPauseAsked: () => {}, authorization: null }, true, {} as never);

/** What each use of the network says when all names lead to this address. A new purpose has to say how it is tried. */
const tried: Readonly<Record<OutboundPurpose, (outbound: Outbound, address: string) => Promise<unknown>>> = {
  // npm's client makes its connections in a thread of its own, with the system's resolver: an address stands for a name
  npm: async (_outbound, address) => networkFault(await npmFetch('/a-package', { ...fetchOptions({ registry: 'https://npm.example/' }, '', DIRECT), registry: `https://${address}/`, cache: undefined, retry: { retries: 0 } } as never).catch((error: unknown) => error))?.code,
  remote_server: async (outbound) => {
    const client = guarded('https://mcp.example/mcp', outbound);
    const told = networkFault(await client.fetch('https://mcp.example/mcp').catch((error: unknown) => error))?.code;
    await client.close();
    return told;
  },
  sign_in: async (outbound) => {
    const asks = new AuthFetch({ outbound, rules: { serverUrl: 'https://mcp.example/mcp', agreed: ['https://agreed.example'] } });
    const told = [];
    for (const host of ['login.example', 'agreed.example', 'mcp.example']) told.push(authFaultOf(await asks.fetch(`https://${host}/token`).catch((error: unknown) => error))?.code);
    await asks.close();
    return told.every((code) => code === 'sign_in_unsafe' || code === 'address_refused') ? 'address_refused' : told;
  },
  server_icon: async (outbound) => ((icon) => (!icon.ok && icon.error === 'address_not_public' ? 'address_refused' : icon))(await fetchIcon({ outbound, src: 'https://icons.example/i.png', serverUrl: null })),
  model: async (outbound) => ((reply) => (reply.ok ? reply : reply.error.code))(await askModel({ provider: 'openai-compatible', baseUrl: 'https://model.example/v1', model: 'm', key: 'k' }, { prompt: [], tools: [], signal: AbortSignal.timeout(10_000), mask: (text) => text, outbound })),
  embeddings: async (outbound) => {
    const client = embeddingsClient(outbound, 'https://embeddings.example/v1');
    const answer = await askEmbeddings({ baseUrl: 'https://embeddings.example/v1', model: 'm', key: 'k', dimensions: null }, ['text'], { client, mask: (text) => text, signal: AbortSignal.timeout(10_000) });
    await client.close();
    return answer.ok ? answer : answer.error.code;
  },
  update: (outbound) =>
    new Promise((done) => {
      const request = new OutboundExecutor(outbound, 'https://updates.example/').createRequest({ protocol: 'https:', hostname: 'updates.example', path: '/latest.yml' }, done);
      request.once('error', (error) => done(networkFault(error)?.code));
      request.end();
    }),
  connection_test: async (outbound) => {
    const test = await tryConnection({ url: new URL('https://asked.example/'), config: DIRECT, companyFingerprints: [], outbound, guard: setByPerson(['https://asked.example/']), ask: () => Promise.reject(new Error('it was asked')), signal: AbortSignal.timeout(10_000), monotonic: () => 0 });
    return test.fault?.code;
  },
};

const rows = readFileSync(join(ROOT, 'docs/network.md'), 'utf8').split('\n').flatMap((line) => {
  const row = /^\| `([a-z_]+)` \| (`main\/[^|]+`) \|/.exec(line);
  return row === null ? [] : [{ purpose: row[1]!, paths: row[2]!.split(', ').map((path) => path.replaceAll('`', '')) }];
});

test('NG06 every purpose has one row that says where its connections are made, and they are made nowhere else', () => {
  expect(rows.map(({ purpose }) => purpose)).toEqual(OUTBOUND_PURPOSES);
  const sources = readdirSync(join(ROOT, 'main'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts') && !/\.(?:test|fixture)\.ts$|\.full\.test\.ts$/.test(path)).map((path) => `main/${path}`).toSorted();
  const asking = sources.flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const purposes = [...text.matchAll(/\.(?:client|agents|connect|request)\(\s*'([a-z_]+)'/g)].map((found) => found[1]!).filter((one) => (OUTBOUND_PURPOSES as readonly string[]).includes(one));
    return [...new Set(purposes)].map((purpose) => `${purpose} ${path}`);
  });
  // the test of a connection is made by the module of tests, for the row's requests
  expect(asking.toSorted()).toEqual([...rows.flatMap(({ purpose, paths }) => paths.map((path) => `${purpose} ${path}`)), 'connection_test main/network/try-connection.ts'].toSorted());
  // and within the module, one file alone opens sockets: the others give it to their library
  const dialling = sources.filter((path) => path.startsWith('main/network/') && /\b(?:connectTcp|connectTls|createConnection|net\.connect|tls\.connect)\(/.test(readFileSync(join(ROOT, path), 'utf8')));
  expect(dialling).toEqual(['main/network/open-connection.ts']);
  // an undici client without our connector would dial by itself
  for (const path of sources) for (const made of readFileSync(join(ROOT, path), 'utf8').matchAll(/new (?:Agent|Pool|ProxyAgent|EnvHttpProxyAgent|RetryAgent)\((.*)/g)) expect([path, made[1]]).toEqual(['main/network/outbound.ts', expect.stringContaining('connect: connector(')]);
});

test.each(OUTBOUND_PURPOSES)('NG06 N06 where every name leads to a metadata service, %s reaches nothing and says why', async (purpose) => {
  const notes: ContactNote[] = [];
  expect(await tried[purpose](outboundTo('169.254.169.254', notes), '169.254.169.254')).toBe('address_refused');
  expect(notes.filter(({ address }) => address !== null)).toEqual([]);
});

test('NG09 an answer that was packed small is broken off where it is unpacked large, also inside npm’s client', async () => {
  const bomb = gzipSync(Buffer.alloc(160 * 1024 * 1024, 0x20));
  const server = createServer((request, response) => void response.writeHead(200, { 'content-type': request.url === '/chat/completions' ? 'text/event-stream' : 'application/json', 'content-encoding': 'gzip' }).end(bomb));
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const error: unknown = await npmFetch.json('/a-package', { ...fetchOptions({ registry: base }, '', DIRECT), registry: base, cache: undefined, retry: { retries: 0 } } as never).catch((thrown: unknown) => thrown);
  expect(String(error)).toMatch(/more than 128 MiB/);
  const asked = await askModel({ provider: 'openai-compatible', baseUrl: base, model: 'm', key: null }, { prompt: [], tools: [], signal: AbortSignal.timeout(20_000), mask: (text) => text, outbound: outboundTo('127.0.0.1') });
  expect(asked).toMatchObject({ ok: false, error: { code: 'model_failed', message: expect.stringContaining('more than Gantry reads') } });
  const client = guarded(`${base}mcp`, outboundTo('127.0.0.1'));
  expect(isTooLarge(await client.fetch(`${base}mcp`).catch((thrown: unknown) => thrown))).toBe(true);
  await client.close();
});

test('NG08 N05 a client follows no redirect by itself: where one leads is asked for anew, and judged anew', async () => {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url!);
    response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = outboundTo('127.0.0.1').client('remote_server', { guard: configuredOrigin(base) });
  const answer = await client.fetch(`${base}/mcp`, { redirect: 'follow' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'http://169.254.169.254/latest']);
  expect(addressRefusedIn(await client.fetch('http://169.254.169.254/latest').catch((error: unknown) => error))).toMatchObject({ kind: 'metadata', agreeable: false });
  await client.close();
  // npm's client follows; where it is led is judged where it dials
  const led: unknown = await npmFetch('/a-package', { ...fetchOptions({ registry: base }, '', DIRECT), registry: base, cache: undefined, retry: { retries: 0 } } as never).catch((error: unknown) => error);
  expect(networkFault(led)).toMatchObject({ code: 'address_refused', details: { address: '169.254.169.254' } });
  expect(paths).toEqual(['/mcp', '/a-package']);
});
