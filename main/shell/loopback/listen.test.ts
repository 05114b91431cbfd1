import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CLOSE_CODES } from '../../../shared/contract/wire.ts';
import { NONCE_MARK } from '../renderer-files.ts';
import { openTestHost } from '../test-host.ts';
import { listenLoopback, type LoopbackShell } from './listen.ts';
import { openTestWindow, TestWindow, tokenOf } from './test-window.ts';

const makeRenderer = (): string => {
  const dir = join(mkdtempSync(join(tmpdir(), 'gantry-renderer-')), 'renderer');
  mkdirSync(join(dir, 'assets'), { recursive: true });
  writeFileSync(join(dir, 'index.html'), `<!doctype html><meta property="csp-nonce" nonce="${NONCE_MARK}"><script type="module" src="./assets/a.js"></script>`);
  writeFileSync(join(dir, 'assets', 'a.js'), 'export {};');
  writeFileSync(join(dir, '..', 'outside.json'), '{"secret":true}');
  return dir;
};

let host: ReturnType<typeof openTestHost>;
let shell: LoopbackShell;

const listen = async (port = 0): Promise<LoopbackShell> => {
  const listening = await listenLoopback({ host, rendererDir: makeRenderer(), port, windowLimits: { dropLogsAboveBytes: 100_000, letGoAboveBytes: 40_000_000 } });
  if (!listening.ok) throw new Error(listening.error.message);
  return listening.value;
};
beforeEach(async () => {
  host = openTestHost();
  shell = await listen();
});
afterEach(() => shell.close());

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}
const get = (path: string, options: { readonly method?: string; readonly headers?: Record<string, string> } = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port: shell.port, path, method: options.method ?? 'GET', headers: options.headers ?? {} }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() }));
    });
    sent.once('error', reject).end();
  });
const own = (): string => `http://127.0.0.1:${shell.port}`;

test('I05 the loopback shell listens on 127.0.0.1 alone', async () => {
  const others = Object.values(networkInterfaces()).flat().filter((i) => i !== undefined && !i.internal && i.family === 'IPv4').map((i) => i?.address ?? '');
  for (const address of ['::1', ...others]) {
    const outcome = await new Promise((resolve) => {
      const socket = connect({ host: address, port: shell.port });
      socket.once('connect', () => resolve('connected'));
      socket.once('error', () => resolve('refused'));
    });
    expect([address, outcome]).toEqual([address, 'refused']);
  }
});

test('I06 a foreign Host header is refused for files and for the WebSocket (N07)', async () => {
  for (const name of ['evil.example', `evil.example:${shell.port}`, '127.0.0.1', `0.0.0.0:${shell.port}`, `[::1]:${shell.port}`, `127.0.0.1.evil.example:${shell.port}`, `127.0.0.1:${shell.port + 1}`]) {
    expect([name, (await get('/', { headers: { host: name } })).status]).toEqual([name, 403]);
    expect([name, await new TestWindow(shell.port, { host: name, origin: own() }).upgrade()]).toEqual([name, 403]);
  }
  expect((await get('/', { headers: { host: `localhost:${shell.port}` } })).status).toBe(200);
});

test('I07 a WebSocket of a foreign, null or absent Origin is refused before any frame (N07)', async () => {
  for (const origin of ['null', 'http://evil.example', `https://127.0.0.1:${shell.port}`, `http://127.0.0.1:${shell.port}.evil.example`, `http://127.0.0.1:${shell.port + 1}`, undefined]) {
    expect([origin, await new TestWindow(shell.port, origin === undefined ? {} : { origin }).upgrade()]).toEqual([origin, 403]);
  }
  expect(await new TestWindow(shell.port, { origin: own() }).upgrade()).toBe(101);
  expect(await new TestWindow(shell.port, { origin: `http://localhost:${shell.port}` }).upgrade()).toBe(101);
});

test('I07 no answer carries a CORS header, and a cross-origin read is refused', async () => {
  const foreign = await get('/', { headers: { origin: 'http://evil.example' } });
  expect(foreign.status).toBe(403);
  expect((await get('/', { headers: { origin: 'null' } })).status).toBe(403);
  const preflight = await get('/', { method: 'OPTIONS', headers: { origin: own(), 'access-control-request-method': 'POST' } });
  expect(preflight.status).toBe(405);
  for (const answer of [foreign, preflight, await get('/')]) expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('I08 a one-time token opens one session and is dead after it; the session survives a reload', async () => {
  const address = shell.newAddress();
  const { session, window } = await openTestWindow(shell.port, address);
  window.socket.close();
  const replay = new TestWindow(shell.port, { origin: own() });
  await replay.upgrade();
  replay.send({ kind: 'hello', token: tokenOf(address) });
  expect(await replay.closed).toBe(CLOSE_CODES.refused);
  const reload = new TestWindow(shell.port, { origin: own() });
  await reload.upgrade();
  reload.send({ kind: 'hello', session });
  expect(await reload.next()).toEqual({ kind: 'welcome', session });
});

test('I08 a guessed token or session is refused, also beside a valid one of the other kind', async () => {
  for (const hello of [{}, { token: '' }, { token: 'guess' }, { session: 'guess' }, { session: '' }]) {
    const window = new TestWindow(shell.port, { origin: own() });
    await window.upgrade();
    window.send({ kind: 'hello', ...hello });
    expect(await window.closed).toBe(CLOSE_CODES.refused);
  }
  expect(host.callers).toEqual([]);
});

test('I09 nothing is read before hello, and what is not a frame ends the socket', async () => {
  const early = new TestWindow(shell.port, { origin: own() });
  await early.upgrade();
  early.send({ kind: 'request', id: 1, name: 'health:ready', input: {} });
  expect(await early.closed).toBe(CLOSE_CODES.refused);
  for (const text of ['', '{', '[]', '{"kind":"request"}', '{"kind":"request","id":-1,"name":"health:ready","input":{}}', '{"kind":"hello"}']) {
    const { window } = await openTestWindow(shell.port, shell.newAddress());
    window.send(text);
    expect([text, await window.closed]).toEqual([text, CLOSE_CODES.badFrame]);
  }
  const { window } = await openTestWindow(shell.port, shell.newAddress());
  window.send(JSON.stringify({ kind: 'request', id: 1, name: 'market:search', input: { query: 'x'.repeat(9 * 1024 * 1024) } }));
  expect(await window.closed).toBe(1009);
  expect(host.callers).toEqual([]);
});

test('I10 pages carry a strict policy, nosniff, and a nonce of their own; html is never stored', async () => {
  const [first, second] = [await get('/'), await get('/index.html')];
  const policy = String(first.headers['content-security-policy']);
  expect(policy).not.toMatch(/unsafe-|\*|https?:|blob:/);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain(`connect-src 'self' ws://127.0.0.1:${shell.port} ws://localhost:${shell.port};`);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(first.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'content-type': 'text/html; charset=utf-8' });
  const nonce = /nonce="([^"]+)"/.exec(first.body)?.[1] ?? '';
  expect(nonce.length).toBeGreaterThan(20);
  expect(policy).toContain(`'nonce-${nonce}'`);
  expect(second.body).not.toContain(nonce);
  expect((await get('/assets/a.js')).headers).toMatchObject({ 'content-type': 'text/javascript; charset=utf-8', 'x-content-type-options': 'nosniff' });
});

