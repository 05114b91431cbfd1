const FLOOR_MS = 500;
const CEILING_MS = 60_000;
/** Attempts within the window; a stream that keeps closing is then left closed, calls still work. */
const ATTEMPTS_IN_WINDOW = 12;
const WINDOW_MS = 10 * 60_000;

/**
 * When a broken event stream is opened again: what the server asks for (`retry: 0`, `retry: 10^9`) is clamped, repeated breaks back off with jitter, and the number
 * of attempts is bounded (F27).
 */
export const createStreamPace = (random: () => number = Math.random, now: () => number = () => performance.now()) => {
  let attempts: number[] = [];
  return (reconnect: () => void, wantedMs: number): (() => void) => {
    attempts = attempts.filter((at) => now() - at < WINDOW_MS);
    if (attempts.length >= ATTEMPTS_IN_WINDOW) return () => {};
    const backOff = FLOOR_MS * 2 ** Math.max(0, attempts.length - 1);
    const delay = Math.min(CEILING_MS, Math.max(attempts.length === 0 ? Math.min(FLOOR_MS, Math.max(100, wantedMs)) : backOff, Math.min(wantedMs, CEILING_MS)));
    attempts.push(now());
    const timer = setTimeout(reconnect, delay * (0.9 + 0.2 * random()));
    return () => clearTimeout(timer);
  };
};
