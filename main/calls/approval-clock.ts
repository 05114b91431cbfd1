import type { Clock } from '../clock.ts';
import type { ApprovalRow } from '../store/approvals.ts';

/** Steps of the wall clock backwards by less than this are ordinary time keeping. */
const TOLERANCE_MS = 5_000;
/** setTimeout holds 2^31-1 ms at most. */
const LONGEST_TIMER_MS = 2_000_000_000;

interface Watched {
  readonly monotonicAt: number;
  /** ms that had gone by on the wall clock when this process began to watch */
  readonly elapsedAtStart: number;
  timer: NodeJS.Timeout;
}

/**
 * How old approvals are, by two clocks (A05): the monotonic one cannot be set, the wall clock sees sleep and restarts. The later one counts; a wall
 * clock that went back voids.
 */
export class ApprovalClock {
  readonly #clock: Clock;
  readonly #onDue: (approvalId: string) => void;
  readonly #watched = new Map<string, Watched>();

  constructor(clock: Clock, onDue: (approvalId: string) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  watch(approval: ApprovalRow): void {
    this.forget(approval.id);
    const elapsed = this.#clock.now() - approval.createdAt;
    const left = Math.min(LONGEST_TIMER_MS, Math.max(0, approval.expiresAt - approval.createdAt - elapsed));
    const timer = setTimeout(() => this.#onDue(approval.id), left);
    timer.unref();
    this.#watched.set(approval.id, { monotonicAt: this.#clock.monotonic(), elapsedAtStart: elapsed, timer });
  }

  forget(approvalId: string): void {
    clearTimeout(this.#watched.get(approvalId)?.timer);
    this.#watched.delete(approvalId);
  }

  age(approval: Pick<ApprovalRow, 'id' | 'createdAt'>): { readonly elapsedMs: number; readonly clockMovedBack: boolean } {
    const wall = this.#clock.now() - approval.createdAt;
    const watched = this.#watched.get(approval.id);
    const monotonic = watched ? watched.elapsedAtStart + this.#clock.monotonic() - watched.monotonicAt : wall;
    return { elapsedMs: Math.max(wall, monotonic), clockMovedBack: wall < -TOLERANCE_MS || wall < monotonic - TOLERANCE_MS };
  }

  close(): void {
    for (const id of [...this.#watched.keys()]) this.forget(id);
  }
}
