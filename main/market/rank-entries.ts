import type { MarketEntry } from '../../shared/market.ts';
import { MARKET_CATEGORIES } from '../../shared/market-categories.ts';

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

const packageOf = ({ spec, package: outside }: MarketEntry): string => (spec.kind === 'npm' ? spec.package : outside?.registry === 'pypi' ? outside.name : outside?.registry === 'oci' ? outside.image : spec.kind === 'http' ? spec.url : '');

/** Where a word may stand, and what it is worth there. */
const fieldsOf = (entry: MarketEntry): readonly { readonly text: string; readonly weight: number }[] => [
  { text: entry.name, weight: 8 },
  { text: entry.id.replaceAll('-', ' '), weight: 6 },
  { text: packageOf(entry), weight: 5 },
  { text: entry.publisher, weight: 4 },
  { text: entry.categories.flatMap((name) => [name, MARKET_CATEGORIES[name].en, MARKET_CATEGORIES[name].zh]).join(' '), weight: 3 },
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

/** Every word of the query has to be found somewhere; the sum of its best places ranks. Ties: reviewed, then connected, then the rest, withdrawn last; then by name. */
export const rankEntries = (entries: readonly MarketEntry[], query: string): MarketEntry[] => {
  const words = fold(query).split(/[\s,，、。]+/u).filter((word) => word !== '');
  const scored = entries.map((entry) => {
    const fields = fieldsOf(entry).map(({ text, weight }) => ({ text: fold(text), weight }));
    const scores = words.map((word) => Math.max(...fields.map(({ text, weight }) => worth(text, word) * weight)));
    // what its publisher withdrew comes after what is as good
    return { entry, score: scores.some((score) => score === 0) ? 0 : scores.reduce((sum, score) => sum + score, 0) / (entry.withdrawn ? 2 : 1) };
  });
  const order = (entry: MarketEntry): number => (entry.kind === 'builtin' ? 0 : entry.withdrawn ? 4 : entry.reviewedTools.length > 0 ? 1 : entry.verified ? 2 : 3);
  return scored
    .filter(({ score }) => words.length === 0 || score > 0)
    .toSorted((a, b) => b.score - a.score || order(a.entry) - order(b.entry) || a.entry.name.localeCompare(b.entry.name, 'en'))
    .map(({ entry }) => entry);
};
