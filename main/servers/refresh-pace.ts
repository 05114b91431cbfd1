/**
 * One reading in flight and one after it: any number of change notices in between cost one more reading, and the last change is never lost (F21, C027, C028).
 * Readings that come on notices keep a growing distance, at most ten in a minute; after a quiet time the first one is prompt again.
 */
const FIRST_GAP_MS = 1000;
const LAST_GAP_MS = 15_000;
const QUIET_MS = 60_000;

export class RefreshPace {
  readonly #read: () => Promise<void>;
  readonly #now: () => number;
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #again = false;
  #lastAt = -Infinity;
  #gapMs = FIRST_GAP_MS;
  #stopped = false;

  constructor(read: () => Promise<void>, now: () => number = () => performance.now()) {
    this.#read = read;
    this.#now = now;
  }

  /** A list is said to have changed. */
  notice(): void {
    if (this.#stopped) return;
    if (this.#running !== null) {
      this.#again = true;
      return;
    }
    if (this.#timer !== null) return;
    const since = this.#now() - this.#lastAt;
    if (since > QUIET_MS) this.#gapMs = FIRST_GAP_MS;
    // a short wait lets the rest of a burst arrive
    const wait = Math.max(50, this.#gapMs - since);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#gapMs = Math.min(LAST_GAP_MS, this.#gapMs * 2);
      void this.now();
    }, wait);
  }

  /** Reads at once, or joins the reading in flight. */
  now(): Promise<void> {
    if (this.#running !== null) return this.#running;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#again = false;
    this.#running = this.#read()
      .catch(() => {})
      .finally(() => {
        this.#running = null;
        this.#lastAt = this.#now();
        if (this.#again) this.notice();
      });
    return this.#running;
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
