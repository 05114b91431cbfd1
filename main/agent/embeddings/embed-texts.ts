import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { clampPause } from '../../servers/retry-after.ts';
import { BATCH, mayPass, wantsLess } from './ask-embeddings.ts';

export interface TextOf {
  /** of what it is, for whoever keeps the vector */
  readonly key: string;
  /** made when it is asked for: there may be thousands */
  readonly text: () => string;
}
export interface EmbedTextsDeps {
  readonly ask: (texts: readonly string[]) => Promise<Result<Float32Array[], Fault>>;
  /** of the space, or as asked for; null where any will do */
  readonly dimension: () => number | null;
  /** a batch is done: it is kept whatever becomes of the next */
  readonly keep: (vectors: readonly (readonly [key: string, vector: Float32Array])[]) => void;
  readonly onRetry: () => void;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

const TRIES = 3;
const FIRST_PAUSE_MS = 1_000;
/** Texts that an endpoint refused by themselves, before it is the endpoint that is wrong. */
const MOST_REFUSED = 20;
const LEAST_TO_COMPARE = 6;
const ALIKE = 0.99999;

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += a[at]! * b[at]!;
  return sum;
};

/** What is wrong with vectors that came in the right form; null: nothing. `least`: so few different texts may be alike. */
export const vectorsFault = (texts: readonly string[], vectors: readonly Float32Array[], dimension: number | null, least = LEAST_TO_COMPARE): Fault | null => {
  const got = vectors[0]?.length ?? 0;
  if (dimension !== null && got !== dimension) return fault('embeddings_dimension', `The model gives vectors of ${got} numbers where ${dimension} are needed.`, { remedy: 'Leave the dimensions empty where the model has its own; where it is another model now, save the endpoint again, and all vectors are computed anew.', details: { got, kept: dimension } });
  if (new Set(texts).size >= least && vectors.every((vector) => dot(vector, vectors[0]!) > ALIKE)) return fault('embeddings_unfit', 'The vectors of different texts are all alike.', { remedy: 'Use a model that is made for embeddings.', details: { why: 'alike' } });
  return null;
};

/**
 * The vectors of these texts, some at a time. What fails in passing is asked again, three times at most; where an endpoint wants less, batches get smaller, then texts shorter;
 * a text that it refuses by itself is left out. Ends with the first fault that is of the endpoint; what came before is kept. Resolves with the keys that were left out.
 */
export const embedTexts = async (texts: readonly TextOf[], deps: EmbedTextsDeps): Promise<Result<readonly string[], Fault>> => {
  let size = BATCH;
  let any = false;
  const refused: string[] = [];
  for (let at = 0; at < texts.length; ) {
    const batch = texts.slice(at, at + size);
    const asked = batch.map(({ text }) => text());
    const answer = await askPatiently(asked, deps);
    if (answer.ok) {
      const wrong = vectorsFault(asked, answer.value, deps.dimension());
      if (wrong !== null) return err(wrong);
      deps.keep(batch.map(({ key }, i) => [key, answer.value[i]!] as const));
      any = true;
      at += batch.length;
      continue;
    }
    if (!wantsLess(answer.error) || deps.signal.aborted) return answer;
    if (size > 1) {
      size = Math.max(1, size >> 1);
      deps.onRetry();
      continue;
    }
    const [{ key }] = batch as [TextOf];
    const [text] = asked as [string];
    const shorter = await askShorter(text, deps);
    if (shorter !== null) {
      const wrong = vectorsFault([text], [shorter], deps.dimension());
      if (wrong !== null) return err(wrong);
      deps.keep([[key, shorter]]);
      any = true;
    } else {
      refused.push(key);
      if (!any && refused.length > 1) return answer;
      if (refused.length > MOST_REFUSED) return answer;
    }
    at += 1;
  }
  return ok(refused);
};

/** Half of a text, then a quarter: what a small model can read says the most at its beginning. */
const askShorter = async (text: string, deps: EmbedTextsDeps): Promise<Float32Array | null> => {
  for (const share of [2, 4]) {
    deps.onRetry();
    const answer = await askPatiently([text.slice(0, Math.ceil(text.length / share)).toWellFormed()], deps);
    if (answer.ok) return answer.value[0]!;
  }
  return null;
};

const askPatiently = async (texts: readonly string[], { ask, onRetry, pause, signal }: EmbedTextsDeps): Promise<Result<Float32Array[], Fault>> => {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask(texts);
    if (answer.ok || !mayPass(answer.error) || tries === TRIES || signal.aborted) return answer;
    const asked = answer.error.details?.['retryAfterMs'];
    onRetry();
    await pause(typeof asked === 'number' ? clampPause(asked) : FIRST_PAUSE_MS * 4 ** (tries - 1), signal);
    if (signal.aborted) return answer;
  }
};
