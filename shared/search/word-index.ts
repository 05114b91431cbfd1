import { lettersOf, nearTerms } from './near-terms.ts';
import { sortedInSlices } from './sorted-in-slices.ts';
import { TermPostings, WEIGHT_BITS, WEIGHT_MASK } from './term-postings.ts';
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

/** In a request: a word in one of its forms, and what is only begun by it ("reader", asked to read). */
const FORM = 9;
const BEGUN = 2;
const ENDING = /^(?:|y|s|e|es|ies|d|ed|ied|ing)$/;
const SHORTEST_BEGINNING = 4;
/** Of a request a document has to have so much of what the one with the most has, or of the points of the best. */
const LEAST_SHARE = 0.55;
const LEAST_POINTS = 0.5;
/** Brings points of a request to the size of those of words. */
const REQUEST_SCALE = 20;

/** Terms handled between two chances for others: about a millisecond. */
const A_SLICE = 1_000;
/** Words whose points are kept. */
const LATELY = 16;

/** One thing that a request speaks of: a word as it was written, and others for it, by their beginnings (stems, translations). */
export interface Sought {
  readonly word: QueryWord;
  readonly others: readonly { readonly begins: string; readonly worth: number }[];
  /** 0 to 1: how much it says */
  readonly worth: number;
}

