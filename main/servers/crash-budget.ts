export const CRASH_TRIES = 5;
export const STABLE_RUN_MS = 60_000;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/**
 * How often a server may end by itself before it is left stopped: waits of 1, 2, 4 .. seconds with jitter, `CRASH_TRIES` tries, counted anew after a run that was
 * stable for `stableMs` or a start by a person (P01, C012).
 */
export class CrashBudget {
  readonly #stableMs: number;
  readonly #firstWaitMs: number;
  readonly #random: () => number;
  #tries = 0;

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
  }

  /** The server ended after `ranMs` of being ready (0: never ready). Returns ms until the next try, or null: no more. */
  ended(ranMs: number): number | null {
    if (ranMs >= this.#stableMs) this.#tries = 0;
    this.#tries++;
    if (this.#tries >= CRASH_TRIES) return null;
    const wait = Math.min(LONGEST_WAIT_MS, this.#firstWaitMs * 2 ** (this.#tries - 1));
    return Math.round(wait * (1 + 0.2 * this.#random()));
  }
}
