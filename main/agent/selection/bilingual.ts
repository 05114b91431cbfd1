import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

export interface Meaning {
  readonly word: string;
  /** 1 for the first sense, less for the later ones */
  readonly weight: number;
}
export interface ChineseWord {
  readonly word: string;
  readonly meanings: readonly Meaning[];
}

const LONGEST_ENTRY = 8;
/** A single character means many things. */
const SINGLE = { worth: 0.5, most: 3 } as const;
/** So many single characters beside each other are a name written by its sound. */
const NAME = 3;
const NUMERAL = /[零一二两三四五六七八九十百千万亿]/;
/** What a word adds to the cost of a cut: the fewest words win, single characters without a use of their own are the least likely ones. */
const COST = { word: 1, silent: 0.8, single: 1.6, unknown: 2 } as const;
const MOST_KEPT = 2_000;

/** A word of the dictionary; no English where it has no subject. */
type Entry = readonly [word: string, english: string];

interface Cut {
  readonly end: number;
  /** null where the dictionary has none */
  readonly english: string | null;
}

/**
 * Chinese to English, word by word, from the dictionary in `assets/selection/zh-en.txt.gz`: a line a word, sorted by UTF-16 units, the word, a tab and
 * its English words with spaces, the first sense first, `_` between words of it that all count; a word without a subject has none. The text is searched as it
 * is: a map of it would cost the host's thread 60 ms.
 */
export class Bilingual {
  readonly #lines: string;
  readonly #simple = new Map<string, string>();
  /** the entries that begin with a character, or with two of them; asked again and again for the same few */
  readonly #kept = new Map<string, readonly Entry[]>();

  /**
   * `lines`: the dictionary; begins and ends with a line break. `simple`: traditional characters, a line break, and the simplified one of each.
   */
  constructor(lines: string, simple: string) {
    this.#lines = lines;
    const [traditional = '', simplified = ''] = simple.split('\n');
    for (let at = 0; at < traditional.length; at += 1) this.#simple.set(traditional[at]!, simplified[at]!);
  }

  /** The first line that is not before `word`. */
  #lowerBound(word: string): number {
    let [low, high] = [1, this.#lines.length];
    while (low < high) {
      const from = this.#lines.lastIndexOf('\n', ((low + high) >>> 1) - 1) + 1;
      if (this.#lines.slice(from, this.#lines.indexOf('\t', from)) < word) low = this.#lines.indexOf('\n', from) + 1;
      else high = from;
    }
    return low;
  }

  /** The entries that begin with two characters; of one character only itself. */
  #entries(start: string): readonly Entry[] {
    const known = this.#kept.get(start);
    if (known) return known;
    const out: Entry[] = [];
    for (let from = this.#lowerBound(start); this.#lines.startsWith(start, from); ) {
      const tab = this.#lines.indexOf('\t', from);
      const end = this.#lines.indexOf('\n', tab);
      if (start.length > 1 || tab === from + 1) out.push([this.#lines.slice(from, tab), this.#lines.slice(tab + 1, end)]);
      if (start.length === 1) break;
      from = end + 1;
    }
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(start, out);
    return out;
  }

  /** Where a run is cut into words: the cheapest way, and of those as cheap the one whose last words are the longer ones. */
  #cut(run: string): readonly Cut[] {
    const cost = new Float64Array(run.length + 1).fill(Infinity);
    const from = new Int32Array(run.length + 1);
    const english: (string | null)[] = [];
    cost[0] = 0;
    const reach = (at: number, end: number, price: number, meaning: string | null): void => {
      if (cost[at]! + price > cost[end]! - 1e-9) return;
      cost[end] = cost[at]! + price;
      from[end] = at;
      english[end] = meaning;
    };
    for (let at = 0; at < run.length; at += 1) {
      const alone = this.#entries(run[at]!)[0]?.[1] ?? null;
      reach(at, at + 1, alone === null ? COST.unknown : alone === '' ? COST.silent : COST.single, alone);
      if (at + 1 < run.length) for (const [word, meaning] of this.#entries(run.slice(at, at + 2))) if (word.length <= LONGEST_ENTRY && run.startsWith(word, at)) reach(at, at + word.length, meaning === '' ? COST.silent : COST.word, meaning);
    }
    const cuts: Cut[] = [];
    for (let end = run.length; end > 0; end = from[end]!) cuts.push({ end, english: english[end]! });
    return cuts.reverse();
  }

  /** As it is written with simplified characters. */
  simplified(written: string): string {
    return written.replace(/./gsu, (character) => this.#simple.get(character) ?? character);
  }

  /** The words of a run of Chinese, each with its meanings (none where the dictionary has none); words without a subject are left out. */
  wordsOf(written: string): ChineseWord[] {
    const run = this.simplified(written);
    const out: ChineseWord[] = [];
    const cuts = this.#cut(run);
    const begins = (at: number): number => cuts[at - 1]?.end ?? 0;
    const isSingle = (at: number): boolean => at < cuts.length && cuts[at]!.end === begins(at) + 1 && cuts[at]!.english !== '' && !NUMERAL.test(run[begins(at)]!);
    for (let at = 0; at < cuts.length; at += 1) {
      let after = at;
      while (isSingle(after)) after += 1;
      if (after - at >= NAME) {
        out.push({ word: run.slice(begins(at), begins(after)), meanings: [] });
        at = after - 1;
        continue;
      }
      const { end, english } = cuts[at]!;
      if (english !== '') out.push(...meant(run.slice(begins(at), end), english));
    }
    return out;
  }
}

/** A word with its meanings; the further words of a meaning of several stand behind it by themselves. */
const meant = (word: string, english: string | null): ChineseWord[] => {
  if (english === null) return [{ word, meanings: [] }];
  const [first, ...later] = english.split(' ');
  const [whole, ...also] = first!.split('_');
  const single = word.length === 1;
  const senses = [whole!, ...later].slice(0, single ? SINGLE.most : undefined);
  return [{ word, meanings: senses.map((sense, place) => ({ word: sense, weight: (single ? SINGLE.worth : 1) / (1 + 0.25 * place) })) }, ...also.map((one) => ({ word: one, meanings: [] }))];
};

export const readBilingual = async (dictionary: string, simple: string): Promise<Bilingual> =>
  new Bilingual((await promisify(gunzip)(await readFile(dictionary))).toString('utf8'), await readFile(simple, 'utf8'));
