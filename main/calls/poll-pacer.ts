import { fault, type Fault } from '../../shared/fault.ts';

/** A job that nobody asks about any more is forgotten after this many of its distances. */
const FORGOTTEN_AFTER = 10;

interface Slot {
  /** when the last poll left or will leave, monotonic ms */
  readonly at: number;
  readonly everyMs: number;
}

/**
 * Keeps polls of one job apart. A poll that comes early waits for its turn; where one waits already, the next is answered with that fact. A job is a capability
 * with its input.
 */
export class PollPacer {
  readonly #slots = new Map<string, Slot>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** rate_limited where another poll of this job waits for its turn already; null: it may be made, now or after a pause. */
  refusal(job: string, everyMs: number): Fault | null {
    const slot = this.#slots.get(job);
    const now = this.#now();
    if (everyMs === 0 || slot === undefined || slot.at <= now) return null;
    const waitMs = Math.ceil(slot.at + everyMs - now);
    return fault('rate_limited', `This job was asked about a moment ago, and one question waits for its turn already; polls of one job are at least ${everyMs / 1000} s apart. Nothing was sent.`, {
      remedy: `Take the answer of the question that waits, or ask again in ${Math.ceil(waitMs / 1000)} s.`,
      details: { pollEveryMs: everyMs, waitMs },
    });
  }

  /** Takes the next turn; the pause until then, ms. */
  take(job: string, everyMs: number): number {
    if (everyMs === 0) return 0;
    const now = this.#now();
    for (const [key, slot] of this.#slots) if (now - slot.at > slot.everyMs * FORGOTTEN_AFTER) this.#slots.delete(key);
    const last = this.#slots.get(job);
    const at = last === undefined ? now : Math.max(now, last.at + everyMs);
    this.#slots.set(job, { at, everyMs });
    return at - now;
  }
}
