/** A window that goes on crashing is not loaded for ever: three times in ten minutes, then the person is asked. */
const RELOADS = 3;
const WITHIN_MS = 10 * 60_000;

/** Why a page's process ended, as Electron names it (`RenderProcessGoneDetails.reason`). */
export type GoneReason = 'clean-exit' | 'abnormal-exit' | 'killed' | 'crashed' | 'oom' | 'launch-failed' | 'integrity-failure' | 'memory-eviction';

/** `load` again at once, `ask` the person, or do `nothing`: the window was closed. `now` in ms of any clock that only goes forward. */
export class ReloadBudget {
  #times: readonly number[] = [];

  gone(reason: GoneReason, now: number): 'load' | 'ask' | 'nothing' {
    if (reason === 'clean-exit') return 'nothing';
    this.#times = this.#times.filter((at) => now - at < WITHIN_MS);
    // files that are not what was signed do not become right by loading them again
    if (reason === 'integrity-failure' || this.#times.length >= RELOADS) return 'ask';
    this.#times = [...this.#times, now];
    return 'load';
  }

  /** The person asked for the window: they decide, the count begins anew. */
  forgive(): void {
    this.#times = [];
  }
}
