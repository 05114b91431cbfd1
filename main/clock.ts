/** Wall time for records, monotonic time for deadlines (A05, P11). Both in ms. */
export interface Clock {
  now(): number;
  monotonic(): number;
}
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
