import { newToken, sameSecret } from '../same-secret.ts';

const TOKEN_LIFE_MS = 10 * 60_000;
const MAX_SESSIONS = 64;
const MAX_TOKENS = 8;

/**
 * One-time tokens (in an address fragment, dead at first use) and the sessions they are exchanged for.
 * Both live in memory only and end with the host. `now` is monotonic, in ms.
 */
export class WindowSessions {
  readonly #now: () => number;
  #tokens: readonly { readonly token: string; readonly until: number }[] = [];
  #sessions: readonly string[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** `lifeMs` Infinity: for an address that is printed and waits for its reader. */
  issueToken(lifeMs = TOKEN_LIFE_MS): string {
    const token = newToken();
    this.#tokens = [...this.#tokens, { token, until: this.#now() + lifeMs }].slice(-MAX_TOKENS);
    return token;
  }

  /** The new session, or null where the token is unknown, used or too old. */
  exchange(token: string): string | null {
    const at = this.#now();
    const match = this.#tokens.filter((t) => sameSecret(token, t.token) && t.until > at).at(0);
    this.#tokens = this.#tokens.filter((t) => t !== match && t.until > at);
    if (!match) return null;
    const session = newToken();
    this.#sessions = [...this.#sessions, session].slice(-MAX_SESSIONS);
    return session;
  }

  isSession(session: string): boolean {
    return this.#sessions.filter((s) => sameSecret(session, s)).length === 1;
  }
}
