import type { LookupFunction } from 'node:net';
import { AnswerTooLarge } from '../answer-too-large.ts';
import type { Outbound, OutboundClient } from '../../network/outbound.ts';
import { AddressNotPublic, isPublicAddress, publicLookup, resolvesToPublic } from '../../network/public-address.ts';
import { AuthFault } from './auth-fault.ts';
import { isLoopbackAddress, isPrivateAddress, judgeAddress, unsafeAddress, type AddressRules, type JudgedAddress } from './judge-address.ts';

export const AUTH_FETCH_LIMITS = { connectMs: 15_000, answerMs: 30_000, answerBytes: 256 * 1024 } as const;

const MAY_DIAL: Readonly<Record<JudgedAddress['dial'], ((address: string) => boolean) | null>> = {
  own: null,
  loopback: isLoopbackAddress,
  public: isPublicAddress,
  agreed: (address) => isPublicAddress(address) || isPrivateAddress(address),
};

export interface AuthFetchOptions {
  readonly outbound: Outbound;
  readonly rules: AddressRules;
  readonly signal?: AbortSignal;
  /** resolves names, for tests; the system's otherwise */
  readonly resolve?: LookupFunction | undefined;
}

/**
 * The `fetch` of everything that signing in asks for: metadata, registration, tokens, revocation. Carries none of the server's configured headers. Every address, those
 * of redirects too, is judged before it is dialled and again by what its name leads to; redirects are not followed here (the SDK follows within one origin, asking for
 * each hop). Answers are bounded in time and decoded bytes. Rejects with AuthFault (`sign_in_unsafe`), AnswerTooLarge, or as the platform's.
 */
export class AuthFetch {
  readonly #options: AuthFetchOptions;
  readonly #clients = new Map<JudgedAddress['dial'], OutboundClient>();

  constructor(options: AuthFetchOptions) {
    this.#options = options;
  }

  readonly fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { rules, outbound, resolve, signal } = this.#options;
    const judged = judgeAddress(String(input), 'An address of the sign-in', rules);
    if (!judged.ok) throw new AuthFault(judged.error);
    const { url, dial } = judged.value;
    const may = MAY_DIAL[dial];
    const time = AbortSignal.timeout(AUTH_FETCH_LIMITS.answerMs);
    try {
      // a proxy looks the name up for itself: what this computer finds is judged all the same
      if (may !== null && (await outbound.goesThroughProxy(url))) await resolvesToPublic(url.hostname, resolve, may);
      const headers = [...new Headers(init.headers)];
      const response = await this.#client(dial, may).fetch(url, { ...init, headers, body: init.body instanceof URLSearchParams ? init.body.toString() : (init.body ?? null), redirect: 'manual', signal: AbortSignal.any([time, ...(signal === undefined ? [] : [signal]), ...(init.signal ? [init.signal] : [])]) });
      return await bounded(response);
    } catch (error) {
      const led = notPublicIn(error);
      if (led !== null) throw new AuthFault(unsafeAddress('An address of the sign-in', url.origin, dial === 'public' && isPrivateAddress(led.address) ? 'private_address' : 'address', url.origin));
      // the SDK tells network failures by this class alone
      throw error instanceof TypeError || error instanceof AnswerTooLarge ? error : new TypeError('fetch failed', { cause: error });
    }
  };

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }

  #client(dial: JudgedAddress['dial'], may: ((address: string) => boolean) | null): OutboundClient {
    let client = this.#clients.get(dial);
    if (client === undefined) {
      const { connectMs, answerMs } = AUTH_FETCH_LIMITS;
      client = this.#options.outbound.client('sign_in', { connectMs, headersMs: answerMs, bodyMs: answerMs, ...(may === null ? {} : { lookup: publicLookup(this.#options.resolve, may) }) });
      this.#clients.set(dial, client);
    }
    return client;
  }
}

/** The whole answer, read under the cap; decoded bytes count. */
const bounded = async (response: Response): Promise<Response> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > AUTH_FETCH_LIMITS.answerBytes) throw new AnswerTooLarge(size);
    chunks.push(chunk);
  }
  const headers = new Headers([...response.headers]);
  headers.delete('content-length');
  headers.delete('content-encoding');
  const empty = [204, 205, 304].includes(response.status);
  const whole = new Response(empty ? null : (Buffer.concat(chunks) as unknown as BodyInit), { status: response.status, statusText: response.statusText, headers });
  return Object.defineProperty(whole, 'url', { value: response.url });
};

/** Where the name of what was dialled led, when that is why it was not reached. */
const notPublicIn = (error: unknown): AddressNotPublic | null => {
  if (error instanceof AddressNotPublic || !(error instanceof Error)) return error instanceof AddressNotPublic ? error : null;
  const inner = error instanceof AggregateError ? error.errors.map(notPublicIn).find((one) => one !== null) : undefined;
  return inner ?? notPublicIn(error.cause);
};
