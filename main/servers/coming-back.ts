import type { Fault } from '../../shared/fault.ts';
import { Alarm } from './alarm.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import type { StateCell } from './connection-state.ts';
import type { Live } from './live-session.ts';
import { crashLoop, isRecovered, RecoveryCourse } from './recovery-course.ts';
import type { ServerLog } from './server-log.ts';

/** How long a call or a turn waits for a source that is being recovered. */
export const RECOVERY_LIMIT_MS = 15_000;

interface Parts {
  readonly deps: ConnectionDeps;
  readonly state: StateCell;
  readonly log: ServerLog;
}

/** How one connection rests after a failure, when it is tried again, and who waits for that. */
export class ComingBack {
  readonly course: RecoveryCourse;
  readonly #parts: Parts;
  readonly #retry = new Alarm();
  /** until a person or a change of configuration says otherwise */
  #gaveUp = false;
  #settled: (() => void)[] = [];
  #renewing: Promise<Live | null> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.course = new RecoveryCourse(parts.deps);
  }

  /** Nothing is started by itself: a wait is not over, or it was given up. */
  get rests(): boolean {
    return this.#retry.isSet || this.#gaveUp;
  }

  /** It failed, and is being tried again on a fresh connection. `lost`: why the session that still is there ended. */
  isUnderWay(lost: Fault | null): boolean {
    if (this.#gaveUp || this.#parts.state.value.state === 'ready' || !this.course.isClosed) return false;
    return this.#renewing !== null || (lost === null ? this.course.circuit.failures > 0 : isRecovered(lost.code));
  }

  /** A person or another configuration: counts anew. */
  forget(): void {
    this.course.reset();
    this.#gaveUp = false;
    this.#retry.clear();
  }

  stop(): void {
    this.#retry.clear();
  }

  giveUp(why: Fault): void {
    this.#gaveUp = true;
    this.rest(why);
  }

  /** A start or a session failed after `ranMs` of being ready; `again` is called when its wait is over. */
  failed(why: Fault, ranMs: number, again: () => void): void {
    const { deps, log } = this.#parts;
    log.add('host', why.message);
    const retryMs = this.course.failed(why, ranMs, deps.row()?.spec.kind === 'http');
    const { tries } = this.course;
    const shown = retryMs === null && why.code === 'exited' ? crashLoop(why, tries) : why;
    deps.addFact({ step: 'failure', ok: false, data: { code: shown.code, message: shown.message, tries } });
    this.#retry.clear();
    if (retryMs === null) this.#gaveUp = true;
    else this.#retry.set(retryMs, again);
    this.rest(shown, retryMs);
  }

  /** The endpoint is in trouble or asks for a pause: nothing more is sent until the time is over; calls under way may end. */
  pause(why: Fault, over: () => void): void {
    const { deps, log } = this.#parts;
    const waitMs = this.course.troubled(why);
    if (waitMs === null) return;
    deps.onSourceLeft(why.code);
    log.add('host', why.message);
    this.#retry.set(waitMs, over);
    this.rest(why, waitMs);
  }

  rest(why: Fault, retryMs: number | null = null): void {
    this.#parts.state.rest(why, retryMs, this.course.tries, this.#parts.deps.clock.now());
    if (retryMs === null) this.#parts.deps.onRests(why);
  }

  /** Resolves when it is next ready or unavailable. */
  settles(): Promise<void> {
    return new Promise((resolve) => this.#settled.push(resolve));
  }

  settle(): void {
    this.#settled.splice(0).forEach((done) => done());
  }

  /** A new session in place of one that its endpoint ended, the same for all who lost it. `anew` null: somebody sees to it already, if anybody does. */
  renew(anew: (() => Promise<Live | null>) | null): Promise<Live | null> | null {
    if (anew !== null) this.#renewing ??= anew().finally(() => void (this.#renewing = null));
    return this.#renewing;
  }
}
