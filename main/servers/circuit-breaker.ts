import type { Fault } from '../../shared/fault.ts';
import type { CircuitState } from '../../shared/server.ts';

/** Failures in succession after which nothing more is sent to a source but probes. */
export const CIRCUIT_OPENS_AFTER = 3;

interface Opened {
  readonly since: number;
  readonly until: number | null;
  readonly code: string;
  readonly message: string;
  /** the endpoint asked for a pause: no failure of the source */
  readonly askedMs: number | null;
}

/**
 * Whether a source may be used. Closed: it may. Open: nothing is sent until a time, or until something changes. Half open: one probe is under way.
 * Times are ms since epoch.
 */
export class CircuitBreaker {
  #failures = 0;
  #opened: Opened | null = null;
  #probes = 0;
  #probing = false;

  get view(): CircuitState {
    const { failures, probes } = { failures: this.#failures, probes: this.#probes };
    if (this.#opened === null) return { state: 'closed', failures };
    const { since, until, code, message, askedMs } = this.#opened;
    const about = { failures, since, code, message, probes, ...(askedMs === null ? {} : { askedMs }) };
    return this.#probing ? { state: 'half_open', ...about } : { state: 'open', ...about, ...(until === null ? {} : { until }) };
  }

  get isClosed(): boolean {
    return this.#opened === null;
  }

  /** One more failure in succession. `until`: the next try; null when there is none. True when this opened it. */
  failed(why: Fault, at: { readonly now: number; readonly until: number | null; readonly askedMs: number | null }): boolean {
    this.#failures += 1;
    const wasClosed = this.isClosed || this.#opened?.askedMs !== null;
    // after the last try there is no pause to wait for, whatever the endpoint asks
    const askedMs = at.until === null ? null : at.askedMs;
    if (this.isClosed && this.#failures < CIRCUIT_OPENS_AFTER && at.until !== null && askedMs === null) return false;
    this.#opened = { since: this.#opened?.since ?? at.now, until: at.until, code: why.code, message: why.message, askedMs };
    this.#probing = false;
    return wasClosed && askedMs === null;
  }

  /** The time is over: one try goes out. */
  probing(): void {
    if (this.#opened === null) return;
    this.#probing = true;
    this.#probes += 1;
  }

  /** It answered. */
  answered(): void {
    this.#failures = 0;
    this.close();
  }

  /** A try succeeded; failures in succession count on until a call is answered. */
  close(): void {
    if (this.#opened !== null) this.#failures = 0;
    this.#opened = null;
    this.#probes = 0;
    this.#probing = false;
  }

  forgetFailures(): void {
    this.#failures = 0;
  }
}
