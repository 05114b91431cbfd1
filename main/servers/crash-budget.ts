export const CRASH_TRIES = 5;
export const STABLE_RUN_MS = 60_000;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** Each gap between two starts is longer than the one before by at least this, also where a start itself took long (C012). */
const GAP_GROWTH = 1.2;

/**
 * How often a server may end by itself before it is left stopped: waits of 1, 2, 4 .. seconds with jitter, `CRASH_TRIES` tries, counted anew after a run that was
 * stable for `stableMs` or a start by a person (P01, C012).
 */
export class CrashBudget {
  readonly #stableMs: number;
  readonly #firstWaitMs: number;
  readonly #random: () => number;
  #tries = 0;
  #startedAt: number | null = null;
  #lastGapMs = 0;

  constructor(options: { readonly stableMs?: number; readonly firstWaitMs?: number; readonly random?: () => number } = {}) {
    this.#stableMs = options.stableMs ?? STABLE_RUN_MS;
    this.#firstWaitMs = options.firstWaitMs ?? FIRST_WAIT_MS;
    this.#random = options.random ?? Math.random;
  }

  /** Ends so far in this window. */
  get tries(): number {
    return this.#tries;
  }

  reset(): void {
    this.#tries = 0;
    this.#startedAt = null;
    this.#lastGapMs = 0;
  }

  /** A try begins; `now` is monotonic. */
  started(now: number): void {
    if (this.#startedAt !== null && this.#tries > 0) this.#lastGapMs = now - this.#startedAt;
    this.#startedAt = now;
  }

  /** The server ended at `now`, after `ranMs` of being ready (0: never ready). Returns ms until the next try, or null: `tries` are used up. */
  ended(ranMs: number, now: number, tries = CRASH_TRIES): number | null {
    if (ranMs >= this.#stableMs) {
      this.#tries = 0;
      this.#lastGapMs = 0;
    }
    this.#tries++;
    if (this.#tries >= tries) return null;
    const wait = this.#firstWaitMs * 2 ** (this.#tries - 1) * (1 + 0.2 * this.#random());
    const forGrowth = this.#startedAt === null ? 0 : this.#lastGapMs * GAP_GROWTH - (now - this.#startedAt);
    return Math.round(Math.min(LONGEST_WAIT_MS, Math.max(wait, forGrowth)));
  }
}
