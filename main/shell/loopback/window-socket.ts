import type { WebSocket } from 'ws';
import { CLOSE_CODES, ClientFrameSchema, type ClientFrame, type HostFrame } from '../../../shared/contract/wire.ts';
import { fault } from '../../../shared/fault.ts';
import { err } from '../../../shared/result.ts';
import { duplicateName } from '../duplicate-name.ts';
import type { HostPort } from '../host-port.ts';
import type { WindowSessions } from './window-sessions.ts';

const HELLO_WITHIN_MS = 10_000;
const MAX_OPEN_REQUESTS = 256;

/**
 * Bytes that wait for one window. Above the first, log lines are left out (the window reads them again by servers:logs);
 * above the second the window does not read at all: it is let go and may come back.
 */
export interface WindowLimits {
  readonly dropLogsAboveBytes: number;
  readonly letGoAboveBytes: number;
}
export const WINDOW_LIMITS: WindowLimits = { dropLogsAboveBytes: 1024 * 1024, letGoAboveBytes: 64 * 1024 * 1024 };

interface WindowDeps {
  readonly host: HostPort;
  readonly sessions: WindowSessions;
  readonly onToken: () => void;
  readonly limits: WindowLimits;
}

const readFrame = (text: string): ClientFrame | null => {
  try {
    const parsed = ClientFrameSchema.safeParse(JSON.parse(text));
    return parsed.success && duplicateName(text) === null ? parsed.data : null;
  } catch {
    return null;
  }
};

/** Serves one window: authentication first, then requests and all host events. Origin and Host were checked at the upgrade. */
export const serveWindow = (socket: WebSocket, deps: WindowDeps): void => {
  const { host, sessions, limits } = deps;
  let openRequests = 0;
  let session: string | null = null;
  let unsubscribe = (): void => {};

  const send = (frame: HostFrame): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > limits.letGoAboveBytes) return socket.close(CLOSE_CODES.tooSlow, 'too slow');
    socket.send(JSON.stringify(frame));
  };
  const sendEvent = (name: string, payload: unknown): void => {
    if (name === 'server:log' && socket.bufferedAmount > limits.dropLogsAboveBytes) return;
    send({ kind: 'event', name, payload });
  };
  const helloTimer = setTimeout(() => socket.close(CLOSE_CODES.refused, 'no hello'), HELLO_WITHIN_MS);

  const hello = (frame: Extract<ClientFrame, { kind: 'hello' }>): void => {
    const fromToken = frame.token === undefined ? null : sessions.exchange(frame.token);
    session = fromToken ?? (frame.session !== undefined && sessions.isSession(frame.session) ? frame.session : null);
    if (session === null) return socket.close(CLOSE_CODES.refused, 'refused');
    clearTimeout(helloTimer);
    unsubscribe = host.bus.onAny(sendEvent);
    send({ kind: 'welcome', session });
    if (fromToken) deps.onToken();
  };

  const request = async (frame: Extract<ClientFrame, { kind: 'request' }>): Promise<void> => {
    if (openRequests >= MAX_OPEN_REQUESTS) {
      return send({ kind: 'response', id: frame.id, result: err(fault('rate_limited', `More than ${MAX_OPEN_REQUESTS} requests of this window are open.`)) });
    }
    openRequests += 1;
    const result = await host.handle(frame.name, frame.input, { kind: 'window', canDecide: true });
    openRequests -= 1;
    send({ kind: 'response', id: frame.id, result: result.ok ? result : err({ ...result.error }) });
  };

  socket.on('message', (data, isBinary) => {
    const frame = isBinary ? null : readFrame(String(data));
    if (!frame) return socket.close(CLOSE_CODES.badFrame, 'bad frame');
    if (session === null) return frame.kind === 'hello' ? hello(frame) : socket.close(CLOSE_CODES.refused, 'refused');
    if (frame.kind === 'hello') return socket.close(CLOSE_CODES.badFrame, 'bad frame');
    void request(frame);
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', () => {
    clearTimeout(helloTimer);
    unsubscribe();
  });
};
