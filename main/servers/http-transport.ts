import { SSEClientTransport, StreamableHTTPClientTransport, type JSONRPCMessage, type Transport, type TransportSendOptions } from '@modelcontextprotocol/client';
import { fault, type Fault } from '../../shared/fault.ts';
import { nestsDeeper, withoutDeepEntries } from './deep-entries.ts';
import type { FrameLane } from './frame-lane.ts';
import type { RequestAuthorization } from './auth/request-authorization.ts';
import { GuardedFetch, type HttpLimits } from './guarded-fetch.ts';
import { HttpFrames } from './http-frames.ts';
import { frozenIn, type FrozenArguments } from './frozen-arguments.ts';
import type { Inbound } from './inbound.ts';
import { JSON_DEPTH_CAP } from './json-depth.ts';
import type { Ledger } from './ledger.ts';
import type { AddressGuard } from '../network/address-guard.ts';
import type { Outbound } from '../network/outbound.ts';
import { spokenError } from './spoken-error.ts';
import { createStreamPace } from './stream-pace.ts';

type Message = Readonly<Record<string, unknown>>;

export interface HttpOptions {
  readonly kind: 'streamable-http' | 'sse';
  readonly url: string;
  readonly guard: AddressGuard;
  readonly headers: Readonly<Record<string, string>>;
  readonly outbound: Outbound;
  readonly limits?: HttpLimits;
  readonly authorization: RequestAuthorization | null;
  /** reads large messages in worker threads; without it they are read in place */
  readonly frames?: FrameLane | undefined;
  /** an event stream that the connection stands on has broken */
  readonly onBroken: (message: string) => void;
  /** the stream of the server's own messages was opened anew: some may be lost */
  readonly onStreamAgain: () => void;
  /** an event stream asks for a longer pause than it is given before it is opened again */
  readonly onPauseCut?: (askedMs: number, waitMs: number) => void;
}

const MOST_REPLIES = 64;

/** How long an abandoned call's answer may still come (F09) before its request is cut. */
const LATE_ANSWER_MS = 30_000;

