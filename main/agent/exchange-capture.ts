import type { Fault } from '../../shared/fault.ts';
import { AnswerTooLarge } from '../network/answer-too-large.ts';
import { networkFault } from '../network/network-fault.ts';
import { retryAfterMs } from '../servers/retry-after.ts';

/** One request as it left this machine and what came back; headers are not kept, so no key can be. */
export interface CapturedExchange {
  readonly url: string;
  readonly requestText: string;
  readonly status: number | null;
  /** it went out, or may have, and no status came back */
  readonly isLost: boolean;
}

/** What the libraries take in place of the platform's own. */
type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** What stands between a reply and the library that reads it. */
export interface ReplyMends {
  readonly stream: () => TransformStream<Uint8Array, Uint8Array>;
  readonly whole: (replyText: string) => string;
}

/** Of one reply, decoded; the largest context that a model writes is a hundredth of it. */
const REPLY_CAP_BYTES = 32 * 1024 * 1024;

/** There was no connection that a request could have left by. */
const NO_CONNECTION: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT', 'EADDRNOTAVAIL']);

const neverLeft = (error: unknown): boolean => {
  if (networkFault(error) !== null) return true;
  for (let at: unknown = error, depth = 0; typeof at === 'object' && at !== null && depth < 8; depth += 1) {
    const { code, cause, errors } = at as { readonly code?: unknown; readonly cause?: unknown; readonly errors?: readonly unknown[] };
    if (typeof code === 'string' && NO_CONNECTION.has(code)) return true;
    at = cause ?? errors?.[0];
  }
  return false;
};

/** Stands in for the platform's fetch under one model request: keeps the request's text, the status and the raw reply. */
export class ExchangeCapture {
  readonly #fetch: (url: string, init?: RequestInit) => Promise<Response>;
  #exchange: CapturedExchange | null = null;
  #replyText = '';
  #isWhole = false;
  #isReplay = false;
  retryAfterMs: number | null = null;
  /** where a redirect leads; null: it names no place, or there is none */
  location: string | null = null;

  readonly #admit: (requestText: string) => Fault | null;
  #refusal: Fault | null = null;

  readonly #mends: ReplyMends | null;

  /** `admit`: a fault keeps the request here. `mends`: of what a library would make of the reply; what is kept is the reply as it came. */
  constructor(fetch: (url: string, init?: RequestInit) => Promise<Response>, admit: (requestText: string) => Fault | null = () => null, mends: ReplyMends | null = null) {
    this.#fetch = fetch;
    this.#mends = mends;
    this.#admit = admit;
  }

  get exchange(): CapturedExchange | null {
    return this.#exchange;
  }

  /** what came, as text */
  get replyText(): string {
    return this.#replyText;
  }

  /** why the request was not sent */
  get refusal(): Fault | null {
    return this.#refusal;
  }

  /** Something of a successful stream came. */
  get hasBegun(): boolean {
    return !this.#isWhole && this.#exchange?.status === 200 && /^(?:data|event):/m.test(this.#replyText.slice(0, 4096));
  }

  /** A successful answer that is no stream. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** The next request is answered with what came. */
  replay(): void {
    this.#isReplay = true;
  }

  readonly fetch: Fetch = async (input, init) => {
    if (this.#isReplay) return new Response(this.#mends?.whole(this.#replyText) ?? this.#replyText, { status: 200, headers: { 'content-type': 'application/json' } });
    const url = input instanceof Request ? input.url : String(input);
    this.#exchange = { url, requestText: typeof init?.body === 'string' ? init.body : '', status: null, isLost: false };
    this.#refusal = this.#admit(this.#exchange.requestText);
    if (this.#refusal !== null) throw new Error(this.#refusal.message);
    const response = await this.#fetch(url, { ...init, redirect: 'manual' }).catch((error: unknown) => {
      this.#exchange = { ...this.#exchange!, isLost: !neverLeft(error) };
      throw error;
    });
    this.#exchange = { ...this.#exchange, status: response.status };
    this.retryAfterMs = retryAfterMs(response.headers.get('retry-after'), Date.now());
    this.location = response.headers.get('location');
    const type = response.headers.get('content-type') ?? '';
    const decoder = new TextDecoder();
    let size = 0;
    const hear = (chunk: Uint8Array): void => {
      size += chunk.length;
      if (size > REPLY_CAP_BYTES) throw new AnswerTooLarge(size);
      this.#replyText += decoder.decode(chunk, { stream: true });
    };
    if (response.ok && /json|html/i.test(type)) {
      this.#isWhole = true;
      for await (const chunk of response.body ?? []) hear(chunk);
      // a library that wants a stream reads none here
      throw new TypeError('the reply is no stream');
    }
    const { status, statusText, headers } = response;
    const body = response.body?.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          hear(chunk);
          controller.enqueue(chunk);
        },
      }),
    );
    const mended = this.#mends === null || !response.ok ? body : body?.pipeThrough(this.#mends.stream());
    return new Response(mended ?? null, { status, statusText, headers });
  };
}
