import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 50;

/** Knows when nobody has asked the host for anything for a while: what can wait, waits for that moment, and not for ever. Times are monotonic, in ms. */
export class Quiet {
  readonly #limits: { readonly stillMs: number; readonly atMostMs: number };
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(limits: { readonly stillMs: number; readonly atMostMs: number } = { stillMs: 700, atMostMs: 6_000 }) {
    this.#limits = limits;
  }

  asked(): void {
    this.#lastAt = performance.now();
  }

  async reached(): Promise<void> {
    const { stillMs, atMostMs } = this.#limits;
    const until = performance.now() + atMostMs;
    while (performance.now() < until && performance.now() - this.#lastAt < stillMs) await pause(LOOK_MS, undefined, { ref: false });
  }
}
