import { fault, type Fault } from '../../shared/fault.ts';
import type { CircuitState, ServerFact } from '../../shared/server.ts';
import type { Clock } from '../clock.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { CrashBudget, CRASH_TRIES } from './crash-budget.ts';
import { askedPauseOf, clampPause } from './retry-after.ts';

/** One try on a fresh connection after a failure. `outcome`: `ready`, `cancelled` (a person or a configuration came between), or the code of what failed again. */
export interface Retried {
  readonly cause: string;
  readonly attempt: number;
  readonly waitMs: number;
  readonly outcome: string;
}

export interface RecoveryCourseDeps {
  readonly clock: Clock;
  readonly stableRunMs: number;
  readonly crashFirstWaitMs: number;
  readonly random: () => number;
  addFact(fact: Omit<ServerFact, 'at'>): void;
  retried(retried: Retried): void;
  /** recovery failed, or can do nothing: the source is not used again until something changes */
  confirmed(why: Fault): void;
}

/** An endpoint elsewhere may be away for minutes; a program that keeps ending does so again. */
export const REMOTE_TRIES = 12;
/** Kinds TIMEOUT and CONNECTION_FAILED. Everything else is final until something changes (design section 4). */
const RECOVERED: ReadonlySet<string> = new Set(['exited', 'start_timeout', 'connection_failed', 'endpoint_error', 'timeout']);
/** Final as well, and nothing that failed: a person decides. */
const DECIDED: ReadonlySet<string> = new Set(['disabled', 'quarantined', 'consent_required', 'not_found', 'not_connected', 'cancelled', 'secret_store_locked', 'secret_store_unavailable']);
/** Of an answer to a call that says: trouble behind the address, or too many requests. */
export const TROUBLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const PAUSE_MS = 30_000;

export const crashLoop = (why: Fault, tries: number): Fault =>
  fault('crash_loop', `The server keeps exiting: it was tried ${tries} times and is left stopped. ${why.message}`, { remedy: 'Look at its last lines, mend the cause, then connect.', details: { ...why.details, tries } });

/** What an answer to one call says of its endpoint. */
export const endpointTrouble = ({ message, details }: Fault): Fault => {
  // the words of that answer are its call's
  const { serverWords: _words, ...about } = details ?? {};
  return fault('endpoint_error', message, { remedy: 'It is tried again after the pause; if it stays so, ask who runs it.', details: about });
};

export const isRecovered = (code: string): boolean => RECOVERED.has(code);

/** How one source comes back: which failures are tried again, when, how often, and when it is given up (design section 4). */
export class RecoveryCourse {
  readonly #deps: RecoveryCourseDeps;
  readonly #budget: CrashBudget;
  readonly #breaker = new CircuitBreaker();
  #retry: Omit<Retried, 'outcome'> | null = null;
  /** pauses in succession without an answered call between */
  #pauses = 0;

  constructor(deps: RecoveryCourseDeps) {
    this.#deps = deps;
    this.#budget = new CrashBudget({ stableMs: deps.stableRunMs, firstWaitMs: deps.crashFirstWaitMs, random: deps.random });
  }

  get circuit(): CircuitState {
    return this.#breaker.view;
  }

  get isClosed(): boolean {
    return this.#breaker.isClosed;
  }

  /** Failures since the last stable run. */
  get tries(): number {
    return this.#budget.tries;
  }

  /** A try begins. */
  begins(): void {
    this.#budget.started(this.#deps.clock.monotonic());
    if (this.#breaker.isClosed) return;
    this.#breaker.probing();
    this.#tell();
  }

  /** A try of this start is used up without its end (S02). */
  used(): void {
    this.#budget.ended(0, this.#deps.clock.monotonic());
  }

  /** A start failed, or what was ready for `ranMs` ended. Ms until the next try on a fresh connection; null: there is none. */
  failed(why: Fault, ranMs: number, remote: boolean): number | null {
    this.#tried(why.code);
    if (!isRecovered(why.code)) {
      if (!DECIDED.has(why.code)) this.#deps.confirmed(why);
      return null;
    }
    if (ranMs >= this.#deps.stableRunMs) this.#breaker.forgetFailures();
    const askedMs = askedPauseOf(why);
    const backOffMs = this.#budget.ended(ranMs, this.#deps.clock.monotonic(), remote ? REMOTE_TRIES : CRASH_TRIES);
    const waitMs = backOffMs === null ? null : askedMs === null ? backOffMs : Math.max(backOffMs, clampPause(askedMs));
    if (waitMs !== null) this.#retry = { cause: why.code, attempt: this.#budget.tries, waitMs };
    this.#count(why, waitMs, askedMs);
    return waitMs;
  }

  /** An answer to a call says that the endpoint is in trouble. Ms for which nothing is sent; null while that is not called for. */
  troubled(why: Fault): number | null {
    const askedMs = askedPauseOf(why);
    const waitMs = clampPause(askedMs ?? PAUSE_MS * 2 ** this.#pauses * (1 + 0.2 * this.#deps.random()));
    this.#count(why, waitMs, askedMs);
    if (this.#breaker.isClosed) return null;
    this.#pauses += 1;
    this.#retry = { cause: why.code, attempt: this.#pauses, waitMs };
    return waitMs;
  }

  /** Its lists are read. */
  ready(): void {
    this.#tried('ready');
    const opened = !this.#breaker.isClosed;
    this.#breaker.close();
    if (opened) this.#tell();
  }

  /** A call was answered. */
  answered(): void {
    this.#pauses = 0;
    this.#breaker.answered();
  }

  /** A person or a configuration begins anew. */
  reset(): void {
    this.#tried('cancelled');
    this.#budget.reset();
    const opened = !this.#breaker.isClosed;
    this.answered();
    if (opened) this.#tell();
  }

  #count(why: Fault, waitMs: number | null, askedMs: number | null): void {
    const now = this.#deps.clock.now();
    const confirmed = this.#breaker.failed(why, { now, until: waitMs === null ? null : now + waitMs, askedMs });
    if (!this.#breaker.isClosed) this.#tell();
    if (confirmed) this.#deps.confirmed(why);
  }

  #tried(outcome: string): void {
    if (this.#retry === null) return;
    const retried: Retried = { ...this.#retry, outcome };
    this.#retry = null;
    this.#deps.addFact({ step: 'retry', ok: outcome === 'ready', data: { ...retried } });
    this.#deps.retried(retried);
  }

  #tell(): void {
    const { state, ...about } = this.#breaker.view;
    this.#deps.addFact({ step: 'circuit', ok: state === 'closed', data: { state, ...about } });
  }
}
