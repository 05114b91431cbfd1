import type { Ranked } from './rank.ts';
import type { Choosable, ToolSelector } from './tool-selector.ts';

/** So many candidates are looked at closely. */
export const TOP_K = 256;

/** Stage 2: the candidates that stand nearest to the request by words and meaning, offline, best first; and those of `also`, wherever they stand. Rejects where the words that ship with Gantry cannot be read. */
export const topK = (request: string, candidates: readonly Choosable[], k: number, also: readonly string[], selector: Pick<ToolSelector, 'rank'>): Promise<readonly Ranked[]> => selector.rank(request, candidates, Math.min(k, candidates.length), also);
