import type { AddressGuard } from '../network/address-guard.ts';
import type { Outbound, OutboundClient } from '../network/outbound.ts';
import { AnswerTooLarge } from '../network/answer-too-large.ts';
import { shallowListing } from './deep-entries.ts';
import { readCapped } from '../network/read-capped.ts';
import { FRAME_CAP_BYTES } from './frame-caps.ts';
import { LARGE_FRAME_BYTES } from './frame-lane.ts';
import type { HttpFrames } from './http-frames.ts';
import { namesPause, retryAfterMs } from './retry-after.ts';
import { sseFrames } from './sse-frames.ts';
import { isDeeperThan } from './json-depth.ts';
import type { FrozenArguments } from './frozen-arguments.ts';
import { spliceFrozen } from './frozen-arguments.ts';
import { AuthFault } from './auth/auth-fault.ts';
import { challengeOf } from './auth/challenge.ts';
import type { RequestAuthorization } from './auth/request-authorization.ts';

export interface HttpLimits {
  /** until the connection stands */
  readonly connectMs: number;
  /** until the first byte of an answer; a call has its own, shorter deadline */
  readonly firstByteMs: number;
  /** between two pieces of an answer */
  readonly idleMs: number;
  /** decoded bytes of one answer, or of one event of a stream (F26) */
  readonly messageCapBytes: number;
}
/** Longer than a question waits for its person: the stream of its call is silent meanwhile. */
const SILENCE_MS = 20 * 60_000;
const HTTP_LIMITS: HttpLimits = { connectMs: 15_000, firstByteMs: SILENCE_MS, idleMs: SILENCE_MS, messageCapBytes: FRAME_CAP_BYTES };

/** Counts the decoded bytes of a JSON answer. */
const cappedStream = (stream: ReadableStream<Uint8Array>, capBytes: number): ReadableStream<Uint8Array> => {
  let size = 0;
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        size += chunk.length;
        if (size > capBytes) controller.error(new AnswerTooLarge(size));
        else controller.enqueue(chunk);
      },
    }),
  );
};

/** An error answer without an id belongs to the one request it answers (C036); too deep JSON is not parsed (F13). */
const tidyJson = (bytes: Buffer, requestId: unknown): Buffer => {
  if (isDeeperThan(bytes)) {
    const listing = shallowListing(bytes);
    if (listing !== null) return Buffer.from(JSON.stringify(listing));
    return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: requestId, error: { code: -32603, message: 'The answer is nested too deeply and was not read.' } }));
  }
  if (requestId === undefined || bytes.length > 64 * 1024 || !bytes.includes('"error"')) return bytes;
  try {
    const value = JSON.parse(bytes.toString('utf8')) as { id?: unknown; error?: unknown };
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value.error === undefined || (value.id !== null && value.id !== undefined)) return bytes;
    return Buffer.from(JSON.stringify({ ...value, id: requestId }));
  } catch {
    return bytes;
  }
};

/**
 * The only way to a remote endpoint, and to its own origin alone: redirects and endpoint events that lead elsewhere are not followed (the SDK follows within one origin
 * by asking for each hop), and what its name leads to is judged when it is dialled. Every answer is capped in decoded bytes, frozen arguments are put in byte for byte.
 */
export class GuardedFetch {
  readonly #origin: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #limits: HttpLimits;
  readonly #answersInPlace: boolean;
  readonly #frames: HttpFrames;
  readonly #client: OutboundClient;
  readonly #frozen = new Map<string, FrozenArguments>();
  readonly #written = new WeakSet<FrozenArguments>();
  readonly #ledOn = new WeakSet<FrozenArguments>();
  readonly #onStreamAgain: () => void;
  readonly #onWhole: (requestId: string | number) => void;
  readonly #onPauseAsked: (pauseMs: number | null) => void;
  readonly #authorization: RequestAuthorization | null;
  #streams = 0;

