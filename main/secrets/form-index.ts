import { randomInt } from 'node:crypto';
import { MIN_MASKED } from './secret-forms.ts';

/** Two polynomials modulo 2^32; their bases are drawn per process, so that no text is made to collide. */
const BASE_A = randomInt(1 << 16, 1 << 30) | 1;
const BASE_B = randomInt(1 << 16, 1 << 30) | 1;
/** One key of both: 53 bits, exact in a double. */
const keyOf = (a: number, b: number): number => (a >>> 0) * 0x200000 + (b & 0x1fffff);

interface Form {
  readonly text: string;
  readonly ref: string;
}
/** Forms with the same first characters. `entries`: by the hash of a beginning, the longest form that is whole within it. */
interface Group {
  readonly forms: Form[];
  lengths: readonly number[];
  entries: Map<number, Form | null> | null;
}

const powers = (base: number, count: number): Int32Array => {
  const out = new Int32Array(count + 1);
  out[0] = 1;
  for (let i = 1; i <= count; i += 1) out[i] = Math.imul(out[i - 1]!, base);
  return out;
};

/** Hashes of the beginnings of `text` of the given lengths, which ascend. */
const hashesAt = (text: string, lengths: readonly number[]): readonly number[] => {
  const keys: number[] = [];
  for (let i = 0, next = 0, a = 0, b = 0; i < text.length && next < lengths.length; ) {
    const code = text.charCodeAt(i) + 1;
    a = (Math.imul(a, BASE_A) + code) | 0;
    b = (Math.imul(b, BASE_B) + code) | 0;
    i += 1;
    if (i === lengths[next]) {
      keys.push(keyOf(a, b));
      next += 1;
    }
  }
  return keys;
};

/**
 * Binary search over the lengths of a group (Waldvogel et al., "Scalable High Speed IP Routing Lookups", 1997): a beginning that some form has
 * means that no shorter length need be asked. At most log2(lengths) + 1 questions.
 */
const longest = (count: number, entries: Map<number, Form | null>, keyAt: (index: number) => number | null): Form | null => {
  let best: Form | null = null;
  for (let low = 0, high = count - 1; low <= high; ) {
    const middle = (low + high) >> 1;
    const key = keyAt(middle);
    const entry = key === null ? undefined : entries.get(key);
    if (entry === undefined) high = middle - 1;
    else {
      best = entry ?? best;
      low = middle + 1;
    }
  }
  return best;
};

const entriesOf = (group: Group): Map<number, Form | null> => {
  if (group.entries) return group.entries;
  const lengths = [...new Set(group.forms.map((form) => form.text.length))].sort((a, b) => a - b);
  const entries = new Map<number, Form | null>();
  // shorter forms first: what is whole within a beginning is known when the beginning is entered
  for (const form of [...group.forms].sort((a, b) => a.text.length - b.text.length)) {
    const keys = hashesAt(form.text, lengths);
    for (let low = 0, high = lengths.length - 1; low <= high; ) {
      const middle = (low + high) >> 1;
      const length = lengths[middle]!;
      if (length > form.text.length) high = middle - 1;
      else {
        const key = keys[middle]!;
        if (length === form.text.length) {
          entries.set(key, form);
          break;
        }
        if (!entries.has(key)) entries.set(key, longest(lengths.length, entries, (i) => (i <= middle ? keys[i]! : null)));
        low = middle + 1;
      }
    }
  }
  group.lengths = lengths;
  group.entries = entries;
  return entries;
};

/** The forms by their first characters. A group is prepared when a text first has these characters. */
export class FormIndex {
  readonly #groups = new Map<string, Group>();
  readonly #short = new Set<string>();
  #powers: readonly [Int32Array, Int32Array] | null = null;
  #longest = 0;

  get longest(): number {
    return this.#longest;
  }

