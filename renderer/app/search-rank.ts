export interface Findable {
  readonly label: string;
  /** further words it may be found by */
  readonly words: string;
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/**
 * The `limit` best of `all` for what was typed: every word must occur; a label that begins with it comes first, then a label that holds it, then the rest,
 * each in the given order. Nothing typed: the first `limit`.
 */
export const rankedBy = <T extends Findable>(query: string, all: readonly T[], limit: number): readonly T[] => {
  const words = fold(query).split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return all.slice(0, limit);
  const ranks: [T[], T[], T[]] = [[], [], []];
  for (const one of all) {
    const label = fold(one.label);
    const text = `${label} ${fold(one.words)}`;
    if (!words.every((word) => text.includes(word))) continue;
    const rank = label.startsWith(words[0]!) ? 0 : words.every((word) => label.includes(word)) ? 1 : 2;
    ranks[rank].push(one);
    if (rank === 0 && ranks[0].length >= limit) break;
  }
  return ranks.flat().slice(0, limit);
};
