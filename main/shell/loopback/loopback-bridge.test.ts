import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket as Socket } from 'ws';
import { LoopbackBridge } from '../../../renderer/bridge/loopback-bridge.ts';
import { openTestHost } from '../test-host.ts';
import { listenLoopback, type LoopbackShell } from './listen.ts';

let host: ReturnType<typeof openTestHost>;
let shell: LoopbackShell;
const open: LoopbackBridge[] = [];

const listen = async (port: number): Promise<LoopbackShell> => {
  const listening = await listenLoopback({ host, rendererDir: mkdtempSync(`${tmpdir()}/gantry-empty-`), port });
  if (!listening.ok) throw new Error(listening.error.message);
  return listening.value;
};

/** The bridge over a real socket that sends the Origin a browser would. */
const openBridge = (token: string | null, session: string | null = null): { readonly bridge: LoopbackBridge; readonly kept: () => string | null } => {
  let kept = session;
  const { port } = shell;
  const bridge = new LoopbackBridge({
    url: `ws://127.0.0.1:${port}/ws`,
    token,
    session: { read: () => kept, write: (value) => (kept = value) },
    openSocket: (url) => new Socket(url, { origin: `http://127.0.0.1:${port}` }) as unknown as WebSocket,
    backOffMs: () => 20,
  });
  open.push(bridge);
  return { bridge, kept: () => kept };
};
const freshToken = (): string => new URL(shell.newAddress()).hash.slice('#token='.length);
const connection = (bridge: LoopbackBridge, wanted: 'connected' | 'lost'): Promise<void> =>
  new Promise((resolve) => {
    const stop = bridge.onConnection((state) => {
      if (state !== wanted) return;
      stop();
      resolve();
    });
  });

beforeEach(async () => {
  host = openTestHost();
  shell = await listen(0);
});
afterEach(async () => {
  for (const bridge of open.splice(0)) bridge.close();
  await shell.close();
});

test('I14 what is asked before the connection stands is sent when it does', async () => {
  const { bridge, kept } = openBridge(freshToken());
  expect(await bridge.request('health:ready', {})).toEqual({ ok: true, value: { ready: true } });
  expect(kept()).toHaveLength(43);
});

test('I14 what is pending on a lost connection fails as host_not_running, and the bridge comes back by itself', async () => {
  const { bridge } = openBridge(freshToken());
  await bridge.request('health:ready', {});
  const pending = bridge.request('market:search', { query: 'slow' });
  const port = shell.port;
  const lost = connection(bridge, 'lost');
  await shell.close();
  expect(await pending).toMatchObject({ ok: false, error: { code: 'host_not_running' } });
  await lost;
  expect(await bridge.request('health:ready', {})).toMatchObject({ ok: false, error: { code: 'host_not_running' } });
  shell = await listen(port);
  // another host does not know the old session: the window says so and stops
  await expect.poll(() => bridge.request('health:ready', {})).toMatchObject({ ok: false, error: { code: 'forbidden', details: { stranger: false } } });
});

test('I14 a cut connection to the same host is taken up again with the session, and events go on', async () => {
  let socket: Socket | null = null;
  let kept: string | null = null;
  const { port } = shell;
  const bridge = new LoopbackBridge({
    url: `ws://127.0.0.1:${port}/ws`,
    token: freshToken(),
    session: { read: () => kept, write: (value) => (kept = value) },
    openSocket: (url) => (socket = new Socket(url, { origin: `http://127.0.0.1:${port}` })) as unknown as WebSocket,
    backOffMs: () => 20,
  });
  open.push(bridge);
  const languages: string[] = [];
  bridge.on('settings:changed', ({ settings }) => languages.push(settings.language));
  await bridge.request('settings:set', { language: 'zh' });
  const lost = connection(bridge, 'lost');
  (socket as Socket | null)?.terminate();
  await lost;
  await connection(bridge, 'connected');
  await bridge.request('settings:set', { language: 'en' });
  expect(languages).toEqual(['zh', 'en']);
});

test('I14 a used token with a session in the tab still opens; without one the window is refused for good', async () => {
  const token = freshToken();
  const { bridge, kept } = openBridge(token);
  await bridge.request('health:ready', {});
  expect(await openBridge(token, kept()).bridge.request('health:ready', {})).toMatchObject({ ok: true });
  const refused = openBridge(token).bridge;
  await connection(refused, 'lost');
  expect(await refused.request('health:ready', {})).toMatchObject({ ok: false, error: { code: 'forbidden', details: { stranger: true } } });
});

test('I14 a listener that throws does not keep the event from the others, and unsubscribing is final', async () => {
  const { bridge } = openBridge(freshToken());
  let heard = 0;
  const shout = console.error;
  console.error = () => {};
  bridge.on('rules:changed', () => {
    throw new Error('a bug of one listener');
  });
  const stop = bridge.on('rules:changed', () => (heard += 1));
  await bridge.request('health:ready', {});
  host.bus.emit('rules:changed', {});
  await bridge.request('health:ready', {});
  stop();
  host.bus.emit('rules:changed', {});
  await bridge.request('health:ready', {});
  console.error = shout;
  expect(heard).toBe(1);
});

test('I14 a host that is not there, and a bridge that is closed while it connects, throw nothing where nobody could catch it', async () => {
  const uncaught: unknown[] = [];
  const hear = (error: unknown): void => void uncaught.push(error);
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', hear);
  try {
    const { bridge } = openBridge(freshToken());
    await bridge.request('health:ready', {});
    const { port } = shell;
    await shell.close();
    await connection(bridge, 'lost');
    // refused at least once before the host is there again
    let refused = 0;
    const waiting = new LoopbackBridge({
      url: `ws://127.0.0.1:${port}/ws`,
      token: null,
      session: { read: () => null, write: () => {} },
      openSocket: (url) => {
        const socket = new Socket(url, { origin: `http://127.0.0.1:${port}` });
        socket.on('close', () => (refused += 1));
        return socket as unknown as WebSocket;
      },
      backOffMs: () => 5,
    });
    open.push(waiting);
    await vi.waitFor(() => expect(refused).toBeGreaterThan(1), { timeout: 90_000, interval: 10 });
    waiting.close();
    const closedAtOnce = openBridge(null).bridge;
    closedAtOnce.close();
    shell = await listen(port);
    expect(uncaught).toEqual([]);
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const other of others) process.on('uncaughtException', other);
  }
});

test('I47 what is asked before the welcome goes out right behind the hello, once', async () => {
  const sent: string[] = [];
  const { port } = shell;
  const bridge = new LoopbackBridge({
    url: `ws://127.0.0.1:${port}/ws`,
    token: freshToken(),
    session: { read: () => null, write: () => {} },
    openSocket: (url) => {
      const socket = new Socket(url, { origin: `http://127.0.0.1:${port}` });
      const send = socket.send.bind(socket) as (text: string) => void;
      socket.send = ((text: string) => {
        sent.push((JSON.parse(text) as { kind: string }).kind);
        send(text);
      }) as typeof socket.send;
      socket.on('open', () => sent.push('open'));
      socket.on('message', (data) => sent.push(`heard ${(JSON.parse(String(data)) as { kind: string }).kind}`));
      return socket as unknown as WebSocket;
    },
  });
  open.push(bridge);
  const answers = await Promise.all([bridge.request('health:ready', {}), bridge.request('health:ready', {})]);
  expect(answers.map(({ ok }) => ok)).toEqual([true, true]);
  expect(sent.filter((one) => one !== 'open')).toEqual(['hello', 'request', 'request', 'heard welcome', 'heard response', 'heard response']);
});
