import type { Result } from '../../shared/result.ts';
import type { ModelFault, ModelReply } from './model-adapter.ts';
import { isPassing } from './model-fault.ts';

/** Tries of one request, the first one included. */
export const MOST_TRIES = 4;
const FIRST_WAIT_MS = 1_000;
/** A provider that asks for more has its answer told instead. */
const LONGEST_WAIT_MS = 60_000;

export interface Patience {
  readonly signal: AbortSignal;
  /** before the pause: `tries` that were made, and what the last one came to */
  readonly onRetry: (again: { readonly tries: number; readonly waitMs: number; readonly asked: boolean; readonly why: ModelFault }) => void;
  /** resolves early when the signal aborts */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** between 0 and 1 */
  readonly random: () => number;
}

export const pauseFor = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });

/** Growing waits with jitter, or as long as the provider asked for. */
const waitFor = ({ retryAfterMs }: ModelFault, tries: number, random: () => number): number => retryAfterMs ?? Math.round(FIRST_WAIT_MS * 2 ** (tries - 1) * (0.75 + random() / 2));

/** The same request again after failures that pass, at most `MOST_TRIES` in all. `details.tries` of the last failure says how many there were. */
export const askPatiently = async (once: (attempt: number) => Promise<Result<ModelReply, ModelFault>>, { signal, onRetry, pause, random }: Patience): Promise<Result<ModelReply, ModelFault>> => {
  for (let tries = 1; ; tries += 1) {
    const answer = await once(tries);
    if (answer.ok || signal.aborted || !isPassing(answer.error)) return answer;
    const waitMs = waitFor(answer.error, tries, random);
    if (tries === MOST_TRIES || waitMs > LONGEST_WAIT_MS) return { ok: false, error: { ...answer.error, details: { ...answer.error.details, tries } } };
    onRetry({ tries, waitMs, asked: answer.error.retryAfterMs !== null, why: answer.error });
    await pause(waitMs, signal);
    if (signal.aborted) return answer;
  }
};
