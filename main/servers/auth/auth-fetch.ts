import { AnswerTooLarge } from '../../network/answer-too-large.ts';
import type { Outbound, OutboundClient } from '../../network/outbound.ts';
import { addressRefusedIn } from '../../network/address-refused.ts';
import { networkFault } from '../../network/network-fault.ts';
import { readCapped } from '../../network/read-capped.ts';
import { AuthFault } from './auth-fault.ts';
import { AGREED_KINDS, judgeAddress, signInGuard, unsafeAddress, type AddressRules, type JudgedAddress } from './judge-address.ts';

const AUTH_FETCH_LIMITS = { connectMs: 15_000, answerMs: 30_000, answerBytes: 256 * 1024 } as const;

export interface AuthFetchOptions {
  readonly outbound: Outbound;
  readonly rules: AddressRules;
  readonly signal?: AbortSignal;
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
    const { rules, signal } = this.#options;
    const judged = judgeAddress(String(input), 'An address of the sign-in', rules);
    if (!judged.ok) throw new AuthFault(judged.error);
    const { url, dial } = judged.value;
    const time = AbortSignal.timeout(AUTH_FETCH_LIMITS.answerMs);
    try {
      const headers = [...new Headers(init.headers)];
      const response = await this.#client(judged.value).fetch(url, { ...init, headers, body: init.body instanceof URLSearchParams ? init.body.toString() : (init.body ?? null), redirect: 'manual', signal: AbortSignal.any([time, ...(signal === undefined ? [] : [signal]), ...(init.signal ? [init.signal] : [])]) });
      return await bounded(response);
    } catch (error) {
      const led = addressRefusedIn(error);
      if (led !== null) throw new AuthFault(dial === 'own' ? networkFault(error)! : unsafeAddress('An address of the sign-in', url.origin, dial === 'public' && AGREED_KINDS.has(led.kind) ? 'private_address' : 'address', url.origin));
      // the SDK tells network failures by this class alone
      throw error instanceof TypeError || error instanceof AnswerTooLarge ? error : new TypeError('fetch failed', { cause: error });
    }
  };

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }

  #client(judged: JudgedAddress): OutboundClient {
    let client = this.#clients.get(judged.dial);
    if (client === undefined) {
      const { connectMs, answerMs } = AUTH_FETCH_LIMITS;
      client = this.#options.outbound.client('sign_in', { connectMs, headersMs: answerMs, bodyMs: answerMs, guard: signInGuard(judged, this.#options.rules) });
      this.#clients.set(judged.dial, client);
    }
    return client;
  }
}

/** The whole answer, read under the cap; decoded bytes count. */
const bounded = async (response: Response): Promise<Response> => {
  const bytes = await readCapped(response, AUTH_FETCH_LIMITS.answerBytes);
  const headers = new Headers([...response.headers]);
  headers.delete('content-length');
  headers.delete('content-encoding');
  const empty = [204, 205, 304].includes(response.status);
  const whole = new Response(empty ? null : (bytes as unknown as BodyInit), { status: response.status, statusText: response.statusText, headers });
  return Object.defineProperty(whole, 'url', { value: response.url });
};
