import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { HostPort } from '../host-port.ts';
import { readRendererFile } from '../renderer-files.ts';
import { isLocalHost, isLocalOrigin, localAuthorities } from './local-origin.ts';
import { serveWindow, WINDOW_LIMITS, type WindowLimits } from './window-socket.ts';
import { WindowSessions } from './window-sessions.ts';

/** The largest request of a window; a longer frame ends its socket (1009). */
const MAX_FRAME_BYTES = 8 * 1024 * 1024;
const HEARTBEAT_MS = 30_000;

export interface LoopbackShell {
  readonly port: number;
  /** An address with a fresh one-time token in its fragment. */
  newAddress(tokenLifeMs?: number): string;
  windowCount(): number;
  onWindows(listener: (count: number) => void): void;
  close(): Promise<void>;
}

export interface LoopbackOptions {
  readonly host: HostPort;
  /** Folder of the built renderer. */
  readonly rendererDir: string;
  readonly port: number;
  /** A one-time token was used. */
  readonly onToken?: () => void;
  readonly windowLimits?: WindowLimits;
}

const refuse = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...(status === 405 ? { allow: 'GET, HEAD' } : {}) });
  response.end(text);
};

const refuseUpgrade = (socket: Duplex): void => {
  socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
};

/**
 * HTTP for the files and one WebSocket for everything else, on 127.0.0.1 only. No CORS header is ever sent.
 * Errors: `conflict` where the port is taken (details.port).
 */
export const listenLoopback = async (options: LoopbackOptions): Promise<Result<LoopbackShell, Fault>> => {
  const sessions = new WindowSessions(() => performance.now());
  const listeners = new Set<(count: number) => void>();
  const alive = new WeakSet<WebSocket>();
  let port = options.port;

  const answerFile = (request: IncomingMessage, response: ServerResponse): void => {
    if (!isLocalHost(request, port) || !isLocalOrigin(request, port, false)) return refuse(response, 403, 'Forbidden');
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, 'Method not allowed');
    const connect = localAuthorities(port).map((authority) => `ws://${authority}`);
    const file = readRendererFile(options.rendererDir, (request.url ?? '/').split(/[?#]/, 1)[0] ?? '/', connect);
    response.writeHead(file.status, file.headers);
    response.end(request.method === 'HEAD' ? undefined : file.body);
  };
  const http = createServer({ headersTimeout: 10_000, requestTimeout: 10_000, maxHeaderSize: 16 * 1024 }, (request, response) => {
    answerFile(request, response);
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false });
  const tell = (): void => {
    for (const listener of listeners) listener(sockets.clients.size);
  };

  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (request.url !== '/ws' || !isLocalHost(request, port) || !isLocalOrigin(request, port, true)) return refuseUpgrade(socket);
    sockets.handleUpgrade(request, socket, head, (window) => {
      alive.add(window);
      window.on('pong', () => alive.add(window));
      window.on('close', tell);
      serveWindow(window, { host: options.host, sessions, onToken: options.onToken ?? (() => {}), limits: options.windowLimits ?? WINDOW_LIMITS });
      tell();
    });
  });
  const heartbeat = setInterval(() => {
    for (const window of sockets.clients) {
      if (!alive.has(window)) window.terminate();
      alive.delete(window);
      window.ping();
    }
  }, HEARTBEAT_MS);
  heartbeat.unref();

  const listening = await new Promise<Error | null>((resolve) => {
    http.once('error', resolve);
    http.listen({ host: '127.0.0.1', port: options.port, exclusive: true }, () => resolve(null));
  });
  if (listening) {
    clearInterval(heartbeat);
    return err(fault('conflict', `Port ${options.port} of 127.0.0.1 cannot be used: ${listening.message}`, { remedy: 'Choose another --port, or leave it out.', details: { port: options.port } }));
  }
  port = (http.address() as AddressInfo).port;

  return ok({
    port,
    newAddress: (tokenLifeMs) => `http://127.0.0.1:${port}/#token=${sessions.issueToken(tokenLifeMs)}`,
    windowCount: () => sockets.clients.size,
    onWindows: (listener) => void listeners.add(listener),
    async close() {
      clearInterval(heartbeat);
      for (const window of sockets.clients) window.close(1001, 'Gantry has ended');
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      const grace = setTimeout(() => sockets.clients.forEach((window) => window.terminate()), 500);
      http.closeAllConnections();
      await closed;
      clearTimeout(grace);
    },
  });
};
