import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createHarness, textOf, type Harness } from './pool-harness.fixture.ts';

const harnesses: Harness[] = [];
const servers: { readonly server: Server; readonly sockets: Set<Socket> }[] = [];
afterEach(async () => {
  for (const h of harnesses.splice(0)) await h.close();
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  }
});

interface Asked {
  readonly id: number;
  readonly write: (bytes: string) => void;
  readonly end: (bytes: string) => void;
  readonly head: (headers: Readonly<Record<string, string | number>>, status?: string) => string;
}

/** An endpoint of the older era that writes its bytes itself, so that it can write what is no HTTP; the arguments {good: true} are answered well. */
const endpoint = async (answer: (asked: Asked) => void) => {
  const seen: { readonly http: string; readonly method: string; readonly last: string | null; readonly body: Record<string, unknown> }[] = [];
  const sockets = new Set<Socket>();
  const head: Asked['head'] = (headers, status = '200 OK') => `HTTP/1.1 ${status}\r\n${Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    let got = Buffer.alloc(0);
    socket.on('data', (piece: Buffer) => {
      got = Buffer.concat([got, piece]);
      for (let end = got.indexOf('\r\n\r\n'); end >= 0; end = got.indexOf('\r\n\r\n')) {
        const lines = got.toString('latin1', 0, end);
        const length = Number(/content-length: (\d+)/i.exec(lines)?.[1] ?? 0);
        if (got.length < end + 4 + length) return;
        const text = got.toString('utf8', end + 4, end + 4 + length);
        got = got.subarray(end + 4 + length);
        const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
        seen.push({ http: lines.split(' ')[0]!, method: String(body['method']), last: /last-event-id: ([^\r]*)/i.exec(lines)?.[1] ?? null, body });
        const json = (told: object): void => {
          const said = JSON.stringify({ jsonrpc: '2.0', id: body['id'], ...told });
          socket.write(head({ 'content-type': 'application/json', 'content-length': Buffer.byteLength(said), ...(body['method'] === 'initialize' ? { 'mcp-session-id': 's' } : {}) }) + said);
        };
        const args = (body['params'] as { arguments?: { good?: boolean } } | undefined)?.arguments;
        if (!lines.startsWith('POST')) socket.write(head({ 'content-length': 0 }, '404 Not Found'));
        else if (body['id'] === undefined || body['method'] === undefined) socket.write(head({ 'content-length': 0 }, '202 Accepted'));
        else if (body['method'] === 'initialize') json({ result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } } });
        else if (body['method'] === 'tools/list') json({ result: { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] } });
        else if (body['method'] !== 'tools/call') json({ error: { code: -32601, message: 'no' } });
        else if (args?.good === true) json({ result: { content: [{ type: 'text', text: 'good' }] } });
        else answer({ id: body['id'] as number, head, write: (bytes) => void socket.write(bytes), end: (bytes) => void socket.end(bytes) });
      }
    });
  });
  servers.push({ server, sockets });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const h = createHarness();
  harnesses.push(h);
  h.add('srv', { kind: 'http', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` });
  expect(await h.pool.connect('srv')).toEqual({ state: 'ready' });
  return { h, seen, calls: () => seen.filter(({ method }) => method === 'tools/call') };
};

const STREAM = { 'content-type': 'text/event-stream' };
const answered = (id: number, text: string): string => JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });

