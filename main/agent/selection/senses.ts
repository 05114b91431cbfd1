import { readFile } from 'node:fs/promises';
import { stemOf } from './words.ts';

const HEAD_BYTES = 4;

interface Head {
  readonly dimensions: number;
  readonly stems: readonly string[];
}

/**
 * What a sentence is about: the sum of its words, so chosen that what people ask comes near to what the right tools say (`assets/selection/README.md`). Read from
 * `senses.bin`: 4 bytes length of the head (little endian, a multiple of 4), the head as JSON, then for each stem the unit of its numbers (float32), then its numbers (int8).
 */
export class Senses {
  readonly dimensions: number;
  readonly #numbers = new Map<string, number>();
  readonly #units: Float32Array;
  readonly #rows: Int8Array;

  /** Throws where rows are missing. */
  constructor(bytes: Buffer) {
    const from = HEAD_BYTES + bytes.readUInt32LE(0);
    const { dimensions, stems } = JSON.parse(bytes.toString('utf8', HEAD_BYTES, from)) as Head;
    const rows = from + stems.length * 4;
    if (bytes.length !== rows + stems.length * dimensions) throw new Error('senses.bin is torn');
    this.dimensions = dimensions;
    for (const [number, stem] of stems.entries()) this.#numbers.set(stem, number);
    this.#units = new Float32Array(Uint8Array.from(bytes.subarray(from, rows)).buffer);
    this.#rows = new Int8Array(bytes.subarray(rows));
  }

  has(word: string): boolean {
    return this.#numbers.has(stemOf(word));
  }

  /** Of length 1, all zero where no word is known; of each text a stem counts once. */
  of(...texts: readonly Iterable<string>[]): Float32Array {
    const sum = new Float32Array(this.dimensions);
    for (const text of texts) {
      const numbers = new Set<number>();
      for (const word of text) {
        const number = this.#numbers.get(stemOf(word));
        if (number !== undefined) numbers.add(number);
      }
      for (const number of numbers) {
        const unit = this.#units[number]!;
        const at = number * this.dimensions;
        for (let k = 0; k < sum.length; k += 1) sum[k]! += unit * this.#rows[at + k]!;
      }
    }
    const length = Math.sqrt(sum.reduce((square, x) => square + x * x, 0)) || 1;
    return sum.map((x) => x / length);
  }
}

export const readSenses = async (path: string): Promise<Senses> => new Senses(await readFile(path));
