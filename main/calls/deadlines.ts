import { callClassOf, limitOf, type CallClass, type CallLimits } from '../../shared/call-class.ts';
import type { Fault } from '../../shared/fault.ts';
import { mayHaveEffects, type Tier } from '../../shared/tier.ts';

export interface Deadline {
  readonly callClass: CallClass;
  /** of one try, without an answer or progress */
  readonly timeoutMs: number;
  /** of all tries together, with any amount of progress */
  readonly maxTotalMs: number;
  /** further tries of a read that was cut off; a try that the transport proves unprocessed is repeated once besides, whatever the class */
  readonly moreAttempts: number;
  /** least distance of two polls of one job; 0: none */
  readonly pollEveryMs: number;
}

/** By the reviewed class, else by tier. The time in which a person is awaited does not count: a deadline begins at dispatch. */
export const deadlineOf = (of: { readonly tier: Tier; readonly callClass?: CallClass | undefined }, limits: CallLimits): Deadline => {
  const callClass = callClassOf(of.tier, of.callClass);
  return {
    callClass,
    timeoutMs: limits[callClass].timeoutMs,
    maxTotalMs: Math.max(limits[callClass].maxTotalMs, limits[callClass].timeoutMs),
    moreAttempts: mayHaveEffects(of.tier) ? 0 : (limitOf(limits, callClass, 'moreAttempts') ?? 0),
    pollEveryMs: limitOf(limits, callClass, 'pollEveryMs') ?? 0,
  };
};

const FIRST_PAUSE_MS = 500;

/** Pause before the n-th further try (from 1): doubles each time, of which a random half, so that those who failed together do not come back together. */
export const retryPauseMs = (n: number, random: () => number = Math.random): number => {
  const longest = FIRST_PAUSE_MS * 2 ** (n - 1);
  return Math.floor(longest / 2 + random() * (longest / 2));
};

/** What may be over by itself in a moment: the kinds TIMEOUT and CONNECTION_FAILED. Refusals and limits are final until something changes. */
const PASSING: ReadonlySet<unknown> = new Set(['timeout', 'connection_failed', 'exited', 'not_connected']);
/** A server on its way up. */
const COMING: ReadonlySet<unknown> = new Set(['connecting', 'discovering']);

export const isPassing = ({ code, details }: Fault): boolean => {
  // its recovery was tried and failed (RC05)
  if (details?.['confirmed'] === true) return false;
  if (code === 'unavailable') return [details?.['code'], details?.['reason']].some((why) => PASSING.has(why) || COMING.has(why));
  return PASSING.has(code) && (details?.['state'] === undefined || COMING.has(details['state']));
};
