import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { createHarness, ECHO, textOf, type Harness } from './pool-harness.fixture.ts';

const open: { readonly harness: Harness; readonly server: Server }[] = [];
afterEach(async () => {
  for (const { harness, server } of open.splice(0)) {
    await harness.close();
    server.closeAllConnections();
    server.close();
  }
});

type Pack = (json: string, response: ServerResponse) => void;

/** A server that answers calls as `pack` does, and everything else plainly. */
const serve = async (pack: Pack): Promise<Harness> => {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const { id, method, params } = JSON.parse(body);
      if (id === undefined) return response.writeHead(202).end();
      if (method === 'tools/call') return pack(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: params.arguments.text }] } }), response);
      const result = method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } : method === 'tools/list' ? { tools: [ECHO] } : null;
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, ...(result === null ? { error: { code: -32601, message: 'no' } } : { result }) }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const harness = createHarness();
  open.push({ harness, server });
  harness.add('srv', { kind: 'http', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` });
  expect(await harness.pool.connect('srv')).toEqual({ state: 'ready' });
  return harness;
};
const as = (encoding: string, bytes: (json: string) => Buffer, type = 'application/json'): Pack => (json, response) => void response.writeHead(200, { 'content-type': type, 'content-encoding': encoding }).end(bytes(json));
const event = (json: string): string => `event: message\ndata: ${json}\n\n`;

const HONEST: readonly (readonly [string, Pack])[] = [
  ['gzip', as('gzip', (json) => gzipSync(json))],
  ['x-gzip', as('x-gzip', (json) => gzipSync(json))],
  ['GZIP in capitals', as('GZIP', (json) => gzipSync(json))],
  ['deflate', as('deflate', (json) => deflateSync(json))],
  ['deflate without its head', as('deflate', (json) => deflateRawSync(json))],
  ['brotli', as('br', (json) => brotliCompressSync(json))],
  ['zstd', as('zstd', (json) => zstdCompressSync(json))],
  ['gzip over gzip', as('gzip, gzip', (json) => gzipSync(gzipSync(json)))],
  ['gzip in two members', as('gzip', (json) => Buffer.concat([gzipSync(json.slice(0, 20)), gzipSync(json.slice(20))]))],
  ['identity', as('identity', (json) => Buffer.from(json))],
  ['gzip events', as('gzip', (json) => gzipSync(event(json)), 'text/event-stream')],
];

const LYING: readonly (readonly [string, Pack, string])[] = [
  ['plain words that say gzip', as('gzip', (json) => Buffer.from(json)), 'protocol_error'],
  ['gzip cut short', as('gzip', (json) => gzipSync(json).subarray(0, -12)), 'protocol_error'],
  ['gzip with another checksum', as('gzip', (json) => { const bytes = gzipSync(json); bytes[bytes.length - 6]! ^= 0xff; return bytes; }), 'protocol_error'],
  ['gzip of which nothing is said', (json, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(gzipSync(json)), 'protocol_error'],
  ['an encoding that nobody knows', as('exotic', (json) => gzipSync(json)), 'protocol_error'],
  ['no bytes', as('gzip', () => Buffer.alloc(0)), 'protocol_error'],
  ['a bomb within a bomb', as('gzip, gzip', () => gzipSync(gzipSync(Buffer.alloc(70_000_000)))), 'too_large'],
  ['a bomb of events', as('gzip', () => gzipSync(Buffer.concat([Buffer.from('data: '), Buffer.alloc(70_000_000, 0x20)])), 'text/event-stream'), 'connection_failed'],
  ['gzip events cut short', as('gzip', (json) => gzipSync(event(json)).subarray(0, 20), 'text/event-stream'), 'connection_failed'],
];

test('F26 answers are read as they were packed; one that is packed otherwise than it says, or unpacks to more than a frame, ends its own call and no other', async () => {
  let pack: Pack = HONEST[0]![1];
  const harness = await serve((json, response) => pack(json, response));
  const ask = async (next: Pack) => {
    pack = next;
    return harness.call('srv', 'echo', { text: 'unpacked' });
  };
  for (const [what, next] of HONEST) expect([what, textOf(await ask(next))]).toEqual([what, 'unpacked']);
  for (const [what, next, code] of LYING) {
    expect([what, await ask(next)]).toMatchObject([what, { kind: 'failed', sent: true, mayHaveRun: true, fault: { code } }]);
    expect([what, textOf(await ask(HONEST[0]![1]))]).toEqual([what, 'unpacked']);
  }
});
