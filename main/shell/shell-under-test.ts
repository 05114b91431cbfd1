import { fork, spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { WebSocket as Socket } from 'ws';
import { LoopbackBridge } from '../../renderer/bridge/loopback-bridge.ts';
import type { Fault } from '../../shared/fault.ts';
import type { Result } from '../../shared/result.ts';
import { askHost } from './command-channel/ask-host.ts';
import { ensureBuilt, pinnedNode } from './setup.mjs';

export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));

/** One way into a host, with names as plain strings so that a test may also ask what the contract does not have. */
export interface ShellUnderTest {
  request(name: string, input: unknown): Promise<Result<unknown, Fault>>;
  /** Does what a person would do before deciding; whether the way in may decide then. */
  mayDecide(): Promise<boolean>;
  /** Absent where the way in has no events (the command). */
  on?(name: string, listener: (payload: unknown) => void): Promise<void>;
  close(): Promise<void>;
}

export const ended = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null || child.signalCode !== null ? Promise.resolve(child.exitCode) : new Promise((resolve) => child.once('exit', resolve));

/** The first line of the child's output that fits, as its match. Rejects with what it said where it ends before. */
export const lineOf = (child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> =>
  new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      const match = pattern.exec(text);
      if (match) resolve(match);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => reject(new Error(`ended before ${pattern}: ${text}`)));
  });

export interface ServedHost {
  readonly child: ChildProcess;
  readonly port: number;
  readonly token: string;
}

/** `main/serve.ts` as a process of its own, headless, as `npm start -- --no-open` runs it. */
export const serveHeadless = async (dataDir: string, more: readonly string[] = []): Promise<ServedHost> => {
  const child = spawn(pinnedNode(repositoryRoot), [`${repositoryRoot}main/serve.ts`, '--data-dir', dataDir, '--no-open', ...more], { stdio: ['ignore', 'pipe', 'pipe'] });
  const match = await lineOf(child, /Gantry is ready: http:\/\/127\.0\.0\.1:(\d+)\/#token=([\w-]+)\n/);
  return { child, port: Number(match[1]), token: match[2] ?? '' };
};

/** The renderer's own bridge over a real WebSocket with the Origin that a browser sends. */
export const bridgeTo = ({ port, token }: Pick<ServedHost, 'port' | 'token'>): LoopbackBridge => {
  let session: string | null = null;
  return new LoopbackBridge({
    url: `ws://127.0.0.1:${port}/ws`,
    token,
    session: { read: () => session, write: (value) => (session = value) },
    openSocket: (url) => new Socket(url, { origin: `http://127.0.0.1:${port}` }) as unknown as WebSocket,
  });
};

export const openLoopback = async (dataDir: string): Promise<ShellUnderTest> => {
  const served = await serveHeadless(dataDir);
  const bridge = bridgeTo(served);
  return {
    request: (name, input) => bridge.request(name as 'health:ready', input as Record<string, never>),
    mayDecide: () => Promise.resolve(true),
    on: (name, listener) => Promise.resolve(void bridge.on(name as 'rules:changed', listener)),
    async close() {
      bridge.close();
      served.child.kill('SIGTERM');
      await ended(served.child);
    },
  };
};

export const openCommand = async (dataDir: string): Promise<ShellUnderTest> => {
  const served = await serveHeadless(dataDir);
  return {
    async request(name, input) {
      const answer = await askHost(dataDir, { kind: 'rpc', name, input });
      if (!answer) throw new Error('no host');
      return answer;
    },
    mayDecide: () => Promise.resolve(false),
    async close() {
      served.child.kill('SIGTERM');
      await ended(served.child);
    },
  };
};

/** The built Electron shell under the recorder, and a way to make it act. */
export interface RecordedShell extends ShellUnderTest {
  readonly child: ChildProcess;
  act<T>(act: string, ...args: unknown[]): Promise<T>;
  on(name: string, listener: (payload: unknown) => void): Promise<void>;
}

type FromChild = { readonly ready: true } | { readonly event: string; readonly payload: unknown } | { readonly id: number; readonly value?: unknown; readonly thrown?: string };

/** `resources`: those of a package, whose contents are run instead of this folder's build. */
export const openRecordedElectron = async (dataDir: string, resources?: string, env: Readonly<Record<string, string>> = {}): Promise<RecordedShell> => {
  if (!resources) await ensureBuilt({ root: repositoryRoot, target: 'electron', log: () => {} });
  const built = resources ? `${resources}/app.asar/dist/electron` : `${repositoryRoot}dist/electron`;
  const child = fork(`${repositoryRoot}main/shell/electron/recorded-run.ts`, [built, '--', '--data-dir', dataDir], {
    execPath: pinnedNode(repositoryRoot), stdio: ['ignore', 'pipe', 'pipe', 'ipc'], serialization: 'advanced', env: { ...process.env, ...(resources ? { GANTRY_RECORD_PACKAGED: resources } : {}), ...env },
  });
  const waiting = new Map<number, (message: Extract<FromChild, { id: number }>) => void>();
  const listeners = new Map<string, (payload: unknown) => void>();
  let nextId = 1;
  await new Promise<void>((resolve, reject) => {
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.once('exit', (code) => reject(new Error(`the recorded run ended with ${code}: ${said}`)));
    child.on('message', (message: FromChild) => {
      if ('ready' in message) resolve();
      else if ('event' in message) listeners.get(message.event)?.(message.payload);
      else waiting.get(message.id)?.(message);
    });
  });
  const act = <T>(name: string, ...args: unknown[]): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = nextId++;
      waiting.set(id, (message) => (message.thrown === undefined ? resolve(message.value as T) : reject(new Error(message.thrown))));
      child.send({ id, act: name, args });
    });
  return {
    child,
    act,
    request: (name, input) => act('request', name, input),
    mayDecide: () => act('input', 'mouseDown'),
    async on(name, listener) {
      listeners.set(name, listener);
      await act('listen', name);
    },
    async close() {
      if (child.connected) child.send({ id: 0, act: 'closeWindow', args: [] });
      await ended(child);
    },
  };
};
