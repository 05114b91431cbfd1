import type { Mark } from '../../shared/conversation.ts';
import { forgiven, lettersOf, nearTerms } from '../../shared/search/near-terms.ts';
import { foldText } from '../store/fold-text.ts';

const LONGEST_EXCERPT = 200;
/** Before the first word of an excerpt: a list shows two short lines of it. */
const LEAD = 16;
const MOST_MARKS = 20;

/** Folded from its beginning at each step; of a longer one what is new at each, which is right but for a few characters. */
const SHORT = 1_000;

/** Where the character stands in a text that has the place `at` when it is folded: folding makes texts longer and shorter. In a time that grows with the length. */
const unfoldedPlace = (text: string, at: number): number => {
  let [low, high, before] = [0, text.length, 0];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const length = text.length <= SHORT ? foldText(text.slice(0, middle)).length : before + foldText(text.slice(low, middle)).length;
    if (length <= at) [low, before] = [middle, length];
    else high = middle - 1;
  }
  return low;
};

/** Around the first of the words, from the beginning of a word; the beginning where they stand in the title alone. */
export const excerptOf = (text: string, words: readonly string[]): string => {
  const folded = foldText(text);
  const at = Math.min(...words.map((word) => folded.indexOf(foldText(word))).filter((found) => found >= 0), folded.length);
  const place = at === folded.length ? 0 : unfoldedPlace(text, at);
  const lead = Math.max(0, place - LEAD);
  const space = lead === 0 ? 0 : text.slice(lead, place).search(/\s/);
  const from = space > 0 ? lead + space : lead;
  return `${from === 0 ? '' : '…'}${text.slice(from, from + LONGEST_EXCERPT).replace(/\s+/g, ' ').trim().toWellFormed()}`;
};

/** Where the words stand in a short text, each place once, in their order. */
export const marksOf = (text: string, words: readonly string[]): Mark[] => {
  const folded = foldText(text);
  const places = words.map(foldText).filter((word) => word !== '').flatMap((word) => {
    const found: Mark[] = [];
    for (let at = folded.indexOf(word); at >= 0 && found.length < MOST_MARKS; at = folded.indexOf(word, at + word.length)) found.push({ from: unfoldedPlace(text, at), to: unfoldedPlace(text, at + word.length) });
    return found;
  });
  return places.sort((a, b) => a.from - b.from).reduce<Mark[]>((apart, one) => {
    const last = apart.at(-1);
    if (last !== undefined && one.from <= last.to) return [...apart.slice(0, -1), { from: last.from, to: Math.max(last.to, one.to) }];
    return [...apart, one];
  }, []).slice(0, MOST_MARKS);
};

/** Letters of other scripts are no neighbours: one of them changed is another word. */
const SPELT = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}'’-]+$/u;

/** The words as they may have been meant: each that no term holds as the nearest one that was said. Null where nothing is near one of them, or nothing is to be changed. */
export const nearWords = (words: readonly string[], terms: readonly string[]): readonly string[] | null => {
  const letters = Int32Array.from(terms, lettersOf);
  const meant = words.map((word) => {
    const folded = foldText(word);
    if (terms.some((term) => term.includes(folded))) return word;
    if (!SPELT.test(folded)) return null;
    const near = nearTerms(folded, terms, letters).filter(({ at }) => terms[at]!.length <= folded.length + forgiven(folded));
    return near.length === 0 ? null : terms[near.reduce((best, one) => (one.typos < best.typos ? one : best)).at]!;
  });
  return meant.includes(null) || meant.every((word, at) => word === words[at]) ? null : meant.filter((word) => word !== null);
};
