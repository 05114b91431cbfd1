import type { SemanticPart } from '../../../shared/ranking.ts';
import type { Log } from '../../log.ts';
import type { Choosable } from './tool-selector.ts';

/** One of the top K as a semantic stage gets it. */
export interface SemanticCandidate extends Choosable {
  /** of the ranking by words, comparable within one request only */
  readonly score: number;
}
export interface SemanticQuestion {
  readonly request: string;
  /** best first */
  readonly candidates: readonly SemanticCandidate[];
  readonly signal: AbortSignal;
}
/**
 * `adjustments`: by id, what is added to a candidate's score, in shares of the best score (-1 to 1); who is not named keeps its score. `reason`: a code in
 * snake case, and a detail behind a colon where there is one.
 */
export type SemanticAnswer = { readonly tookPart: true; readonly adjustments: ReadonlyMap<string, number> } | { readonly tookPart: false; readonly reason: string };
/** Compares meanings, over the network or not. It brings nothing in and takes nothing out. */
export type SemanticStage = (question: SemanticQuestion) => Promise<SemanticAnswer>;

export interface SemanticMatch {
  readonly part: SemanticPart;
  readonly adjustments: ReadonlyMap<string, number>;
}
export interface SemanticDeps {
  /** null: none is set up */
  readonly semantic: SemanticStage | null;
  readonly log: Pick<Log, 'warn'>;
  /** a turn waits so long for a semantic stage and goes on without it */
  readonly semanticMs?: number;
}

const MOST_MS = 5_000;
const NOTHING: ReadonlyMap<string, number> = new Map();
const without = (reason: string): SemanticMatch => ({ part: { tookPart: false, reason }, adjustments: NOTHING });

const within = (value: number): number => Math.min(1, Math.max(-1, value));

/** Stage 3: what a semantic stage makes of the top K, or why it took no part. Whatever it does, the turn goes on; an abort by the run ends its part at once. */
export const semanticMatch = async (question: SemanticQuestion, { semantic, log, semanticMs = MOST_MS }: SemanticDeps): Promise<SemanticMatch> => {
  if (semantic === null) return without('off');
  if (question.candidates.length === 0 || question.request.trim() === '') return without('nothing_to_match');
  const late = AbortSignal.timeout(semanticMs);
  const signal = AbortSignal.any([question.signal, late]);
  try {
    const answer = await Promise.race([semantic({ ...question, signal }), untilAborted(signal)]);
    if (answer === null) return without(question.signal.aborted ? 'stopped' : 'timeout');
    if (!answer.tookPart) return without(answer.reason);
    const known = new Set(question.candidates.map(({ id }) => id));
    return { part: { tookPart: true }, adjustments: new Map([...answer.adjustments].flatMap(([id, value]) => (known.has(id) && Number.isFinite(value) ? [[id, within(value)] as const] : []))) };
  } catch (error) {
    if (signal.aborted) return without(question.signal.aborted ? 'stopped' : 'timeout');
    log.warn('the semantic match of tools failed', { error: String(error) });
    return without('failed');
  }
};

const untilAborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });
