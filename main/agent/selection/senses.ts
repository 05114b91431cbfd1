import { readFile } from 'node:fs/promises';
import type { Lexicon } from './lexicon.ts';
import { inflectedVerbClassesOf, STOP, type VerbClass } from './words.ts';

/** A word that is this share of all text counts half. */
const COMMON = 3e-3;
const HEAD_BYTES = 4;
/** What is done with a thing in nearly every tool says nothing of what the thing is; other doing does. */
const TELLING: ReadonlySet<VerbClass> = new Set(['send', 'convert', 'analyze']);

const saysNothing = (word: string): boolean => {
  if (STOP.has(word)) return true;
  const doing = inflectedVerbClassesOf(word);
  return doing !== undefined && ![...doing].some((one) => TELLING.has(one));
};

/**
 * What a sentence is about, as the sum of its words comes nearest to what a sentence encoder says of it (`assets/selection/README.md`). Read from
 * `senses.bin`: the number of dimensions (uint32, little endian), then a row of int8 for each word of the lexicon, in its order.
 */
export class Senses {
  readonly dimensions: number;
  readonly #lexicon: Lexicon;
  readonly #rows: Int8Array;

  /** Throws where the rows are not those of the lexicon's words. */
  constructor(bytes: Buffer, lexicon: Lexicon) {
    this.dimensions = bytes.readUInt32LE(0);
    if (bytes.length !== HEAD_BYTES + lexicon.size * this.dimensions) throw new Error('senses.bin is not of this lexicon.bin');
    this.#lexicon = lexicon;
    this.#rows = new Int8Array(bytes.subarray(HEAD_BYTES));
  }

  /** Of length 1, all zero where no word is known; each word counts once. */
  of(words: Iterable<string>): Float32Array {
    const sum = new Float32Array(this.dimensions);
    for (const word of new Set(words)) {
      const number = this.#lexicon.numberOf(word);
      if (number === undefined || saysNothing(word)) continue;
      const worth = COMMON / (COMMON + this.#lexicon.shareOf(number));
      const at = number * this.dimensions;
      for (let k = 0; k < sum.length; k += 1) sum[k]! += worth * this.#rows[at + k]!;
    }
    const length = Math.sqrt(sum.reduce((square, x) => square + x * x, 0)) || 1;
    return sum.map((x) => x / length);
  }
}

export const readSenses = async (path: string, lexicon: Lexicon): Promise<Senses> => new Senses(await readFile(path), lexicon);
