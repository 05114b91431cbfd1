import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { chunksOf, stemOf, STOP } from './words.ts';

/** How far something is of each kind, together of length 1. */
export type OfKinds = readonly (readonly [kind: number, share: number])[];

/** A word or phrase: for each kind that has it, how far tools of the kind say it and people ask with it. */
interface Entry {
  /** what a word that few kinds have tells */
  readonly worth: number;
  /** words of the longest phrase that begins with it */
  readonly longest: number;
  readonly kinds: Int32Array;
  readonly says: Float32Array;
  readonly asked: Float32Array;
}

/** What a tool says of itself, by how far that tells its kind; so many words of each are read. */
const FIELD = { name: 2, title: 1.5, server: 1, lead: 1.5, description: 0.7 } as const;
const FIELD_WORDS = 60;
/** A phrase is more than its words. */
const PHRASE = 1.3;
/** That a tool says what people ask with tells less than that it says what its kind says. */
const ASKED_WORDS_IN_TOOLS = 0.5;
const LONGEST_TEXT = 4_000;
const LONGEST_HAN = 400;
const KINDS_OF_REQUEST = 8;
const KINDS_OF_SERVER = 6;
const HAN = /\p{Script=Han}+/gu;

/**
 * Kinds of tools, with what tools of each say of themselves and what people ask with (`assets/selection/README.md`). Read from `kinds.txt.gz`: a head line with
 * the number of kinds and the length of the longest Chinese word, then a line a word or phrase, in stems: the words, a tab, the number of words of the longest phrase
 * that begins with it, a tab, and with spaces between them `kind,says,asked`, in hundredths.
 */
export class Kinds {
  readonly count: number;
  readonly #lines: string;
  readonly #longestHan: number;
  /** where the line of a word begins, behind its first tab */
  readonly #at = new Map<string, number>();
  readonly #entries = new Map<string, Entry>();
  readonly #here: Float32Array;

  constructor(lines: string) {
    const head = lines.indexOf('\n');
    const [count, longest] = lines.slice(0, head).split('\t').map(Number);
    this.count = count!;
    this.#longestHan = longest!;
    this.#lines = lines;
    this.#here = new Float32Array(this.count);
    for (let from = head + 1; from < lines.length; from = lines.indexOf('\n', from) + 1) {
      const tab = lines.indexOf('\t', from);
      this.#at.set(lines.slice(from, tab), tab + 1);
    }
  }

