import { fault, type Fault } from '../../shared/fault.ts';
import { httpStatusOf } from './connect-fault.ts';
import { rawRequest, type Session } from './session.ts';

/** Calls in succession without an answer, in which the server said nothing at all, after which it is asked whether it lives. */
const UNANSWERED_CALLS = 3;
const PING_LIMIT_MS = 5000;

/** Tells a server that hangs from a tool that is slow: one that says anything, to a call or to a question for its life, lives (design section 4, kind TIMEOUT). */
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
    let lives = false;
    try {
      // any answer will do, a refusal by its status alone too; the newer era has no ping
      lives = await rawRequest(session.client, session.era === 'modern' ? 'server/discover' : 'ping', undefined, { timeout: PING_LIMIT_MS }).then(() => true, (error: unknown) => httpStatusOf(error) !== null);
    } finally {
      this.#asking = false;
    }
    if (lives || session.inbound.heardAt > since) {
      this.#unanswered = 0;
      return null;
    }
    return fault('timeout', `The server has said nothing for ${UNANSWERED_CALLS} calls and does not answer the question whether it lives.`, { remedy: 'It is started anew; look at its log for what it waits for.' });
  }
}
