import { mayHaveEffects } from '../../shared/tier.ts';
import type { Tier } from '../../shared/tier.ts';

export interface Deadline {
  /** without progress */
  readonly timeoutMs: number;
  /** with any amount of progress */
  readonly maxTotalMs: number;
  /** further tries on the wire after one that provably was not processed, or for a read that was cut off */
  readonly retries: number;
}

const FIVE_MINUTES = 300_000;

/** By class. The time in which a person is awaited does not count: a deadline begins at dispatch. */
export const deadlineOf = (tier: Tier): Deadline => ({ timeoutMs: mayHaveEffects(tier) ? 60_000 : 30_000, maxTotalMs: FIVE_MINUTES, retries: 1 });

/** Pause before a further try, so that a restarted server can come up: 200 to 400 ms. */
export const retryPauseMs = (random: () => number = Math.random): number => 200 + Math.floor(random() * 200);
