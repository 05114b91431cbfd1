import type { Fault } from '../../../shared/fault.ts';
import type { Result } from '../../../shared/result.ts';

export interface RequestVectorsDeps {
  /** for one request's text; ends by itself */
  readonly ask: (text: string) => Promise<Result<Float32Array, Fault>>;
  readonly monotonic: () => number;
  /** resolves after so many ms */
  readonly wait?: (ms: number) => { readonly passed: Promise<void>; readonly cancel: () => void };
}

/** A ranking waits so long for the endpoint; what comes later serves the next one of the same request. */
export const REQUEST_MS = 800;
const MOST_KEPT = 64;
/** So many failures in a row, and nothing is asked for so long: each would cost every request its wait. */
const MOST_FAILED = 3;
const PAUSE_MS = 60_000;

const timer = (ms: number): { readonly passed: Promise<void>; readonly cancel: () => void } => {
  let handle: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((done) => {
    handle = setTimeout(done, ms);
  });
  return { passed, cancel: () => clearTimeout(handle) };
};

/** Vectors of requests: asked for once, in memory alone, and never waited for longer than a ranking may. */
export class RequestVectors {
  readonly #deps: RequestVectorsDeps;
  readonly #kept = new Map<string, Float32Array>();
  readonly #open = new Map<string, Promise<Result<Float32Array, Fault>>>();
  #failed = 0;
  #pausedUntil = -Infinity;

  constructor(deps: RequestVectorsDeps) {
    this.#deps = deps;
  }

  /** The vector, or why there is none in time. */
  async of(text: string): Promise<{ readonly vector: Float32Array } | { readonly reason: string }> {
    const kept = this.#kept.get(text);
    if (kept) return { vector: kept };
    const { monotonic, wait = timer } = this.#deps;
    if (monotonic() < this.#pausedUntil) return { reason: 'paused' };
    const { passed, cancel } = wait(REQUEST_MS);
    const first = await Promise.race([this.#ask(text), passed.then(() => null)]);
    cancel();
    if (first === null) {
      this.#fails();
      return { reason: `deadline: ${REQUEST_MS} ms` };
    }
    return first.ok ? { vector: first.value } : { reason: `fault: ${first.error.code}` };
  }

  #ask(text: string): Promise<Result<Float32Array, Fault>> {
    const open = this.#open.get(text);
    if (open) return open;
    const asked = this.#deps.ask(text).then((answer) => {
      this.#open.delete(text);
      if (answer.ok) this.#keep(text, answer.value);
      else this.#fails();
      return answer;
    });
    this.#open.set(text, asked);
    return asked;
  }

  #keep(text: string, vector: Float32Array): void {
    this.#failed = 0;
    if (this.#kept.size >= MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(text, vector);
  }

  #fails(): void {
    this.#failed += 1;
    if (this.#failed < MOST_FAILED) return;
    this.#failed = 0;
    this.#pausedUntil = this.#deps.monotonic() + PAUSE_MS;
  }
}
