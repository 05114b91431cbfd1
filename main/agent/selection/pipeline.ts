import type { SemanticPart } from '../../../shared/ranking.ts';
import type { Log } from '../../log.ts';
import { rerank, type Reranked } from './rerank.ts';
import { semanticMatch, type SemanticDeps } from './semantic-match.ts';
import type { Choosable, ToolSelector } from './tool-selector.ts';
import { TOP_K, topK } from './top-k.ts';

export interface PipelineDeps extends SemanticDeps {
  readonly selector: Pick<ToolSelector, 'rank'>;
  readonly choices: { readonly opinion: (request: string, principal: string) => (definitionFingerprint: string) => number };
  readonly log: Pick<Log, 'warn' | 'error'>;
}
export interface RankQuestion {
  readonly request: string;
  readonly principal: string;
  /** stage 1: whoever asks says who the candidates are; nothing else comes in */
  readonly candidates: readonly Choosable[];
  /** at most so many are looked at closely */
  readonly most?: number;
  /** ids that come before others whatever their place: they are ranked, too */
  readonly also?: readonly string[];
  /** whether anything hangs on the order; where nothing does, no semantic stage is asked */
  readonly decides: boolean;
  readonly signal?: AbortSignal;
}
/** The top K in their last order. `failed`: the words that ship with Gantry cannot be read; then there is none. */
export interface Ranking {
  readonly of: number;
  readonly topK: number;
  readonly semantic: SemanticPart;
  readonly failed: boolean;
  readonly tools: readonly Reranked[];
}

const NEVER = new AbortController().signal;

/**
 * Candidates -> top K -> semantic match -> rerank: the one ranking of tools, for requests to models, for searches of models and for the guided planner.
 * Exposure (../exposure.ts) comes after it where a request is made.
 */
export class SelectionPipeline {
  readonly #deps: PipelineDeps;

  constructor(deps: PipelineDeps) {
    this.#deps = deps;
  }

  async rank({ request, principal, candidates, most = TOP_K, also = [], decides, signal = NEVER }: RankQuestion): Promise<Ranking> {
    const { selector, choices, log } = this.#deps;
    const found = await topK(request, candidates, most, also, selector).catch((error: unknown) => {
      log.error('tools could not be ranked', { error: String(error) });
      return null;
    });
    if (found === null) return { of: candidates.length, topK: 0, semantic: { tookPart: false, reason: 'nothing_to_match' }, failed: true, tools: [] };
    const isFound = new Set(found.map(({ id }) => id));
    const byId = new Map(candidates.filter(({ id }) => isFound.has(id)).map((one) => [one.id, one]));
    const { part, adjustments } = decides
      ? await semanticMatch({ request, candidates: found.map(({ id, score }) => ({ ...byId.get(id)!, score })), signal }, this.#deps)
      : { part: { tookPart: false, reason: 'all_fit' }, adjustments: new Map<string, number>() };
    const opinion = choices.opinion(request, principal);
    return { of: candidates.length, topK: found.length, semantic: part, failed: false, tools: rerank(found, adjustments, (id) => opinion(byId.get(id)!.definitionFingerprint)) };
  }
}
