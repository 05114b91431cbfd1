/** Weights in 5 bits under the document's number. */
export const WEIGHT_BITS = 5;
export const WEIGHT_MASK = 31;

const FIRST_ROOM = 1 << 16;

/** Twice the room, the same values. */
const grown = (values: Uint32Array): Uint32Array<ArrayBuffer> => {
  const more = new Uint32Array(values.length * 2);
  more.set(values);
  return more;
};

/**
 * Which documents have which term, while they are read one after another; a document that has a term twice keeps the best weight. Kept in a few long
 * arrays, for a hundred thousand small ones make the collector of garbage stop the thread for as long as it takes to look at each.
 */
export class TermPostings {
  readonly #numbers = new Map<string, number>();
  #lasts: Uint32Array<ArrayBuffer> = new Uint32Array(FIRST_ROOM);
  #counts: Uint32Array<ArrayBuffer> = new Uint32Array(FIRST_ROOM);
  #postings: Uint32Array<ArrayBuffer> = new Uint32Array(FIRST_ROOM);
  /** the posting of the same term before each; 0 is none */
  #before: Uint32Array<ArrayBuffer> = new Uint32Array(FIRST_ROOM);
  #used = 1;

  /** Documents come in order. */
  add(term: string, document: number, weight: number): void {
    let number = this.#numbers.get(term);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(term, number);
      if (number >= this.#lasts.length) [this.#lasts, this.#counts] = [grown(this.#lasts), grown(this.#counts)];
    }
    const last = this.#lasts[number]!;
    if (last !== 0 && this.#postings[last]! >>> WEIGHT_BITS === document) {
      if ((this.#postings[last]! & WEIGHT_MASK) < weight) this.#postings[last] = (document << WEIGHT_BITS) | weight;
      return;
    }
    if (this.#used >= this.#postings.length) [this.#postings, this.#before] = [grown(this.#postings), grown(this.#before)];
    this.#postings[this.#used] = (document << WEIGHT_BITS) | weight;
    this.#before[this.#used] = last;
    this.#lasts[number] = this.#used;
    this.#counts[number]! += 1;
    this.#used += 1;
  }

  get terms(): readonly string[] {
    return [...this.#numbers.keys()];
  }

  get total(): number {
    return this.#used - 1;
  }

  countOf(term: string): number {
    const number = this.#numbers.get(term);
    return number === undefined ? 0 : this.#counts[number]!;
  }

  /** Writes the postings of a term, documents ascending, so that they end before `end`. */
  write(term: string, into: Uint32Array, end: number): void {
    let to = end;
    for (let at = this.#lasts[this.#numbers.get(term)!]!; at !== 0; at = this.#before[at]!) into[(to -= 1)] = this.#postings[at]!;
  }
}