  get powers(): readonly [Int32Array, Int32Array] {
    return (this.#powers ??= [powers(BASE_A, this.#longest), powers(BASE_B, this.#longest)]);
  }

  add(ref: string, text: string): void {
    const prefix = text.slice(0, MIN_MASKED);
    const group = this.#groups.get(prefix);
    if (group) group.forms.push({ text, ref });
    else {
      this.#groups.set(prefix, { forms: [{ text, ref }], lengths: [], entries: null });
      for (let length = 1; length < MIN_MASKED; length += 1) this.#short.add(prefix.slice(0, length));
    }
    this.#longest = Math.max(this.#longest, text.length);
  }

  group(prefix: string): Group | undefined {
    return this.#groups.get(prefix);
  }

  /** True when fewer than MIN_MASKED characters begin a form. */
  begins(short: string): boolean {
    return this.#short.has(short);
  }
}

/** Hashes are kept for a window of the text, so that a long one costs no memory of its size. */
const WINDOW = 1 << 16;
/** Characters compared exactly, for each one of the text; after that a hash of 53 bits is believed. */
const COMPARED = 4;
/** The same where the end of a text is looked at. */
const COMPARED_ENDS = 256;

/**
 * Looks for forms in one text, from left to right. At each place: one look-up of the first four characters, at most log2(different lengths) + 1
 * hashes of O(1) each, and a comparison out of a budget of four characters per character of the text. So O(n log k) for a text of n characters
 * and a group of k lengths, whatever the number of forms, their lengths and the text (K27). A hash that lies hides a few characters too many.
 */
export class FormSearch {
  readonly #text: string;
  readonly #index: FormIndex;
  #sums: readonly [Int32Array, Int32Array] | null = null;
  #from = 0;
  #filled = 0;
  #budget: number;
  readonly #ends: number;
  /** look-ups, hashed and compared characters so far */
  work = 0;

  constructor(text: string, index: FormIndex) {
    this.#text = text;
    this.#index = index;
    this.#budget = COMPARED * text.length;
    this.#ends = COMPARED_ENDS * (text.length + MIN_MASKED);
  }

  /** The longest form that begins at `at`; calls ascend. */
  at(at: number): { readonly ref: string; readonly start: number; readonly end: number } | null {
    this.work += 1;
    const group = this.#index.group(this.#text.slice(at, at + MIN_MASKED));
    if (!group) return null;
    const entries = entriesOf(group);
    const only = group.lengths.length === 1 && group.forms.length === 1 ? group.forms[0]! : null;
    const isCompared = only !== null && this.#spend(only.text.length);
    const form = isCompared ? only : longest(group.lengths.length, entries, (i) => this.#keyAt(at, group.lengths[i]!));
    if (!form) return null;
    const isExact = isCompared || this.#spend(form.text.length);
    return isExact && !this.#text.startsWith(form.text, at) ? null : { ref: form.ref, start: at, end: at + form.text.length };
  }

  /** True when the text from `at` to its end is the beginning of a longer form, or when too many comparisons could not tell: then nothing more is shown. */
  isBegunAt(at: number): boolean {
    const length = this.#text.length - at;
    if (length < MIN_MASKED) return this.#index.begins(this.#text.slice(at));
    for (const { text } of this.#index.group(this.#text.slice(at, at + MIN_MASKED))?.forms ?? []) {
      if (text.length <= length) continue;
      let same = length;
      // from the end on: what stands last in the text is rarely what stands there in a form
      for (; same > 0 && this.work < this.#ends && text.charCodeAt(same - 1) === this.#text.charCodeAt(at + same - 1); same -= 1) this.work += 1;
      this.work += 1;
      if (same === 0 || this.work >= this.#ends) return true;
    }
    return false;
  }

  #spend(characters: number): boolean {
    if (characters > this.#budget) return false;
    this.#budget -= characters;
    this.work += characters;
    return true;
  }

  /** Hash of `length` characters from `at`; null when the text ends before. */
  #keyAt(at: number, length: number): number | null {
    this.work += 1;
    if (at + length > this.#text.length) return null;
    const size = Math.min(this.#text.length, WINDOW + 2 * this.#index.longest);
    const [a, b] = (this.#sums ??= [new Int32Array(size + 1), new Int32Array(size + 1)]);
    if (at + length > this.#from + size || at > this.#filled) {
      this.#from = at;
      this.#filled = at;
      a[0] = 0;
      b[0] = 0;
    }
    for (let i = this.#filled; i < at + length; i += 1) {
      const code = this.#text.charCodeAt(i) + 1;
      const n = i - this.#from;
      a[n + 1] = Math.imul(a[n]!, BASE_A) + code;
      b[n + 1] = Math.imul(b[n]!, BASE_B) + code;
      this.work += 1;
    }
    this.#filled = Math.max(this.#filled, at + length);
    const [inA, inB] = this.#index.powers;
    const start = at - this.#from;
    const end = start + length;
    return keyOf((a[end]! - Math.imul(a[start]!, inA[length]!)) | 0, (b[end]! - Math.imul(b[start]!, inB[length]!)) | 0);
  }
}