test('I11 nothing outside the built window is served', async () => {
  for (const path of ['/../outside.json', '/%2e%2e/outside.json', '/..%2foutside.json', '/assets/..%5c..%5coutside.json', '/assets/../../outside.json', '/%00', '/%zz', '/assets', '/nothing.js', '//outside.json']) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }
});

test('I13 a window that does not read is let go, and the host goes on', async () => {
  const { window } = await openTestWindow(shell.port, shell.newAddress());
  window.socket.pause();
  // the kernel's own buffers take some megabytes first
  for (let n = 0; n < 80; n += 1) host.bus.emit('server:removed', { serverId: 'x'.repeat(1024 * 1024) });
  window.socket.resume();
  expect(await window.closed).toBe(CLOSE_CODES.tooSlow);
  const { window: other } = await openTestWindow(shell.port, shell.newAddress());
  other.send({ kind: 'request', id: 5, name: 'health:ready', input: {} });
  expect(await other.next()).toEqual({ kind: 'response', id: 5, result: { ok: true, value: { ready: true } } });
});

test('I13 log lines are left out for a window that is behind; other events wait for it', async () => {
  const { window } = await openTestWindow(shell.port, shell.newAddress());
  window.socket.pause();
  const names: string[] = [];
  window.socket.on('message', (data) => names.push((JSON.parse(String(data)) as { name: string }).name));
  for (let n = 0; n < 20; n += 1) host.bus.emit('server:removed', { serverId: 'x'.repeat(1_000_000) });
  host.bus.emit('server:log', { serverId: 'a', lines: [], droppedLines: 0 });
  host.bus.emit('rules:changed', {});
  window.socket.resume();
  await expect.poll(() => names.at(-1)).toBe('rules:changed');
  expect(names).not.toContain('server:log');
});

test('I13 more than 256 open requests of one window are refused one by one', async () => {
  const { window } = await openTestWindow(shell.port, shell.newAddress());
  for (let id = 0; id < 257; id += 1) window.send({ kind: 'request', id, name: 'market:search', input: { query: 'slow' } });
  expect(await window.next()).toMatchObject({ kind: 'response', id: 256, result: { ok: false, error: { code: 'rate_limited' } } });
});

test('I03 host events reach every window that said hello, and no other', async () => {
  const silent = new TestWindow(shell.port, { origin: own() });
  await silent.upgrade();
  let heard = 0;
  silent.socket.on('message', () => (heard += 1));
  const windows = [await openTestWindow(shell.port, shell.newAddress()), await openTestWindow(shell.port, shell.newAddress())];
  host.bus.emit('rules:changed', {});
  for (const { window } of windows) expect(await window.next()).toEqual({ kind: 'event', name: 'rules:changed', payload: {} });
  expect(heard).toBe(0);
});

test('A19 in the loopback shell deciding belongs to windows with a session, by origin; the stated limit is that a click is not proven', async () => {
  const { window } = await openTestWindow(shell.port, shell.newAddress());
  window.send({ kind: 'request', id: 1, name: 'approvals:decide', input: { approvalId: 'none', decision: 'approve' } });
  expect(await window.next()).toMatchObject({ result: { ok: false, error: { code: 'not_found' } } });
  expect(host.callers).toEqual([{ kind: 'window', canDecide: true }]);
});

test('N07 a web page gets neither a file, nor a socket, nor an answer', async () => {
  const origin = 'http://attacker.example';
  expect((await get('/', { headers: { origin } })).status).toBe(403);
  expect((await get('/', { method: 'POST', headers: { origin, 'content-type': 'text/plain' } })).status).toBe(403);
  expect(await new TestWindow(shell.port, { origin }).upgrade()).toBe(403);
  expect(await new TestWindow(shell.port, { origin, host: `attacker.example:${shell.port}` }).upgrade()).toBe(403);
});

test('I05 a taken port is a conflict with its number', async () => {
  const second = await listenLoopback({ host, rendererDir: makeRenderer(), port: shell.port });
  expect(second).toMatchObject({ ok: false, error: { code: 'conflict', details: { port: shell.port } } });
});
