import type { Ranked } from './rank.ts';

/** Of the best score: so far another opinion than the offline ranking's moves a tool, up or down, and no further. */
const MOST_MOVED = 0.08;
/** A tool below this share of the best score says too little to the request to be moved up. */
const LEAST_OF_BEST = 0.5;

/** The ranking with tools moved among near equals by `opinion`, -1 to 1 a tool. Nothing comes in, nothing goes. */
export const amongNearEquals = (ranked: readonly Ranked[], opinion: (id: string) => number): readonly Ranked[] => {
  const best = ranked[0]?.score ?? 0;
  if (best <= 0) return ranked;
  const moved = ranked.map((one) => {
    const said = Math.min(1, Math.max(-1, opinion(one.id)));
    return { one, score: one.score + (one.score < best * LEAST_OF_BEST ? Math.min(0, said) : said) * MOST_MOVED * best };
  });
  return moved.every(({ one, score }) => one.score === score) ? ranked : moved.toSorted((a, b) => b.score - a.score).map(({ one }) => one);
};
