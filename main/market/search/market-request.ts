import type { Sought } from '../../../shared/search/word-index.ts';
import { MOST_WORDS, queryRuns, unspacedWord } from '../../../shared/search/words.ts';

/** A word of a run of Chinese, with English words for it, the likeliest first. */
export interface TranslatedWord {
  readonly word: string;
  readonly meanings: readonly { readonly word: string; readonly weight: number }[];
}

/** What is known of words; the host gives it. */
export interface RequestWords {
  /** 0: says nothing ("I", "please"), 1: a subject */
  readonly worthOf: (word: string) => number;
  readonly stemOf: (word: string) => string;
  /** Cuts a run of Chinese; words without a subject are left out. Resolves when the dictionary was read, which is when it is first asked for; rejects where it cannot be. */
  readonly chinese: () => Promise<(run: string) => readonly TranslatedWord[]>;
}

const MOST_MEANINGS = 4;
/** Shorter meanings and stems are parts of names and addresses. */
const SHORTEST = 3;

export const hasUnspaced = (query: string): boolean => queryRuns(query).some(({ unspaced }) => unspaced);

/** What a word is found by beside itself. A stem in "i" stands for a "y" too. */
const beginning = (word: string, { stemOf }: Pick<RequestWords, 'stemOf'>): string => {
  const stem = stemOf(word).replace(/i$/, '');
  return stem.length >= SHORTEST && word.startsWith(stem) ? stem : word;
};

/**
 * What a query of several words asks for: words that say nothing do not count, unless it has no others. `cut` is absent where the dictionary is;
 * Chinese is then not read as a request. Null where it is a single word or nothing: that is searched as it stands.
 */
export const readMarketRequest = (query: string, words: Pick<RequestWords, 'worthOf' | 'stemOf'>, cut: ((run: string) => readonly TranslatedWord[]) | null): readonly Sought[] | null => {
  const runs = queryRuns(query);
  if ((runs.length < 2 && !runs[0]?.unspaced) || (cut === null && runs.some(({ unspaced }) => unspaced))) return null;
  const all = runs.flatMap(({ run, unspaced }): Sought[] => {
    if (!unspaced) return [{ word: { kind: 'spaced', term: run }, others: [{ begins: beginning(run, words), worth: 1 }], worth: words.worthOf(run) }];
    return cut!(run).map(({ word, meanings }) => ({
      word: /^\p{ASCII}+$/u.test(word) ? { kind: 'spaced', term: word } : unspacedWord(word),
      others: meanings.slice(0, MOST_MEANINGS).filter((meaning) => meaning.word.length >= SHORTEST).map((meaning) => ({ begins: beginning(meaning.word, words), worth: meaning.weight })),
      worth: words.worthOf(meanings[0]?.word ?? word),
    }));
  });
  const said = all.filter(({ worth }) => worth > 0).slice(0, MOST_WORDS);
  return said.length === 0 ? null : said;
};
