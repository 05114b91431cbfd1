import type { MarketEntry } from '../../shared/market.ts';

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Where a word may stand, and what it is worth there. */
const fieldsOf = (entry: MarketEntry): readonly { readonly text: string; readonly weight: number }[] => [
  { text: entry.name, weight: 8 },
  { text: entry.id.replaceAll('-', ' '), weight: 6 },
  { text: entry.spec.kind === 'npm' ? entry.spec.package : '', weight: 5 },
  { text: entry.publisher, weight: 4 },
  { text: entry.categories.join(' '), weight: 4 },
  { text: entry.description.en, weight: 2 },
  { text: entry.description.zh, weight: 2 },
];

/** A whole word is worth more than the start of one, that more than a part; Han text has no word breaks, so a part counts fully there. */
const worth = (text: string, word: string): number => {
  const at = text.indexOf(word);
  if (at < 0) return 0;
  if (/\p{Script=Han}/u.test(word)) return 1;
  const isEdge = (index: number): boolean => !/[\p{L}\p{N}]/u.test(text[index] ?? ' ');
  for (let i = at; i >= 0; i = text.indexOf(word, i + 1)) if (isEdge(i - 1) && isEdge(i + word.length)) return 1;
  return isEdge(at - 1) ? 0.7 : 0.3;
};

/** Every word of the query has to be found somewhere; the sum of its best places ranks. Ties: verified first, then by name. */
export const rankEntries = (entries: readonly MarketEntry[], query: string): MarketEntry[] => {
  const words = fold(query).split(/[\s,，、。]+/u).filter((word) => word !== '');
  const scored = entries.map((entry) => {
    const fields = fieldsOf(entry).map(({ text, weight }) => ({ text: fold(text), weight }));
    const scores = words.map((word) => Math.max(...fields.map(({ text, weight }) => worth(text, word) * weight)));
    return { entry, score: scores.some((score) => score === 0) ? 0 : scores.reduce((sum, score) => sum + score, 0) };
  });
  const order = (entry: MarketEntry): number => (entry.spec.kind === 'builtin' ? 0 : entry.verified ? 1 : 2);
  return scored
    .filter(({ score }) => words.length === 0 || score > 0)
    .toSorted((a, b) => b.score - a.score || order(a.entry) - order(b.entry) || a.entry.name.localeCompare(b.entry.name, 'en'))
    .map(({ entry }) => entry);
};
