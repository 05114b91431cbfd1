/** The time of one call in which nobody is awaited: while a person is asked, it stands still (C034). Monotonic, ms. */
export class CallClock {
  readonly #now: () => number;
  readonly #timers = new Set<{ left: number; from: number; handle: NodeJS.Timeout | null; readonly due: () => void }>();
  #asked = 0;
  #waitingSince: number | null = null;
  #waited = 0;
  readonly #startedAt: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#startedAt = now();
  }

  /** Time spent waiting for a person. */
  get waitedMs(): number {
    return this.#waited + (this.#waitingSince === null ? 0 : this.#now() - this.#waitingSince);
  }

  get activeMs(): number {
    return this.#now() - this.#startedAt - this.waitedMs;
  }

  /** A person is asked; several may be at once. */
  waits(): void {
    this.#asked += 1;
    if (this.#asked > 1) return;
    const now = (this.#waitingSince = this.#now());
    for (const timer of this.#timers) {
      clearTimeout(timer.handle ?? undefined);
      timer.handle = null;
      timer.left -= now - timer.from;
    }
  }

  goesOn(): void {
    this.#asked -= 1;
    if (this.#asked > 0 || this.#waitingSince === null) return;
    this.#waited += this.#now() - this.#waitingSince;
    this.#waitingSince = null;
    for (const timer of this.#timers) this.#arm(timer);
  }

  /** Calls back after so much of this time; what is returned calls that off. */
  after(ms: number, due: () => void): () => void {
    const timer = { left: ms, from: this.#now(), handle: null as NodeJS.Timeout | null, due };
    this.#timers.add(timer);
    if (this.#waitingSince === null) this.#arm(timer);
    return () => {
      clearTimeout(timer.handle ?? undefined);
      this.#timers.delete(timer);
    };
  }

  #arm(timer: { left: number; from: number; handle: NodeJS.Timeout | null; readonly due: () => void }): void {
    timer.from = this.#now();
    timer.handle = setTimeout(() => {
      this.#timers.delete(timer);
      timer.due();
    }, Math.max(0, timer.left));
  }
}
