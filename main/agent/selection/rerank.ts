import { amongNearEquals } from './near-equals.ts';
import type { Ranked } from './rank.ts';

/** A candidate with its last score, and what of it comes from the semantic match and from what was learned. */
export interface Reranked extends Ranked {
  readonly semantic: number;
  readonly learned: number;
}

/** Stage 4: the top K by meaning and by what was learned on this machine. `opinion`: -1 to 1 a tool. Nothing comes in, nothing goes. */
export const rerank = (found: readonly Ranked[], adjustments: ReadonlyMap<string, number>, opinion: (id: string) => number): readonly Reranked[] => {
  const best = Math.max(0, found[0]?.score ?? 0) || 1;
  const matched = found.map((one) => {
    const semantic = (adjustments.get(one.id) ?? 0) * best;
    return { ...one, score: one.score + semantic, semantic };
  });
  if (adjustments.size > 0) matched.sort((a, b) => b.score - a.score);
  return amongNearEquals(matched, opinion);
};