/** The SDK's HTTP transports behind the same ledger, guards and frozen arguments as stdio. */
export class HttpTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly kind: 'streamable-http' | 'sse';
  readonly hasPerRequestStream: boolean;
  /** the pause that the latest 429 or 503 named (Retry-After), in ms, as it asked; null when it named none */
  askedPauseMs: number | null = null;
  readonly authorization: RequestAuthorization | null;
  readonly #inner: StreamableHTTPClientTransport | SSEClientTransport;
  readonly #fetch: GuardedFetch;
  readonly #frames: HttpFrames;
  readonly #ledger: Ledger;
  readonly #onBroken: (message: string) => void;
  /** requests whose answer was read whole; what it holds reaches the ledger before `send` of the SDK resolves */
  readonly #whole = new Set<string | number>();
  readonly #cutters = new Map<FrozenArguments, AbortController>();
  #inbound: Inbound | null = null;
  /** answers to requests of the server that are on their way */
  #replying = 0;
  #open = false;
  #closed = false;

  constructor(options: HttpOptions, ledger: Ledger) {
    this.kind = options.kind;
    this.hasPerRequestStream = options.kind === 'streamable-http';
    this.#ledger = ledger;
    this.#onBroken = options.onBroken;
    this.authorization = options.authorization;
    this.#frames = new HttpFrames(options.frames, ledger);
    this.#fetch = new GuardedFetch({ ...options, onWhole: (id) => this.#whole.add(id), onPauseAsked: (pauseMs) => (this.askedPauseMs = pauseMs) }, options.kind === 'streamable-http', this.#frames);
    const url = new URL(options.url);
    this.#inner =
      options.kind === 'sse'
        ? new SSEClientTransport(url, { fetch: this.#fetch.fetch, eventSourceInit: { fetch: this.#fetch.fetch as never } })
        : new StreamableHTTPClientTransport(url, {
            fetch: this.#fetch.fetch,
            reconnectionScheduler: createStreamPace({ told: options.onPauseCut }),
            reconnectionOptions: { initialReconnectionDelay: 1000, maxReconnectionDelay: 30_000, reconnectionDelayGrowFactor: 2, maxRetries: 3 },
            onInsufficientScope: 'throw',
          });
  }

  attach(inbound: Inbound): void {
    this.#inbound = inbound;
  }

  get sessionId(): string | undefined {
    return 'sessionId' in this.#inner ? this.#inner.sessionId : undefined;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  async start(): Promise<void> {
    this.#inner.onmessage = (message) => this.#deliver(message as unknown as Message);
    this.#inner.onerror = (error) => {
      this.onerror?.(error);
      // the old transport lives on its one stream; calls that wait on it would wait for ever
      if (this.kind === 'sse' && this.#open && !this.#closed) this.#onBroken(error.message);
    };
    this.#inner.onclose = () => this.#finish();
    await this.#inner.start();
    this.#open = true;
  }

  #deliver(said: Message): void {
    // answered, by a result or an error, whatever follows: an introduction that was refused is made once more under the same id (C021)
    if (said['method'] === undefined) this.#whole.delete(said['id'] as string | number);
    const part = this.#frames.take(said);
    const forSdk = part === null ? this.#takeAsItCame(said) : part.kind === 'message' ? this.#inbound?.take(part.message, part) : part.kind === 'unreadable' ? this.#inbound?.unreadable(part) : null;
    if (forSdk) this.onmessage?.(forSdk as unknown as JSONRPCMessage);
  }

  #takeAsItCame(said: Message): Message | null {
    // a message of an event stream was parsed by the SDK; writing a deep one down would end in a stack overflow
    const message = nestsDeeper(said) ? withoutDeepEntries(said) : said;
    if (message === null) return this.#tooDeep(said);
    const result = message['result'];
    return this.#inbound?.take(message, { sizeBytes: result === undefined ? 0 : Buffer.byteLength(JSON.stringify(result)) }) ?? null;
  }

  #tooDeep({ id, method }: Message): Message | null {
    const asks = method !== undefined;
    const why = fault('protocol_error', `The ${asks ? 'request' : 'answer'} is nested deeper than ${JSON_DEPTH_CAP} levels and was not read.`);
    return this.#inbound?.unreadable({ kind: 'unreadable', id: typeof id === 'number' || typeof id === 'string' ? id : null, fault: why, sizeBytes: 0, ...(asks ? { asks } : {}) }) ?? null;
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    const raw = message as unknown as Message;
    const frozen = frozenIn(raw);
    this.#inbound?.sending(raw);
    this.#ledger.sent(raw);
    if (frozen !== null && frozen.mark !== '') this.#fetch.expect(frozen);
    else frozen?.written();
    const cutter = frozen === null ? null : new AbortController();
    if (frozen !== null && cutter !== null) this.#cutters.set(frozen, cutter);
    const signal = cutter === null ? options.requestSignal : options.requestSignal === undefined ? cutter.signal : AbortSignal.any([cutter.signal, options.requestSignal]);
    const sending = {
      ...options,
      ...(signal === undefined ? {} : { requestSignal: signal }),
      onRequestStreamEnd: () => {
        options.onRequestStreamEnd?.();
        this.#streamEnded(raw['id']);
      },
    };
    try {
      await (this.#inner as Transport).send(message, sending);
      const id = raw['id'];
      if ((typeof id === 'string' || typeof id === 'number') && this.#whole.delete(id)) this.#endWithout(id, fault('protocol_error', 'The endpoint answered the request with something that does not answer it.'));
    } catch (error) {
      this.#whole.delete(raw['id'] as string | number);
      const again = raw['method'] === 'initialize' ? this.#inbound?.secondInitialize(spokenError(error) ?? {}) : null;
      if (!again) throw error;
      await (this.#inner as Transport).send(again as unknown as JSONRPCMessage, sending);
    }
  }

  /** The stream that was to bring an answer is over and could not be resumed: the call ends here, its outcome unknown (F26, C043). */
  #streamEnded(id: unknown): void {
    if (typeof id !== 'number' && typeof id !== 'string') return;
    this.#endWithout(id, fault('connection_failed', 'The connection broke before the answer came.'));
  }

  #endWithout(id: string | number, why: Fault): void {
    const answer = this.#ledger.endedWithout(id, why);
    if (answer !== null) this.onmessage?.(answer as unknown as JSONRPCMessage);
  }

  /** An answer to the server is a request of its own over HTTP: what asks without end is answered so many times at once, and not beyond (F25). */
  async sendRaw(message: Message): Promise<void> {
    const isReply = message['method'] === undefined;
    if (isReply && this.#replying >= MOST_REPLIES) throw new Error('The server asks more at once than it is answered.');
    if (isReply) this.#replying += 1;
    try {
      await this.send(message as unknown as JSONRPCMessage);
    } finally {
      if (isReply) this.#replying -= 1;
    }
  }

  /** The caller no longer waits: a late answer is still heard for a while, then the request is cut. */
  abandon(frozen: FrozenArguments): void {
    this.#fetch.settled(frozen);
    const cutter = this.#cutters.get(frozen);
    this.#cutters.delete(frozen);
    if (cutter !== undefined) setTimeout(() => cutter.abort(), LATE_ANSWER_MS).unref();
  }

  settled(frozen: FrozenArguments): void {
    this.#fetch.settled(frozen);
    this.#cutters.delete(frozen);
  }

  async stop(): Promise<boolean> {
    await this.close();
    return true;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    // a session that is not ended keeps memory on the other side; a dead endpoint must not hold up the stop
    if (this.#inner instanceof StreamableHTTPClientTransport && this.#inner.sessionId !== undefined) {
      const patience = new Promise((resolve) => setTimeout(resolve, 1000).unref());
      await Promise.race([this.#inner.terminateSession().catch(() => {}), patience]);
    }
    await this.#inner.close().catch(() => {});
    this.#finish();
    await this.#fetch.close();
  }

  #finish(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }
}
