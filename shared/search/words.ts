/** Scripts written without spaces between words. */
const UNSPACED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
const RUN = new RegExp(`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

/** One form for full and half width, upper and lower case. */
export const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Single characters and pairs of neighbours. */
const grams = (run: string): string[] => {
  const characters = [...run];
  return [...characters, ...characters.slice(1).map((character, at) => characters[at]! + character)];
};

/** The word, and where it is in camelCase, its parts. */
const spacedTerms = (run: string): string[] => {
  const whole = run.toLowerCase();
  if (whole === run || !/[\p{Ll}\p{N}]\p{Lu}/u.test(run)) return [whole];
  return [whole, ...run.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u).map((part) => part.toLowerCase())];
};

/**
 * The terms a text is found by. Spaced scripts: each word, and the parts of one in camelCase. Unspaced ones: characters and pairs, so that
 * a word is found whichever way its neighbours are cut.
 */
export const termsOf = (text: string): string[] => {
  // most texts are plain: the general way is several times slower
  if (/^[\x20-\x7e]*$/.test(text)) return text.split(/[^A-Za-z0-9]+/).flatMap((run) => (run === '' ? [] : spacedTerms(run)));
  const terms: string[] = [];
  for (const [run] of text.normalize('NFKC').matchAll(RUN)) {
    if (IS_UNSPACED.test(run)) terms.push(...grams(run));
    else terms.push(...spacedTerms(run));
  }
  return terms;
};

/** One word that has to be found: by its beginning, or, where it is written without spaces, by all these terms together. */
export type QueryWord = { readonly kind: 'spaced'; readonly term: string } | { readonly kind: 'unspaced'; readonly terms: readonly string[]; readonly characters: readonly string[] };

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
const LONGEST_QUERY = 200;
export const MOST_WORDS = 12;

/** The words of a query; beyond 200 characters or 12 words it is not read. */
export const queryWords = (query: string): QueryWord[] =>
  queryRuns(query)
    .flatMap(({ run, unspaced }): QueryWord[] => {
      if (!unspaced) return [{ kind: 'spaced', term: run }];
      return [...segmenter.segment(run)].map(({ segment }) => unspacedWord(segment));
    })
    .slice(0, MOST_WORDS);

/** A word written without spaces. */
export const unspacedWord = (word: string): QueryWord => {
  const characters = [...word];
  return { kind: 'unspaced', characters, terms: characters.length === 1 ? characters : characters.slice(1).map((character, at) => characters[at]! + character) };
};

/** The runs of a query that are cut by spaces, marks and changes of script; beyond 200 characters it is not read. */
export const queryRuns = (query: string): { readonly run: string; readonly unspaced: boolean }[] =>
  [...fold(query).slice(0, LONGEST_QUERY).matchAll(RUN)].map(([run]) => ({ run, unspaced: IS_UNSPACED.test(run) }));