test.each<[string, (asked: Asked) => void, RegExp]>([
  ['endless headers', ({ write, head }) => write(head({ x: 'y'.repeat(200_000), 'content-length': 0 })), /Headers Overflow/],
  ['both a length and chunks', ({ id, write, head }) => write(`${head({ 'content-type': 'application/json', 'content-length': 5, 'transfer-encoding': 'chunked' })}${answered(id, 'x').length.toString(16)}\r\n${answered(id, 'x')}\r\n0\r\n\r\n`), /Content-Length/i],
  ['two lengths', ({ id, write, head }) => write(`${head({ 'content-type': 'application/json', 'content-length': `${answered(id, 'x').length}\r\ncontent-length: 5` })}${answered(id, 'x')}`), /content-length/i],
  ['a status that is none', ({ write, head }) => write(head({ 'content-length': 0 }, '999 Nope')), /HTTP status 999/],
  ['no HTTP at all', ({ id, end }) => end(answered(id, 'x')), /HTTP/],
])('F26 a call that is answered with %s ends with the cause in words, once, and the next one is answered', async (_what, answer, words) => {
  const { h, calls } = await endpoint(answer);
  const outcome = await h.call('srv', 'echo', {});
  expect(outcome).toMatchObject({ kind: 'failed', sent: true, mayHaveRun: true, fault: { message: expect.stringMatching(words) } });
  expect(calls()).toHaveLength(1);
  expect(textOf(await h.call('srv', 'echo', { good: true }))).toBe('good');
});

test('F26 what is said with a refusal is read up to 256 KiB, whatever it goes on with; the status stands', async () => {
  const { h, calls } = await endpoint(({ write, head }) => write(`${head({ 'content-type': 'text/plain', 'content-length': 50_000_000 }, '500 Oops')}${'y'.repeat(400_000)}`));
  expect(await h.call('srv', 'echo', {})).toMatchObject({ kind: 'failed', mayHaveRun: true, fault: { code: 'protocol_error', details: { status: 500 } } });
  expect(calls()).toHaveLength(1);
});

test('F28 C108 a call that is led on within its origin again and again is sent once more, and no further', async () => {
  const { h, calls } = await endpoint(({ write, head }) => write(head({ location: '/mcp', 'content-length': 0 }, '307 Temporary Redirect')));
  expect(await h.call('srv', 'echo', {})).toMatchObject({ kind: 'failed', mayHaveRun: true, fault: { code: 'protocol_error', details: { redirect: expect.stringMatching(/\/mcp$/) } } });
  expect(calls()).toHaveLength(2);
});

test('F28 F26 a stream that breaks without an answer and is answered 404 when it is taken up proves nothing: the call is not sent again', async () => {
  const { h, seen, calls } = await endpoint(({ end, head }) => end(`${head(STREAM)}id: 7\nretry: 1\ndata:\n\n`));
  expect(await h.call('srv', 'echo', {})).toMatchObject({ kind: 'failed', sent: true, mayHaveRun: true, fault: { code: 'connection_failed' } });
  expect(seen.some(({ http, last }) => http === 'GET' && last === '7')).toBe(true);
  expect(calls()).toHaveLength(1);
});

test('F27 an id of an event that no header takes is left out, and is not sent back', async () => {
  const { h, seen, calls } = await endpoint(({ id, write, end, head }) => {
    write(`${head(STREAM)}id: ${'i'.repeat(5_000)}\ndata:\n\n`);
    end(`id: ${'j'.repeat(5_000)}\ndata: ${answered(id, 'heard')}\n\n`);
  });
  expect(textOf(await h.call('srv', 'echo', {}))).toBe('heard');
  expect(seen.every(({ last }) => last === null)).toBe(true);
  expect(calls()).toHaveLength(1);
});

test('F25 a flood of requests over a stream is answered so many at once, and the call on it goes on', async () => {
  const pings = Array.from({ length: 1_000 }, (_, n) => `data: ${JSON.stringify({ jsonrpc: '2.0', id: `r${n}`, method: 'ping' })}\n\n`).join('');
  const { h, seen } = await endpoint(({ id, end, head }) => end(`${head(STREAM)}${pings}data: ${answered(id, 'through')}\n\n`));
  expect(textOf(await h.call('srv', 'echo', {}))).toBe('through');
  const replies = seen.filter(({ body }) => typeof body['id'] === 'string' && 'result' in body);
  expect(replies.length).toBeGreaterThan(0);
  expect(replies.length).toBeLessThan(1_000);
});