  #entry(term: string): Entry | undefined {
    const known = this.#entries.get(term);
    if (known) return known;
    const at = this.#at.get(term);
    if (at === undefined) return undefined;
    const [longest, list] = this.#lines.slice(at, this.#lines.indexOf('\n', at)).split('\t');
    const numbers = list === '' ? [] : list!.split(' ').map((one) => one.split(',').map(Number));
    const made: Entry = {
      worth: Math.log(this.count / Math.max(1, numbers.length)) ** 2 * (term.includes(' ') || /^\p{Script=Han}/u.test(term) ? PHRASE : 1),
      longest: Number(longest),
      kinds: Int32Array.from(numbers, ([kind]) => kind!),
      says: Float32Array.from(numbers, ([, says]) => says! / 100),
      asked: Float32Array.from(numbers, ([, , asked]) => asked! / 100),
    };
    this.#entries.set(term, made);
    return made;
  }

  /** The words and phrases of a run of stems that kinds have. */
  #found(stems: readonly string[], found: (term: string) => void): void {
    for (let at = 0; at < stems.length; at += 1) {
      const first = this.#entry(stems[at]!);
      if (first === undefined) continue;
      if (!STOP.has(stems[at]!)) found(stems[at]!);
      let phrase = stems[at]!;
      for (let length = 2; length <= first.longest && at + length <= stems.length; length += 1) {
        phrase += ` ${stems[at + length - 1]!}`;
        if (this.#at.has(phrase)) found(phrase);
      }
    }
  }

  /** The Chinese words of a text that kinds have, the longest first from where each begins. */
  #foundHan(text: string, found: (term: string) => void): void {
    for (const [run] of text.matchAll(HAN)) {
      for (let at = 0; at < run.length; at += 1) {
        for (let end = Math.min(run.length, at + this.#longestHan); end > at + 1; end -= 1) {
          const word = run.slice(at, end);
          if (!this.#at.has(word)) continue;
          found(word);
          at = end - 1;
          break;
        }
      }
    }
  }

  /** What kinds a request is about; Chinese as it is written with simplified characters. */
  ofRequest(text: string): OfKinds {
    const read = text.slice(0, LONGEST_TEXT);
    const terms = new Set<string>();
    this.#found(chunksOf(read).map(({ word, han }) => (han ? '' : stemOf(word))), (term) => terms.add(term));
    this.#foundHan(read, (term) => terms.add(term));
    const sum = new Float32Array(this.count);
    for (const term of terms) {
      const { worth, kinds, says, asked } = this.#entry(term)!;
      for (let at = 0; at < kinds.length; at += 1) sum[kinds[at]!]! += worth * Math.max(says[at]!, asked[at]!);
    }
    return most(sum, KINDS_OF_REQUEST);
  }

  /** Adds how far a tool is of each kind, of length 1, to what its server is. `han`: of its texts, those with Chinese in them. */
  addTool(fields: Readonly<Record<keyof typeof FIELD, readonly (readonly [word: string, weight: number])[]>>, han: string, sum: Float32Array): void {
    const worths = new Map<string, number>();
    for (const [field, worth] of Object.entries(FIELD) as [keyof typeof FIELD, number][]) {
      const hear = (term: string): void => {
        if ((worths.get(term) ?? 0) < worth) worths.set(term, worth);
      };
      this.#found(fields[field].slice(0, FIELD_WORDS).map(([word]) => stemOf(word)), hear);
    }
    this.#foundHan(han.slice(0, LONGEST_HAN), (term) => worths.set(term, FIELD.lead));
    const here = this.#here.fill(0);
    for (const [term, share] of worths) {
      const { worth, kinds, says, asked } = this.#entry(term)!;
      const value = worth * share;
      for (let at = 0; at < kinds.length; at += 1) here[kinds[at]!]! += value * (says[at]! + ASKED_WORDS_IN_TOOLS * asked[at]!);
    }
    let square = 0;
    for (let kind = 0; kind < here.length; kind += 1) square += here[kind]! ** 2;
    const length = Math.sqrt(square) || 1;
    for (let kind = 0; kind < here.length; kind += 1) sum[kind]! += here[kind]! / length;
  }

  /** What kinds a server's tools are, taken together. */
  ofServer(sum: Float32Array): OfKinds {
    return most(sum, KINDS_OF_SERVER);
  }
}

/** The `count` that are most, scaled to length 1. */
const most = (sum: Float32Array, count: number): OfKinds => {
  const top: number[] = [];
  for (let kind = 0; kind < sum.length; kind += 1) {
    const value = sum[kind]!;
    if (value <= 0 || (top.length === count && value <= sum[top[count - 1]!]!)) continue;
    let at = top.length;
    while (at > 0 && value > sum[top[at - 1]!]!) at -= 1;
    top.splice(at, 0, kind);
    if (top.length > count) top.pop();
  }
  const length = Math.sqrt(top.reduce((square, kind) => square + sum[kind]! ** 2, 0)) || 1;
  return top.map((kind) => [kind, sum[kind]! / length] as const);
};

/** How far two are of the same kinds, 0 to 1. */
export const meet = (one: OfKinds, other: OfKinds): number => {
  let sum = 0;
  for (const [kind, share] of one) for (const [another, part] of other) if (kind === another) sum += share * part;
  return sum;
};

export const readKinds = async (path: string): Promise<Kinds> => new Kinds((await promisify(gunzip)(await readFile(path))).toString('utf8'));
