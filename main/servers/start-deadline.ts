export const START_LIMIT_MS = 120_000;
export const START_HARD_LIMIT_MS = 15 * 60_000;

/**
 * The deadline of a start: `limitMs` without a sign of life, each line on stderr extends it, `hardMs` in all (C007, F18). Monotonic time.
 */
export class StartDeadline {
  readonly #limitMs: number;
  readonly #hardAt: number;
  readonly #expire: () => void;
  #timer: NodeJS.Timeout;
  #spokeAt: number;

  constructor(expire: () => void, limitMs = START_LIMIT_MS, hardMs = START_HARD_LIMIT_MS) {
    this.#limitMs = limitMs;
    this.#expire = expire;
    this.#spokeAt = performance.now();
    this.#hardAt = this.#spokeAt + hardMs;
    this.#timer = this.#arm();
  }

  /** The server said something. Costs no timer: the running one looks at the time when it fires. */
  spoke(): void {
    this.#spokeAt = performance.now();
  }

  clear(): void {
    clearTimeout(this.#timer);
  }

  #arm(): NodeJS.Timeout {
    const at = Math.min(this.#hardAt, this.#spokeAt + this.#limitMs);
    return setTimeout(() => {
      const now = performance.now();
      if (now >= this.#hardAt - 1 || now >= this.#spokeAt + this.#limitMs - 1) this.#expire();
      else this.#timer = this.#arm();
    }, Math.max(1, at - performance.now()));
  }
}
