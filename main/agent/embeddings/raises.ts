import type { SemanticCandidate } from '../selection/semantic-match.ts';
import { likeness, type Packed } from './vector.ts';

/** So many of what words found are compared. */
export const MOST_COMPARED = 60;
/** Fewer do not show what is usual among them. */
const LEAST_COMPARED = 8;
/** A tool below this share of the best score says too little to the request to be moved. */
const LEAST_OF_BEST = 0.5;
/** A likeness counts from so many standard deviations above what is usual for this request, and wholly at so many. */
const SURE_FROM = 1.25;
const SURE_AT = 2.75;

/**
 * How far each tool is raised, as a share of the best score, at most `weight`: only those that stand out among what is compared. `asked` is without what all requests have
 * in common. Where hardly any has a vector, nothing is raised.
 */
export const raisesOf = (asked: Float32Array, candidates: readonly Pick<SemanticCandidate, 'id' | 'definitionFingerprint' | 'score'>[], vectorOf: (definitionFingerprint: string) => Packed | null, weight: number): ReadonlyMap<string, number> => {
  const least = (candidates[0]?.score ?? 0) * LEAST_OF_BEST;
  const compared = candidates.slice(0, MOST_COMPARED).flatMap(({ id, definitionFingerprint, score }) => {
    const vector = vectorOf(definitionFingerprint);
    return vector === null || vector.values.length !== asked.length ? [] : [{ id, score, like: likeness(asked, vector) }];
  });
  if (weight <= 0 || compared.length < LEAST_COMPARED) return new Map();
  const mean = compared.reduce((sum, { like }) => sum + like, 0) / compared.length;
  const spread = Math.sqrt(compared.reduce((sum, { like }) => sum + (like - mean) ** 2, 0) / compared.length);
  if (!(spread > 1e-6)) return new Map();
  return new Map(
    compared.flatMap(({ id, score, like }): [string, number][] => {
      const sure = Math.min(1, ((like - mean) / spread - SURE_FROM) / (SURE_AT - SURE_FROM));
      return score > 0 && score >= least && sure > 0 ? [[id, weight * sure]] : [];
    }),
  );
};
