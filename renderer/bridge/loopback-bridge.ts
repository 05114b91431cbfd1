import type { Bridge } from '../../shared/contract/bridge.ts';
import type { ClientFrame, HostFrame } from '../../shared/contract/wire.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, type Result } from '../../shared/result.ts';
import { EventListeners } from './event-listeners.ts';

export interface LoopbackBridgeOptions {
  readonly url: string;
  /** One-time token of the address fragment; exchanged for a session at the first connection. */
  readonly token: string | null;
  readonly session: { read(): string | null; write(session: string | null): void };
  readonly openSocket?: (url: string) => WebSocket;
  /** Back-off before try n (0-based) in ms. */
  readonly backOffMs?: (attempt: number) => number;
}

/** About two minutes: a host that ended does not come back, the next start has another session. */
const MOST_TRIES = 30;
/** CLOSE_CODES.refused of shared/contract/wire.ts; spelled here so that the window does not carry the schemas. */
const REFUSED: (typeof import('../../shared/contract/wire.ts').CLOSE_CODES)['refused'] = 4401;
const defaultBackOffMs = (attempt: number): number => Math.min(5_000, 250 * 2 ** attempt) * (0.75 + Math.random() / 2);

const lostFault = (): Fault =>
  fault('host_not_running', 'The connection to Gantry was lost before the answer came.', { remedy: 'Look whether the action took place before doing it again. If Gantry has ended, start it again.' });
/** `stranger`: it never had a session. */
const refusedFault = (stranger: boolean): Fault =>
  fault('forbidden', stranger ? 'This window was opened without a right to Gantry.' : 'This window has no session with Gantry any more.', { remedy: 'Run `npm run -s gantry -- open`, or start Gantry again.', details: { stranger } });

type State = { readonly at: 'connecting' } | { readonly at: 'connected'; readonly socket: WebSocket } | { readonly at: 'lost' } | { readonly at: 'refused'; readonly stranger: boolean } | { readonly at: 'closed' };
interface Pending {
  readonly text: string;
  readonly settle: (result: Result<unknown, Fault>) => void;
}

/** The loopback shell's bridge: one WebSocket, reconnected with back-off for about two minutes; what was pending on a lost one fails by name. */
export class LoopbackBridge implements Bridge {
  readonly shell = 'loopback';
  readonly #options: LoopbackBridgeOptions;
  readonly #events = new EventListeners();
  readonly #connection = new Set<(state: 'connected' | 'lost') => void>();
  readonly #pending = new Map<number, Pending>();
  #token: string | null;
  #state: State = { at: 'connecting' };
  #socket: WebSocket | null = null;
  /** ids that went out on the present socket */
  readonly #sent = new Set<number>();
  #nextId = 1;
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(options: LoopbackBridgeOptions) {
    this.#options = options;
    this.#token = options.token;
    this.#open();
  }

  readonly request = ((name: string, input: unknown): Promise<Result<unknown, Fault>> => {
    if (this.#state.at === 'refused') return Promise.resolve(err(refusedFault(this.#state.stranger)));
    if (this.#state.at === 'lost' || this.#state.at === 'closed') return Promise.resolve(err(lostFault()));
    const id = this.#nextId++;
    const text = JSON.stringify({ kind: 'request', id, name, input } satisfies ClientFrame);
    return new Promise((settle) => {
      this.#pending.set(id, { text, settle });
      // one that closes takes nothing any more; its end settles what waits
      if (this.#state.at === 'connected' && this.#state.socket.readyState === this.#state.socket.OPEN) this.#state.socket.send(text);
    });
  }) as Bridge['request'];

  readonly on: Bridge['on'] = (name, listener) => this.#events.add(name, listener);

  /** The listener also hears the present state, once it is known. */
  onConnection(listener: (state: 'connected' | 'lost') => void): () => void {
    this.#connection.add(listener);
    queueMicrotask(() => {
      if (this.#connection.has(listener) && this.#state.at !== 'connecting') listener(this.#state.at === 'connected' ? 'connected' : 'lost');
    });
    return () => this.#connection.delete(listener);
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#state = { at: 'closed' };
    this.#socket?.close();
    this.#failPending(lostFault());
  }

  #open(): void {
    const socket = this.#options.openSocket?.(this.#options.url) ?? new WebSocket(this.#options.url);
    this.#socket = socket;
    socket.addEventListener('open', () => {
      const session = this.#options.session.read();
      socket.send(JSON.stringify({ kind: 'hello', ...(this.#token ? { token: this.#token } : session ? { session } : {}) } satisfies ClientFrame));
      // right behind it: a hello that is refused closes the socket, and nothing after it is read
      this.#sent.clear();
      this.#sendPending(socket);
    });
    socket.addEventListener('message', (message) => this.#read(socket, JSON.parse(String(message.data)) as HostFrame));
    // its close follows and says the same; a socket outside a browser throws an error that nobody hears
    socket.addEventListener('error', () => {});
    socket.addEventListener('close', (event) => this.#lost(socket, event.code));
  }

  #read(socket: WebSocket, frame: HostFrame): void {
    if (frame.kind === 'event') return this.#events.emit(frame.name, frame.payload);
    if (frame.kind === 'response') {
      const pending = this.#pending.get(frame.id);
      this.#pending.delete(frame.id);
      return pending?.settle(frame.result as Result<unknown, Fault>);
    }
    this.#token = null;
    this.#options.session.write(frame.session);
    this.#attempt = 0;
    this.#state = { at: 'connected', socket };
    this.#sendPending(socket);
    this.#tell('connected');
  }

  #lost(socket: WebSocket, code: number): void {
    if (socket !== this.#socket || this.#state.at === 'closed') return;
    if (code === REFUSED && this.#token && this.#options.session.read()) {
      // a reload with an address whose token is used up: the tab's own session still holds
      this.#token = null;
      return this.#open();
    }
    if (code === REFUSED) {
      const stranger = this.#options.session.read() === null;
      this.#options.session.write(null);
      this.#state = { at: 'refused', stranger };
      this.#failPending(refusedFault(stranger));
      return this.#tell('lost');
    }
    const told = this.#state.at === 'lost';
    this.#state = { at: 'lost' };
    this.#failPending(lostFault());
    if (!told) this.#tell('lost');
    if (this.#attempt >= MOST_TRIES) return;
    this.#timer = setTimeout(() => this.#open(), (this.#options.backOffMs ?? defaultBackOffMs)(this.#attempt++));
  }

  #sendPending(socket: WebSocket): void {
    for (const [id, { text }] of this.#pending) {
      if (this.#sent.has(id)) continue;
      this.#sent.add(id);
      socket.send(text);
    }
  }

  #failPending(why: Fault): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { settle } of pending) settle(err(why));
  }

  #tell(state: 'connected' | 'lost'): void {
    for (const listener of [...this.#connection]) listener(state);
  }
}
