import { fault, type Fault } from '../../shared/fault.ts';
import { rawRequest, type Session } from './session.ts';

/** Calls in succession without an answer, in which the server said nothing at all, after which it is asked whether it lives. */
const UNANSWERED_CALLS = 3;
const PING_LIMIT_MS = 5000;

/** Tells a server that hangs from a tool that is slow: one that says anything, to a call or to ping, lives (design section 4, kind TIMEOUT). */
export class Silence {
  #unanswered = 0;
  #heardAt = -Infinity;
  #asking = false;

  /** A call on this session, begun at `since` (monotonic, ms), had no answer in time. Why the connection is to be given up, or null. */
  async unanswered(session: Session, since: number): Promise<Fault | null> {
    const { heardAt } = session.inbound;
    if (heardAt !== this.#heardAt || heardAt > since) this.#unanswered = 0;
    this.#heardAt = heardAt;
    this.#unanswered = heardAt > since ? 0 : this.#unanswered + 1;
    if (this.#unanswered < UNANSWERED_CALLS || this.#asking) return null;
    this.#asking = true;
    try {
      // any answer will do, a refusal too
      await rawRequest(session.client, 'ping', undefined, { timeout: PING_LIMIT_MS }).catch(() => null);
    } finally {
      this.#asking = false;
    }
    if (session.inbound.heardAt > since) {
      this.#unanswered = 0;
      return null;
    }
    return fault('timeout', `The server has said nothing for ${UNANSWERED_CALLS} calls and does not answer ping.`, { remedy: 'It is started anew; look at its log for what it waits for.' });
  }
}
