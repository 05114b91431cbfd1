/** Which letters a term has: a to z, and ten digits in six more bits. Others count for nothing. */
export const lettersOf = (term: string): number => {
  let bits = 0;
  for (let i = 0; i < term.length; i += 1) {
    const code = term.charCodeAt(i);
    if (code >= 97 && code <= 122) bits |= 1 << (code - 97);
    else if (code >= 48 && code <= 57) bits |= 1 << (26 + (code % 6));
  }
  return bits;
};

const bitCount = (bits: number): number => {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
};

/** Typos forgiven in a word: none up to three letters, one up to seven, two beyond. */
export const forgiven = (term: string): number => (term.length < 4 ? 0 : term.length < 8 ? 1 : 2);

/** Three rows of the table below, used again and again. */
const ROWS = new Int32Array(3 * 256);

/**
 * The least number of typos (a letter wrong, missing, too many, or two exchanged: Damerau-Levenshtein, optimal string alignment) between a word
 * and any beginning of a term, for someone who is still typing; over `most` it is `most + 1`.
 */
export const typosToBeginning = (word: string, term: string, most: number): number => {
  const width = Math.min(term.length, word.length + most);
  const size = width + 1;
  const table = size * 3 <= ROWS.length ? ROWS : new Int32Array(size * 3);
  let [before, row, next] = [0, size, size * 2];
  for (let at = 0; at <= width; at += 1) table[row + at] = at;
  for (let i = 1; i <= word.length; i += 1) {
    const letter = word.charCodeAt(i - 1);
    let least = (table[next] = i);
    for (let j = 1; j <= width; j += 1) {
      const other = term.charCodeAt(j - 1);
      let cost = Math.min(table[row + j]! + 1, table[next + j - 1]! + 1, table[row + j - 1]! + (letter === other ? 0 : 1));
      if (i > 1 && j > 1 && letter === term.charCodeAt(j - 2) && word.charCodeAt(i - 2) === other) cost = Math.min(cost, table[before + j - 2]! + 1);
      table[next + j] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    [before, row, next] = [row, next, before];
  }
  let least = table[row]!;
  for (let at = 1; at <= width; at += 1) if (table[row + at]! < least) least = table[row + at]!;
  return least;
};

/** Numbers of the terms that begin like the word but for a few typos, with how many. `letters` are those of each term. */
export const nearTerms = (word: string, terms: readonly string[], letters: Int32Array): { readonly at: number; readonly typos: number }[] => {
  const most = forgiven(word);
  if (most === 0) return [];
  const mine = lettersOf(word);
  const found: { at: number; typos: number }[] = [];
  for (let at = 0; at < terms.length; at += 1) {
    // each letter that the term has not is a typo of its own
    if (bitCount(mine & ~letters[at]!) > most || terms[at]!.length < word.length - most) continue;
    const typos = typosToBeginning(word, terms[at]!, most);
    if (typos <= most) found.push({ at, typos });
  }
  return found;
};
