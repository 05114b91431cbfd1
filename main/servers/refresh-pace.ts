import { isDeepStrictEqual } from 'node:util';

/** What one reading found of the tools: whether their list was read, and for how long the server says that it holds. */
export interface ToolsRead {
  readonly ok: boolean;
  readonly ttlMs?: number | undefined;
  /** what was found, as plain data; readings are compared by it */
  readonly found?: unknown;
}

/** Readings that come on notices keep a growing distance, at most ten in a minute; after a quiet time the first one is prompt again. */
const FIRST_GAP_MS = 1000;
const LAST_GAP_MS = 15_000;
const QUIET_MS = 60_000;
/** Between the beginnings of readings that calls wait for. */
const FORCED_GAP_MS = 250;
/** A server that announces another change during each reading is read so often for one call, and no more. */
const FORCED_READINGS = 3;
/** A shorter time to live counts as this: 0 is the default of the newer era's libraries, and what changes within is announced. */
const SHORTEST_TTL_MS = 60_000;
/** So many readings in succession, each announced as a change while it was made and each like the one before, and such notices are known for an echo. */
const ECHOES_PROVE = 2;
/** An echo may come this late after the answer. */
const ECHO_MS = 100;

/**
 * One reading in flight and one after it: any number of change notices in between cost one more reading, and the last change is never lost (F21, C027, C028).
 * Knows what was announced and not read yet, and makes a call wait for it (S63).
 */
export class RefreshPace {
  readonly #read: () => Promise<ToolsRead>;
  readonly #now: () => number;
  #running: Promise<boolean> | null = null;
  #following: Promise<boolean> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #again = false;
  #lastAt = -Infinity;
  #begunAt = -Infinity;
  #gapMs = FIRST_GAP_MS;
  #stopped = false;
  /** changes of the tools told of so far, and up to which of them the last good reading goes */
  #announced = 0;
  #readUpTo = 0;
  /** the same of resources and prompts: a call of a tool does not wait for them */
  #othersAnnounced = 0;
  #othersReadUpTo = 0;
  #readAt = -Infinity;
  /** readings in succession that were announced as a change and found none */
  #echoes = 0;
  #found: unknown = undefined;
  #ttlEndsAt = Infinity;
  readonly #waiting = new Set<() => void>();

  constructor(read: () => Promise<ToolsRead>, now: () => number = () => performance.now()) {
    this.#read = read;
    this.#now = now;
  }

  /** A list is said to have changed. */
  notice(ofTools = true): void {
    if (this.#stopped) return;
    if (ofTools) {
      this.#announced += 1;
      if (this.#running === null && this.#echoes >= ECHOES_PROVE && this.#now() - this.#lastAt < ECHO_MS && this.#readUpTo === this.#announced - 1) this.#readUpTo = this.#announced;
    } else this.#othersAnnounced += 1;
    this.#schedule();
  }

  /** True while a change of the tools (`alsoOthers`: of anything) was announced and not read yet, when the time to live of the last reading is over, or when it is older than this. */
  isDue(maxAgeMs = Infinity, alsoOthers = false): boolean {
    const now = this.#now();
    return (alsoOthers && this.#othersAnnounced !== this.#othersReadUpTo) || this.#announced !== this.#readUpTo || now >= this.#ttlEndsAt || now - this.#readAt > maxAgeMs;
  }

  /** Reads at once, or joins the reading in flight. */
  async now(): Promise<void> {
    await (this.#running ?? this.#begin());
  }

  /**
   * Resolves true when the tools were read by a reading that began after this was asked, false when it failed or did not end in time. Whoever waits shares the
   * readings; a change that is announced during one costs another, up to FORCED_READINGS.
   */
  async settle(limitMs: number, alsoOthers = false): Promise<boolean> {
    const end = this.#now() + limitMs;
    for (let readings = 0; readings < FORCED_READINGS && (readings === 0 || this.isDue(Infinity, alsoOthers)); readings += 1) {
      if (!(await this.#within(this.#next(), end - this.#now()))) return false;
    }
    return true;
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const give of [...this.#waiting]) give();
  }

  #schedule(): void {
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

  #begin(): Promise<boolean> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#again = false;
    const upTo = this.#announced;
    const othersUpTo = this.#othersAnnounced;
    const begunAt = this.#now();
    this.#begunAt = begunAt;
    this.#running = this.#read()
      .catch((): ToolsRead => ({ ok: false }))
      .then(({ ok, ttlMs, found }) => {
        this.#running = null;
        this.#lastAt = this.#now();
        if (ok) {
          const isEcho = (this.#announced > upTo || this.#othersAnnounced > othersUpTo) && found !== undefined && isDeepStrictEqual(found, this.#found);
          this.#echoes = isEcho ? this.#echoes + 1 : 0;
          this.#found = found;
          // the server's own answer to being read is no change that a call has to wait for (C028); the paced readings go on
          this.#readUpTo = this.#echoes >= ECHOES_PROVE ? this.#announced : upTo;
          this.#othersReadUpTo = this.#echoes >= ECHOES_PROVE ? this.#othersAnnounced : othersUpTo;
          this.#readAt = begunAt;
          this.#ttlEndsAt = ttlMs === undefined ? Infinity : begunAt + Math.max(SHORTEST_TTL_MS, ttlMs);
        }
        if (this.#again && !this.#stopped) this.#schedule();
        return ok;
      });
    return this.#running;
  }

  /** A reading that begins from now on, shared by all who ask before it begins; who asks later gets one of his own. */
  #next(): Promise<boolean> {
    // `then` runs after the assignment, also when there is nothing to wait for: a place that is never given up would stand for every later reading
    this.#following ??= this.#turn().then(() => {
      this.#following = null;
      return this.#stopped ? false : this.#begin();
    });
    return this.#following;
  }

  /** Until none is under way and the last forced one began long enough ago. */
  async #turn(): Promise<void> {
    if (this.#running !== null) await this.#running;
    const wait = FORCED_GAP_MS - (this.#now() - this.#begunAt);
    if (wait > 0) await new Promise((resume) => setTimeout(resume, wait));
    if (this.#running !== null) await this.#running;
  }

  #within(reading: Promise<boolean>, ms: number): Promise<boolean> {
    return new Promise((done) => {
      const finish = (read: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(give);
        done(read);
      };
      const give = (): void => finish(false);
      const timer = setTimeout(give, Math.max(0, ms));
      this.#waiting.add(give);
      void reading.then(finish);
      if (this.#stopped) give();
    });
  }
}
