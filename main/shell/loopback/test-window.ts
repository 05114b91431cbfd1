import { WebSocket } from 'ws';
import type { ClientFrame, HostFrame } from '../../../shared/contract/wire.ts';

/** A bare WebSocket client with the headers a test wants; reads frames in order. */
export class TestWindow {
  readonly socket: WebSocket;
  readonly #frames: HostFrame[] = [];
  readonly #waiting: ((frame: HostFrame) => void)[] = [];
  readonly closed: Promise<number>;

  constructor(port: number, headers: { readonly origin?: string; readonly host?: string } = {}) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, {
      ...(headers.origin === undefined ? {} : { origin: headers.origin }),
      ...(headers.host === undefined ? {} : { headers: { host: headers.host } }),
    });
    // whoever waits hears it too; an error that nobody hears would end the run of all tests
    this.socket.on('error', () => {});
    this.socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as HostFrame;
      const next = this.#waiting.shift();
      if (next) next(frame);
      else this.#frames.push(frame);
    });
    this.closed = new Promise((resolve) => this.socket.once('close', (code) => resolve(code)));
  }

  /** The HTTP status of a refused upgrade, or 101. */
  upgrade(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.socket.once('open', () => resolve(101));
      this.socket.once('unexpected-response', (_request, response) => {
        resolve(response.statusCode ?? 0);
        this.socket.terminate();
      });
      this.socket.once('error', (error) => reject(error));
    });
  }

  send(frame: ClientFrame | string): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  next(): Promise<HostFrame> {
    const frame = this.#frames.shift();
    return frame ? Promise.resolve(frame) : new Promise((resolve) => this.#waiting.push(resolve));
  }
}

export const tokenOf = (address: string): string => new URL(address).hash.slice('#token='.length);

/** A window past its hello. */
export const openTestWindow = async (port: number, address: string): Promise<{ readonly window: TestWindow; readonly session: string }> => {
  const window = new TestWindow(port, { origin: `http://127.0.0.1:${port}` });
  await window.upgrade();
  window.send({ kind: 'hello', token: tokenOf(address) });
  const welcome = await window.next();
  if (welcome.kind !== 'welcome') throw new Error('no welcome');
  return { window, session: welcome.session };
};
