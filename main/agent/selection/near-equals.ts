import type { Ranked } from './rank.ts';

/** Of the best score: so far another opinion than the offline ranking's moves a tool, up or down, and no further. */
const MOST_MOVED = 0.08;
/** A tool below this share of the best score says too little to the request to be moved up. */
const LEAST_OF_BEST = 0.5;

/** The ranking with tools moved among near equals by `opinion`, -1 to 1 a tool; `learned` is how far. Nothing comes in, nothing goes. */
export const amongNearEquals = <T extends Pick<Ranked, 'id' | 'score'>>(ranked: readonly T[], opinion: (id: string) => number): readonly (T & { readonly learned: number })[] => {
  const best = ranked[0]?.score ?? 0;
  const moved = ranked.map((one) => {
    const said = best <= 0 ? 0 : Math.min(1, Math.max(-1, opinion(one.id)));
    const learned = (one.score < best * LEAST_OF_BEST ? Math.min(0, said) : said) * MOST_MOVED * best;
    return { ...one, score: one.score + learned, learned };
  });
  return moved.every(({ learned }) => learned === 0) ? moved : moved.sort((a, b) => b.score - a.score);
};
