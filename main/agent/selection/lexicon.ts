import { readFile } from 'node:fs/promises';
import { stemOf } from './words.ts';

export interface Neighbour {
  readonly word: string;
  readonly stem: string;
  /** cosine, 0.5 to 1 */
  readonly likeness: number;
}

const MOST_KEPT = 4_000;

const neighbourOf = (word: string, likeness: number): Neighbour => ({ word, stem: stemOf(word), likeness: likeness / 255 });

interface Head {
  readonly dimensions: number;
  readonly neighbours: number;
  readonly tokens: number;
  readonly words: readonly string[];
  readonly counts: readonly number[];
}

/**
 * What Gantry knows of English words without any tool at hand: how common each is, which words stand near it, and a direction of meaning. Read from
 * `assets/selection/lexicon.bin`: 4 bytes length of the head (little endian), the head as JSON, then for each word its vector (int8), its neighbours'
 * numbers (uint16, 65535 for none) and their likeness (uint8, 0 to 255).
 */
export class Lexicon {
  readonly dimensions: number;
  readonly #tokens: number;
  readonly #words: readonly string[];
  readonly #counts: readonly number[];
  readonly #numbers = new Map<string, number>();
  readonly #vectors: Int8Array;
  readonly #near: Uint16Array;
  readonly #likeness: Uint8Array;
  readonly #perWord: number;
  /** asked again and again for the same few words */
  readonly #nearOf = new Map<number, readonly Neighbour[]>();
  readonly #splits = new Map<string, readonly string[] | null>();

  constructor(bytes: Buffer) {
    const headBytes = bytes.readUInt32LE(0);
    const head = JSON.parse(bytes.toString('utf8', 4, 4 + headBytes)) as Head;
    this.dimensions = head.dimensions;
    this.#perWord = head.neighbours;
    this.#tokens = head.tokens;
    this.#words = head.words;
    this.#counts = head.counts;
    for (const [number, word] of head.words.entries()) this.#numbers.set(word, number);
    const size = head.words.length;
    let at = 4 + headBytes;
    this.#vectors = new Int8Array(bytes.subarray(at, (at += size * head.dimensions)));
    const near = bytes.subarray(at, (at += size * head.neighbours * 2));
    this.#near = new Uint16Array(near.buffer.slice(near.byteOffset, near.byteOffset + near.byteLength));
    this.#likeness = new Uint8Array(bytes.subarray(at, at + size * head.neighbours));
  }

  /** How often the word was met; 0 where it is unknown. */
  count(word: string): number {
    const number = this.#numbers.get(word);
    return number === undefined ? 0 : this.#counts[number]!;
  }

  /** 0 (in every text) to 12 (never met). */
  rarity(word: string): number {
    return (Math.log(this.#tokens / Math.max(5, this.count(word))) / Math.log(this.#tokens)) * 12;
  }

  /** Words of like meaning, nearest first. */
  near(word: string): readonly Neighbour[] {
    const number = this.#numbers.get(word);
    if (number === undefined) return [];
    const known = this.#nearOf.get(number);
    if (known) return known;
    const out: Neighbour[] = [];
    for (let at = number * this.#perWord; at < (number + 1) * this.#perWord && this.#near[at] !== 65_535; at += 1) out.push(neighbourOf(this.#words[this.#near[at]!]!, this.#likeness[at]!));
    if (this.#nearOf.size >= MOST_KEPT) this.#nearOf.clear();
    this.#nearOf.set(number, out);
    return out;
  }

  /** The direction of a weighted bag of words, of length 1 (all zero where none is known): common words count less. */
  direction(words: readonly (readonly [string, number])[]): Float32Array {
    const sum = new Float32Array(this.dimensions);
    for (const [word, weight] of words) {
      const number = this.#numbers.get(word);
      if (number === undefined) continue;
      const worth = (weight * 1e-3) / (1e-3 + this.#counts[number]! / this.#tokens);
      const at = number * this.dimensions;
      for (let k = 0; k < this.dimensions; k += 1) sum[k]! += worth * this.#vectors[at + k]!;
    }
    let square = 0;
    for (const x of sum) square += x * x;
    const length = Math.sqrt(square) || 1;
    for (let k = 0; k < sum.length; k += 1) sum[k]! /= length;
    return sum;
  }

  /** The words that a rare compound is made of ("keyvault", "nodepool"); null where it is a word of its own. */
  split(word: string): readonly string[] | null {
    const known = this.#splits.get(word);
    if (known !== undefined) return known;
    const parts = this.#bestSplit(word);
    if (this.#splits.size > 50_000) this.#splits.clear();
    this.#splits.set(word, parts);
    return parts;
  }

  #bestSplit(word: string): readonly string[] | null {
    const whole = this.count(word);
    if (word.length < 6 || whole >= 3_000 || !/^[a-z]+$/.test(word)) return null;
    const chance = (part: string): number | null => {
      const n = this.count(part);
      return n > (part.length <= 3 ? 3_000 : 200) ? Math.log(n / this.#tokens) : null;
    };
    let best = -Infinity;
    let parts: readonly string[] | null = null;
    for (let i = 2; i <= word.length - 2; i += 1) {
      const first = chance(word.slice(0, i));
      if (first === null) continue;
      const rest = chance(word.slice(i));
      if (rest !== null && first + rest > best && Math.max(i, word.length - i) >= 3) {
        best = first + rest;
        parts = [word.slice(0, i), word.slice(i)];
      }
      for (let j = i + 3; j <= word.length - 3; j += 1) {
        const middle = chance(word.slice(i, j));
        const last = chance(word.slice(j));
        if (middle === null || last === null || first + middle + last - 2 <= best) continue;
        best = first + middle + last - 2;
        parts = [word.slice(0, i), word.slice(i, j), word.slice(j)];
      }
    }
    const wholeChance = whole > 0 ? Math.log(whole / this.#tokens) : -34;
    return best < wholeChance - (whole > 400 ? 4 : 6) ? null : parts;
  }
}

export const readLexicon = async (path: string): Promise<Lexicon> => new Lexicon(await readFile(path));