interface Thing {
  readonly points: Uint32Array;
  /** how many documents have points */
  readonly count: number;
}

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
  readonly #lately = new Map<string, Uint32Array>();
  readonly #things = new Map<string, Thing>();

  private constructor(size: number, terms: readonly string[], letters: Int32Array, starts: Uint32Array, postings: Uint32Array) {
    this.#size = size;
    this.#terms = terms;
    this.#letters = letters;
    this.#starts = starts;
    this.#postings = postings;
  }

  /** Yields after every slice of work, so that whoever builds can let others in. */
  static *build(size: number, fieldsOf: (document: number) => readonly Field[], slice: number): Generator<void, WordIndex> {
    const found = new TermPostings();
    for (let document = 0; document < size; document += 1) {
      for (const { text, weight } of fieldsOf(document)) {
        for (const term of termsOf(text)) found.add(term, document, weight);
      }
      if (document % slice === slice - 1) yield;
    }
    const terms = yield* sortedInSlices(found.terms, (term) => term);
    const starts = new Uint32Array(terms.length + 1);
    const letters = new Int32Array(terms.length);
    const postings = new Uint32Array(found.total);
    for (const [at, term] of terms.entries()) {
      starts[at + 1] = starts[at]! + found.countOf(term);
      letters[at] = lettersOf(term);
      found.write(term, postings, starts[at + 1]!);
      if (at % A_SLICE === A_SLICE - 1) yield;
    }
    return new WordIndex(size, terms, letters, starts, postings);
  }

  /** In one go, for a few hundred documents. */
  static buildNow(size: number, fieldsOf: (document: number) => readonly Field[]): WordIndex {
    const building = WordIndex.build(size, fieldsOf, size);
    for (let step = building.next(); ; step = building.next()) if (step.done) return step.value;
  }

  /** Numbers of the best documents for a query, at most `count`, best first, ties in their order; none where the query has no word. */
  best(query: string, count: number): readonly number[] {
    const points = this.score(query);
    if (points === null) return [];
    const best: number[] = [];
    for (let document = 0; document < points.length; document += 1) {
      if (points[document] === 0 || (best.length === count && points[document]! <= points[best.at(-1)!]!)) continue;
      let at = best.length;
      while (at > 0 && points[best[at - 1]!]! < points[document]!) at -= 1;
      best.splice(at, 0, document);
      if (best.length > count) best.pop();
    }
    return best;
  }

  /** Points of each document, 0 where a word of the query is not found; null where the query has no word. Not to be written to. */
  score(query: string): Uint32Array | null {
    const words = queryWords(query);
    if (words.length === 0) return null;
    if (words.length === 1) return this.#known(words[0]!);
    const points = this.#known(words[0]!).slice();
    for (const word of words.slice(1)) {
      const more = this.#known(word);
      for (let at = 0; at < points.length; at += 1) points[at] = points[at] === 0 || more[at] === 0 ? 0 : points[at]! + more[at]!;
    }
    return points;
  }

  /**
   * Points of each document for a request of which not everything has to be found: the more of it a document has, the rarer that is, and the better the place it stands in,
   * the more points. What no document has counts for nothing; 0 where much less is found than in the best one.
   */
  scoreRequest(request: readonly Sought[]): Uint32Array {
    const [score, share] = [new Float64Array(this.#size), new Float64Array(this.#size)];
    let most = 0;
    let all = 0;
    for (const sought of request) {
      const { points, count } = this.#thing(sought);
      if (count === 0) continue;
      const rarity = sought.worth * Math.log(1 + this.#size / count);
      all += rarity;
      for (let at = 0; at < points.length; at += 1) {
        if (points[at] === 0) continue;
        score[at]! += rarity * Math.sqrt(points[at]!);
        share[at]! += rarity;
        if (share[at]! > most) most = share[at]!;
      }
    }
    let best = 0;
    for (let at = 0; at < score.length; at += 1) {
      if (score[at] === 0) continue;
      score[at]! *= Math.sqrt(share[at]! / all);
      if (score[at]! > best) best = score[at]!;
    }
    const out = new Uint32Array(this.#size);
    for (let at = 0; at < out.length; at += 1) if (score[at] !== 0 && (share[at]! >= LEAST_SHARE * most || score[at]! >= LEAST_POINTS * best)) out[at] = Math.max(1, Math.round(REQUEST_SCALE * score[at]!));
    return out;
  }

  #thing(sought: Sought): Thing {
    const key = `${keyOf(sought.word)}\u0000${sought.others.map(({ begins, worth }) => `${begins} ${worth}`).join('\u0000')}`;
    let thing = this.#things.get(key);
    if (!thing) {
      const points = new Uint32Array(this.#size);
      const { word, others } = sought;
      // a character is part of many words: where it has a meaning, that is looked for first
      const isVague = word.kind === 'unspaced' && word.characters.length === 1 && others.length > 0;
      let found = word.kind === 'spaced' ? this.#addForms(word.term, 1, 1, points) : !isVague && this.#addWritten(word, points);
      for (const { begins, worth } of others) if (this.#addForms(begins, worth, SHORTEST_BEGINNING, points)) found = true;
      if (!found && !(isVague && this.#addWritten(word, points))) this.#addGuessed(word, points);
      let count = 0;
      for (let at = 0; at < points.length; at += 1) if (points[at] !== 0) count += 1;
      thing = { points, count };
    }
    keepLately(this.#things, key, thing);
    return thing;
  }

  /** Terms that are a form of a word, or go on from it where it has so many letters. False where there are none. */
  #addForms(begins: string, worth: number, shortest: number, points: Uint32Array): boolean {
    let found = false;
    for (let at = this.#firstFrom(begins); at < this.#terms.length && this.#terms[at]!.startsWith(begins); at += 1) {
      const isForm = ENDING.test(this.#terms[at]!.slice(begins.length));
      if (!isForm && begins.length < shortest) continue;
      this.#add(at, worth * (isForm ? FORM : BEGUN), points);
      found = true;
    }
    return found;
  }

  /** The points of a word, from when it was last asked for: who types a second word asks for the first one at every key stroke. Not to be written to. */
  #known(word: QueryWord): Uint32Array {
    const key = keyOf(word);
    const known = this.#lately.get(key) ?? this.#pointsOf(word);
    keepLately(this.#lately, key, known);
    return known;
  }

  #pointsOf(word: QueryWord): Uint32Array {
    const points = new Uint32Array(this.#size);
    if (!this.#addWritten(word, points)) this.#addGuessed(word, points);
    return points;
  }

  /** The word as it is written, whole or as a beginning. False where there is none. */
  #addWritten(word: QueryWord, points: Uint32Array): boolean {
    if (word.kind === 'unspaced') return this.#addAll(word.terms, WHOLE, points);
    const first = this.#firstFrom(word.term);
    for (let at = first; at < this.#terms.length && this.#terms[at]!.startsWith(word.term); at += 1) this.#add(at, this.#terms[at]!.length === word.term.length ? WHOLE : BEGINNING, points);
    return first < this.#terms.length && this.#terms[first]!.startsWith(word.term);
  }

  /** Where it is not written so: by its characters, as a part of another word, with typos. */
  #addGuessed(word: QueryWord, points: Uint32Array): void {
    if (word.kind === 'unspaced') {
      if (word.characters.length > 1) this.#addAll(word.characters, NEAR, points);
      return;
    }
    let parts = false;
    for (let at = 0; word.term.length > 2 && at < this.#terms.length; at += 1) {
      if (!this.#terms[at]!.includes(word.term)) continue;
      parts = true;
      this.#add(at, PART, points);
    }
    if (!parts) for (const { at, typos } of nearTerms(word.term, this.#terms, this.#letters)) this.#add(at, NEAR / typos, points);
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

const keyOf = (word: QueryWord): string => (word.kind === 'spaced' ? word.term : `\u0000${word.characters.join('')}`);

/** Puts it last, and leaves the one out that was asked for longest ago. */
const keepLately = <T>(kept: Map<string, T>, key: string, value: T): void => {
  kept.delete(key);
  kept.set(key, value);
  if (kept.size > LATELY) kept.delete(kept.keys().next().value!);
};
