import { lettersOf, nearTerms } from './near-terms.ts';
import { queryWords, termsOf, type QueryWord } from './words.ts';

/** A text of one document and what a word is worth in it (1 to 31). */
export interface Field {
  readonly text: string;
  readonly weight: number;
}

/** What a hit is worth by how it was found; typos are looked for only where nothing else was found. */
const WHOLE = 10;
const BEGINNING = 7;
const PART = 4;
const NEAR = 3;

/** Weights in 5 bits under the document's number. */
const WEIGHT_BITS = 5;
const WEIGHT_MASK = 31;
const TERMS_A_SLICE = 5_000;

/**
 * An inverted index over documents 0 to n-1: a sorted list of terms, and for each the documents that have it with the best weight it has there.
 * Built once, in slices, read only afterwards.
 */
export class WordIndex {
  readonly #size: number;
  readonly #terms: readonly string[];
  readonly #letters: Int32Array;
  /** postings of term t: from #starts[t] up to #starts[t + 1] */
  readonly #starts: Uint32Array;
  readonly #postings: Uint32Array;

  private constructor(size: number, terms: readonly string[], starts: Uint32Array, postings: Uint32Array) {
    this.#size = size;
    this.#terms = terms;
    this.#letters = Int32Array.from(terms, lettersOf);
    this.#starts = starts;
    this.#postings = postings;
  }

  /** Yields after every slice of work, so that whoever builds can let others in. */
  static *build(size: number, fieldsOf: (document: number) => readonly Field[], slice: number): Generator<void, WordIndex> {
    const lists = new Map<string, number[]>();
    for (let document = 0; document < size; document += 1) {
      for (const { text, weight } of fieldsOf(document)) {
        for (const term of termsOf(text)) add(lists, term, document, weight);
      }
      if (document % slice === slice - 1) yield;
    }
    const terms = yield* sorted(lists.keys());
    const starts = new Uint32Array(terms.length + 1);
    terms.forEach((term, at) => (starts[at + 1] = starts[at]! + lists.get(term)!.length));
    yield;
    const postings = new Uint32Array(starts[terms.length]!);
    for (const [at, term] of terms.entries()) {
      postings.set(lists.get(term)!, starts[at]!);
      if (at % TERMS_A_SLICE === TERMS_A_SLICE - 1) yield;
    }
    return new WordIndex(size, terms, starts, postings);
  }

  /** Points of each document, 0 where a word of the query is not found; null where the query has no word. */
  score(query: string): Uint32Array | null {
    const words = queryWords(query);
    if (words.length === 0) return null;
    const points = this.#pointsOf(words[0]!);
    for (const word of words.slice(1)) {
      const more = this.#pointsOf(word);
      for (let at = 0; at < points.length; at += 1) points[at] = points[at] === 0 || more[at] === 0 ? 0 : points[at]! + more[at]!;
    }
    return points;
  }

  #pointsOf(word: QueryWord): Uint32Array {
    const points = new Uint32Array(this.#size);
    if (word.kind === 'unspaced') {
      if (!this.#addAll(word.terms, WHOLE, points) && word.characters.length > 1) this.#addAll(word.characters, NEAR, points);
      return points;
    }
    const first = this.#firstFrom(word.term);
    for (let at = first; at < this.#terms.length && this.#terms[at]!.startsWith(word.term); at += 1) this.#add(at, this.#terms[at]!.length === word.term.length ? WHOLE : BEGINNING, points);
    if (first < this.#terms.length && this.#terms[first]!.startsWith(word.term)) return points;
    let parts = false;
    for (let at = 0; word.term.length > 2 && at < this.#terms.length; at += 1) {
      if (!this.#terms[at]!.includes(word.term)) continue;
      parts = true;
      this.#add(at, PART, points);
    }
    if (!parts) for (const { at, typos } of nearTerms(word.term, this.#terms, this.#letters)) this.#add(at, NEAR / typos, points);
    return points;
  }

  /** The best that this term is worth in each document. */
  #add(term: number, worth: number, points: Uint32Array): void {
    for (let at = this.#starts[term]!; at < this.#starts[term + 1]!; at += 1) {
      const posting = this.#postings[at]!;
      const document = posting >>> WEIGHT_BITS;
      const value = (posting & WEIGHT_MASK) * worth;
      if (value > points[document]!) points[document] = value;
    }
  }

  /** Documents that have every one of these terms, by the least of them. False where there are none. */
  #addAll(terms: readonly string[], worth: number, points: Uint32Array): boolean {
    const least = new Uint32Array(this.#size);
    terms.forEach((term, turn) => {
      const one = new Uint32Array(this.#size);
      const at = this.#firstFrom(term);
      if (this.#terms[at] === term) this.#add(at, worth, one);
      for (let document = 0; document < one.length; document += 1) least[document] = turn === 0 ? one[document]! : Math.min(least[document]!, one[document]!);
    });
    points.set(least);
    return least.some((value) => value > 0);
  }

  /** The first term that is not before this one. */
  #firstFrom(term: string): number {
    let [low, high] = [0, this.#terms.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#terms[middle]! < term) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** By code units, a first character at a time. */
function* sorted(all: Iterable<string>): Generator<void, string[]> {
  const groups = new Map<string, string[]>();
  for (const term of all) {
    const group = groups.get(term[0]!);
    if (group === undefined) groups.set(term[0]!, [term]);
    else group.push(term);
  }
  yield;
  const terms: string[] = [];
  for (const first of [...groups.keys()].sort()) {
    const group = groups.get(first)!.sort();
    for (const term of group) terms.push(term);
    if (group.length > 500) yield;
  }
  return terms;
}

const add = (lists: Map<string, number[]>, term: string, document: number, weight: number): void => {
  const posting = (document << WEIGHT_BITS) | weight;
  const list = lists.get(term);
  if (list === undefined) lists.set(term, [posting]);
  else if (list.at(-1)! >>> WEIGHT_BITS !== document) list.push(posting);
  else if ((list.at(-1)! & WEIGHT_MASK) < weight) list[list.length - 1] = posting;
};
