import { LONGEST_PAUSE_MS } from './retry-after.ts';

const FLOOR_MS = 500;
/** Of our own back-off. */
const CEILING_MS = 60_000;
/** Attempts within the window; a stream that keeps closing is then left closed, calls still work. */
const ATTEMPTS_IN_WINDOW = 12;
const WINDOW_MS = 10 * 60_000;

export interface StreamPaceDeps {
  /** the server asks for more than the longest pause; told once for each such wish */
  readonly told?: ((askedMs: number, waitMs: number) => void) | undefined;
  readonly random?: () => number;
  readonly now?: () => number;
}

/**
 * When a broken event stream is opened again: not before the time that the server asks for (`retry`; MCP 2025-11-25, Streamable HTTP, and the HTML standard, server-sent
 * events), up to the longest pause that an endpoint is given by Retry-After as well. Repeated breaks back off, jitter only lengthens a wait, and the number of attempts
 * is bounded (F27).
 */
export const createStreamPace = ({ told, random = Math.random, now = () => performance.now() }: StreamPaceDeps = {}) => {
  let attempts: number[] = [];
  let lastTold = 0;
  return (reconnect: () => void, wantedMs: number): (() => void) => {
    attempts = attempts.filter((at) => now() - at < WINDOW_MS);
    if (attempts.length >= ATTEMPTS_IN_WINDOW) return () => {};
    const backOff = attempts.length === 0 ? 100 : Math.min(CEILING_MS, FLOOR_MS * 2 ** (attempts.length - 1));
    const delay = Math.max(backOff, Math.min(wantedMs, LONGEST_PAUSE_MS));
    if (wantedMs > LONGEST_PAUSE_MS && wantedMs !== lastTold) told?.(wantedMs, LONGEST_PAUSE_MS);
    lastTold = wantedMs;
    attempts.push(now());
    const timer = setTimeout(reconnect, delay * (1 + 0.2 * random()));
    return () => clearTimeout(timer);
  };
};
