/** What one server may ask: of one call, in one minute, at once. */
export const ASK_LIMITS = { perCall: 20, perMinute: 30, perRound: 10 } as const;
const MINUTE_MS = 60_000;

/** How often a server has asked in the last minute. */
export class AskPace {
  readonly #now: () => number;
  #at: number[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts one; false where it is one too many. */
  take(): boolean {
    const now = this.#now();
    this.#at = this.#at.filter((at) => now - at < MINUTE_MS);
    if (this.#at.length >= ASK_LIMITS.perMinute) return false;
    this.#at.push(now);
    return true;
  }
}