  /**
   * `answersInPlace`: a request is answered by the response to its POST (Streamable HTTP). `onStreamAgain`: the stream of what the server says by itself was opened
   * anew, from its beginning; what was said in between is lost. `onWhole`: the JSON that answers a request is there whole; no more will come for it. `onPauseAsked`: the pause that a 429 or 503 named, or null. `authorization`: of the sign-in at
   * this address.
   */
  constructor(to: { readonly url: string; readonly guard: AddressGuard; readonly headers: Readonly<Record<string, string>>; readonly outbound: Outbound; readonly limits?: HttpLimits; readonly onStreamAgain: () => void; readonly onWhole: (requestId: string | number) => void; readonly onPauseAsked: (pauseMs: number | null) => void; readonly authorization: RequestAuthorization | null }, answersInPlace: boolean, frames: HttpFrames) {
    const { connectMs, firstByteMs, idleMs } = (this.#limits = to.limits ?? HTTP_LIMITS);
    this.#onStreamAgain = to.onStreamAgain;
    this.#onWhole = to.onWhole;
    this.#onPauseAsked = to.onPauseAsked;
    this.#authorization = to.authorization;
    this.#frames = frames;
    this.#answersInPlace = answersInPlace;
    this.#origin = new URL(to.url).origin;
    this.#headers = to.headers;
    this.#client = to.outbound.client('remote_server', { guard: to.guard, connectMs, headersMs: firstByteMs, bodyMs: idleMs });
  }

  /** Announces arguments that the next body may hold; forgotten once they were put in. */
  expect(frozen: FrozenArguments): void {
    this.#frozen.set(frozen.mark, frozen);
  }

  /** Its call is over. */
  settled(frozen: FrozenArguments): void {
    this.#frozen.delete(frozen.mark);
  }

  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const target = new URL(url);
    // an endpoint event or a redirect to elsewhere: the library refuses it, and so does this (N05, N10)
    if (target.origin !== this.#origin) throw new TypeError(`Redirect to ${target.origin}${target.pathname} not followed: it lies at another origin.`);
    const authorization = this.#authorization;
    if (authorization === null) return this.#send(target, init, null);
    const isCall = typeof init.body === 'string' && [...this.#frozen.keys()].some((mark) => (init.body as string).includes(mark));
    for (let again = false; ; again = true) {
      const token = await authorization.token();
      const response = await this.#send(target, init, token);
      if (response.ok && isCall) authorization.passed();
      const challenge = challengeOf(response);
      if (challenge === null) return response;
      authorization.refused(challenge, token);
      // whether a call may be sent a second time is decided, and recorded, where calls are
      if (isCall) return response;
      // nobody reads it: a stream would hold its connection open
      void response.body?.cancel().catch(() => {});
      const recovered = await authorization.recover(again);
      if (!recovered.ok) throw new AuthFault(recovered.error);
    }
  };

  async #send(target: URL, init: RequestInit, token: string | null): Promise<Response> {
    const headers = new Headers(init.headers);
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
    for (const [name, value] of Object.entries(this.#headers)) if (!headers.has(name) || name.toLowerCase() === 'authorization') headers.set(name, value);
    const { body, frozen } = typeof init.body === 'string' ? this.#withFrozen(init.body) : { body: init.body, frozen: null };
    const response = await this.#client.fetch(target, {
      ...init,
      headers: [...headers],
      ...(body === undefined || body === null ? {} : { body: body as string }),
      redirect: 'manual',
    });
    // the library asks again with the same body where this leads within the origin (C108): once, because a call that is led on and on is sent each time
    if (frozen !== null && (response.status === 307 || response.status === 308)) {
      if (this.#ledOn.has(frozen)) throw new TypeError(`Redirect to ${new URL(response.headers.get('location') ?? '', target).href} not followed: the call was led on before.`);
      this.#ledOn.add(frozen);
      this.#frozen.set(frozen.mark, frozen);
    }
    if (response.status > 599) throw new TypeError(`HTTP status ${response.status} is none.`);
    if ((init.method ?? 'GET') === 'GET' && isEventStream(response) && !headers.has('last-event-id') && ++this.#streams > 1) this.#onStreamAgain();
    if (namesPause(response.status)) this.#onPauseAsked(retryAfterMs(response.headers.get('retry-after'), Date.now()));
    // accepted, and no answer will come: only the old SSE transport answers elsewhere
    if (response.status === 202 && this.#answersInPlace && idOf(init.body) !== undefined) return accepted(idOf(init.body));
    // servers in the field have no place for notifications: nothing was asked, so nothing is missing
    if (NO_PLACE.has(response.status) && isNotification(init.body)) {
      void response.body?.cancel().catch(() => {});
      return new Response(null, { status: 202 });
    }
    return this.#capped(response, init.body);
  }

  #withFrozen(body: string): { readonly body: string; readonly frozen: FrozenArguments | null } {
    for (const [mark, frozen] of this.#frozen) {
      if (!body.includes(`"${mark}"`)) continue;
      this.#frozen.delete(mark);
      if (!this.#written.has(frozen)) frozen.written();
      this.#written.add(frozen);
      return { body: spliceFrozen(body, frozen), frozen };
    }
    return { body, frozen: null };
  }

  async #capped(response: Response, requestBody: unknown): Promise<Response> {
    if (response.body === null) return response;
    if (!response.ok && !isEventStream(response)) return withUrl(new Response(await refusalBody(response, idOf(requestBody)), { status: response.status, statusText: response.statusText, headers: withoutLength(response.headers) }), response.url);
    const type = response.headers.get('content-type') ?? '';
    const isStream = isEventStream(response);
    const received = response.body as ReadableStream<Uint8Array>;
    const requestId = idOf(requestBody);
    const body = isStream ? sseFrames(received, { frames: this.#frames, capBytes: this.#limits.messageCapBytes, requestId }) : cappedStream(received, this.#limits.messageCapBytes);
    const like = { status: response.status, statusText: response.statusText, headers: response.headers };
    if (isStream || NO_BODY.has(response.status)) return withUrl(new Response(isStream ? body : null, like), response.url);
    const bytes = Buffer.from(await new Response(body).arrayBuffer());
    const standIns = type.includes('json') ? await this.#frames.standIns(bytes, requestId) : null;
    const tidy = standIns !== null ? Buffer.from(standIns.length === 1 ? standIns[0]! : `[${standIns.join(',')}]`) : type.includes('json') ? tidyJson(bytes, requestId) : bytes;
    if (type.includes('json') && this.#answersInPlace && requestId !== undefined) this.#onWhole(requestId);
    // the length and encoding of the wire no longer describe these bytes
    return withUrl(new Response(tidy as unknown as BodyInit, { ...like, headers: withoutLength(response.headers) }), response.url);
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

const withoutLength = (of: Headers): Headers => {
  const headers = new Headers(of);
  headers.delete('content-length');
  headers.delete('content-encoding');
  return headers;
};

/** Bytes of what an endpoint says to a refusal: its words and an error of the protocol, never a result. A longer body is not read on, and says nothing. */
const REFUSAL_CAP_BYTES = LARGE_FRAME_BYTES;

const refusalBody = async (response: Response, requestId: unknown): Promise<BodyInit | null> => {
  if (NO_BODY.has(response.status)) return null;
  try {
    const bytes = await readCapped(response, REFUSAL_CAP_BYTES);
    return ((response.headers.get('content-type') ?? '').includes('json') ? tidyJson(bytes, requestId) : bytes) as unknown as BodyInit;
  } catch (error) {
    if (error instanceof AnswerTooLarge) return '';
    throw error;
  }
};

const isEventStream = (response: Response): boolean => (response.headers.get('content-type') ?? '').includes('text/event-stream');

const withUrl = (response: Response, url: string): Response => Object.defineProperty(response, 'url', { value: url });

const NO_ANSWER_CODE = -32000;

/** 202 is for notifications. To a request it is an empty answer, which must end its call (F26). */
const accepted = (id: unknown): Response => Response.json({ jsonrpc: '2.0', id, error: { code: NO_ANSWER_CODE, message: 'The endpoint accepted the request (HTTP 202) without an answer.' } });

const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
const NO_PLACE: ReadonlySet<number> = new Set([405, 501]);

const isNotification = (body: unknown): boolean => {
  if (typeof body !== 'string' || !body.includes('"notifications/')) return false;
  try {
    const { method, id } = JSON.parse(body) as { method?: unknown; id?: unknown };
    return typeof method === 'string' && method.startsWith('notifications/') && id === undefined;
  } catch {
    return false;
  }
};

const idOf = (body: unknown): string | number | undefined => {
  if (typeof body !== 'string') return undefined;
  try {
    const id = (JSON.parse(body) as { id?: unknown }).id;
    return typeof id === 'number' || typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
};
