import { readRequest, type SearchTerm, type ToolRequest } from './request.ts';
import { STEM, SURFACE, type IndexedTool, type ToolIndex } from './tool-index.ts';
import { READING, stemOf, STOP, verbClassesOf } from './words.ts';

const SATURATION = 1.2;
/** Neighbours in meaning: from this likeness, at most so many, worth so much; less where a tool is named by the word itself. */
const NEAR = { from: 0.55, most: 12, worth: 0.35, besideName: 0.3, besideItself: 0.3 } as const;
const LEAST_WORTH_FOR_NEAR = 0.3;
/** How much of a word's worth is how rare it is everywhere, not only here. */
const BACKGROUND = 0.3;
const BY_WORDS = 60;
const BY_MEANING = 30;
/** Up to so many tools, each is compared by meaning; beyond, those found by words are. */
const COMPARED_BY_MEANING = 4_000;

/** What speaks for a tool, each 0 to 1 (-1 to 1 for verb and number), and what it is worth. Worths were chosen on the open half of public request sets (docs/decisions.md). */
export const WORTH = { words: 1, coverage: 0.04, name: 0.33, verb: 0.12, number: 0.16, meaning: 0.65, pairs: 0.28, unasked: 0.2, head: 0.01, lead: 0.28 } as const;
export type Reason = keyof typeof WORTH;
export type Reasons = Readonly<Record<Reason, number>>;
export interface Ranked {
  readonly id: string;
  readonly score: number;
  readonly reasons: Reasons;
}

interface Lexical {
  readonly score: Float64Array;
  readonly covered: Float64Array;
  readonly mass: number;
  readonly touched: readonly number[];
}

/** The tools of an index for a request, best first, at most `count`. */
export const rankTools = (text: string, index: ToolIndex, { count }: { readonly count: number }): Ranked[] => {
  const request = readRequest(text, index);
  const lexical = byWords(request.terms, index);
  const isHere = (slot: number): boolean => index.at(slot) !== null;
  const found = best(lexical.touched.filter(isHere), (slot) => lexical.score[slot]!, Math.max(BY_WORDS, count));
  const top = found.length === 0 ? 1 : lexical.score[found[0]!] || 1;
  const chosen = new Set(found);
  if (index.size <= COMPARED_BY_MEANING) {
    const all = Array.from({ length: index.slots }, (_, slot) => slot).filter(isHere);
    const meaning = new Map(all.map((slot) => [slot, dot(request.direction, index.at(slot)!.direction)]));
    for (const slot of best(all, (one) => meaning.get(one)!, Math.max(BY_MEANING, count - found.length))) chosen.add(slot);
  }
  const ranked = [...chosen].map((slot): Ranked => {
    const tool = index.at(slot)!;
    const reasons = reasonsFor(tool, request, index, { words: lexical.score[slot]! / top, coverage: lexical.mass === 0 ? 0 : lexical.covered[slot]! / lexical.mass });
    return { id: tool.id, reasons, score: total(reasons) };
  });
  return ranked.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, count);
};

const total = (reasons: Reasons): number => (Object.keys(WORTH) as Reason[]).reduce((sum, reason) => sum + WORTH[reason] * reasons[reason], 0);

/** The best `count` of them, best first, ties by slot: one pass, for most are far from the top. */
const best = (slots: readonly number[], worth: (slot: number) => number, count: number): number[] => {
  const top: number[] = [];
  const before = (a: number, b: number): boolean => worth(a) > worth(b) || (worth(a) === worth(b) && a < b);
  for (const slot of slots) {
    if (top.length === count && !before(slot, top[count - 1]!)) continue;
    let [low, high] = [0, top.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (before(slot, top[middle]!)) high = middle;
      else low = middle + 1;
    }
    top.splice(low, 0, slot);
    if (top.length > count) top.pop();
  }
  return top;
};

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let k = 0; k < a.length; k += 1) sum += a[k]! * b[k]!;
  return sum;
};

const byWords = (terms: readonly SearchTerm[], index: ToolIndex): Lexical => {
  const score = new Float64Array(index.slots);
  const covered = new Float64Array(index.slots);
  const direct = new Float64Array(index.slots);
  const near = new Float64Array(index.slots);
  const touched: number[] = [];
  const isTouched = new Uint8Array(index.slots);
  let mass = 0;
  for (const term of terms) {
    const here: number[] = [];
    const add = (key: string, weight: number, into: Float64Array, sum: boolean): void => {
      const posting = index.posting(key);
      if (!posting) return;
      const { slots, weights } = posting;
      for (let at = 0; at < slots.length; at += 1) {
        const slot = slots[at]!;
        if (direct[slot] === 0 && near[slot] === 0) here.push(slot);
        const value = weights[at]! * weight;
        into[slot] = sum ? into[slot]! + value : Math.max(into[slot]!, value);
      }
    };
    const importance = importanceOf(term, index);
    mass += importance;
    const [first] = term.words;
    for (const { word, weight } of term.words) {
      // a translation's senses are alternatives: the best one counts
      if (word === first!.word) for (const key of [word, `~${stemOf(word)}`]) add(key, weight, direct, true);
      else for (const [key, share] of [[word, SURFACE], [`~${stemOf(word)}`, STEM]] as const) add(key, weight / (share * 2), near, false);
    }
    if (term.worth >= LEAST_WORTH_FOR_NEAR) addNeighbours(term, index, (key, weight) => add(key, weight, near, false));
    for (const slot of here) {
      const itself = direct[slot]!;
      const value = itself + near[slot]! * (itself > 0 ? NEAR.besideItself : 1);
      const satisfied = (value * (SATURATION + 1)) / (value + SATURATION);
      score[slot]! += importance * satisfied;
      covered[slot]! += importance * Math.min(1, satisfied / 1.2);
      direct[slot] = 0;
      near[slot] = 0;
      if (isTouched[slot] === 0) touched.push(slot);
      isTouched[slot] = 1;
    }
  }
  return { score, covered, mass, touched };
};

const importanceOf = ({ words, worth }: SearchTerm, index: ToolIndex): number => {
  const known = words.filter(({ word }) => index.posting(`~${stemOf(word)}`));
  const { word } = known[0] ?? words.at(-1)!;
  const everywhere = index.lexicon.rarity(word) / 2;
  const here = index.rarity(`~${stemOf(word)}`);
  return worth * ((1 - BACKGROUND) * (known.length > 0 ? here : Math.min(here, everywhere)) + BACKGROUND * Math.min(everywhere, 6));
};

const addNeighbours = ({ words }: SearchTerm, index: ToolIndex, add: (key: string, weight: number) => void): void => {
  for (const { word, weight } of words.slice(0, 2)) {
    if (STOP.has(word) || verbClassesOf(word)) continue;
    const stem = stemOf(word);
    const share = index.isInNames(stem) ? NEAR.besideName : 1;
    const seen = new Set([stem]);
    for (const neighbour of index.lexicon.near(word)) {
      if (neighbour.likeness < NEAR.from || seen.size > NEAR.most) break;
      const other = stemOf(neighbour.word);
      if (seen.has(other) || !index.posting(`~${other}`)) continue;
      seen.add(other);
      add(`~${other}`, (weight * share * NEAR.worth * ((neighbour.likeness - NEAR.from + 0.1) / (1 - NEAR.from))) / STEM);
    }
  }
};

/** How far a noun of a tool is spoken of: 1 by itself, less by a neighbour that names no tool of its own. */
const spokenOf = (word: string, stems: ReadonlySet<string>, index: ToolIndex): number => {
  if (stems.has(stemOf(word))) return 1;
  for (const { word: other, likeness } of index.lexicon.near(word)) {
    if (likeness < 0.6) break;
    const stem = stemOf(other);
    if (stems.has(stem) && !index.isInNames(stem)) return likeness - 0.25;
  }
  return 0;
};

const reasonsFor = (tool: IndexedTool, request: ToolRequest, index: ToolIndex, found: { readonly words: number; readonly coverage: number }): Reasons => {
  let spoken = 0;
  let all = 0;
  let unasked = 0;
  for (const noun of tool.nouns) {
    const worth = Math.max(0.4, index.rarity(`~${stemOf(noun)}`));
    const part = spokenOf(noun, request.stems, index);
    all += worth;
    spoken += worth * part;
    if (part === 0) unasked += 1;
  }
  let pairs = 0;
  for (let at = 0; at + 1 < request.contentStems.length; at += 1) if (tool.pairs.has(`${request.contentStems[at]} ${request.contentStems[at + 1]}`)) pairs += 1;
  return {
    ...found,
    name: all === 0 ? 0.5 : spoken / all,
    verb: verbReason(tool, request),
    number: request.plural * (tool.verbs.has('list') ? 1 : tool.verbs.has('get') ? -0.4 : 0),
    meaning: dot(request.direction, tool.direction),
    pairs: Math.min(1, pairs / Math.max(1, request.contentStems.length - 1)),
    unasked: -unasked / 4,
    head: tool.head === undefined ? 0 : spokenOf(tool.head, request.headStems, index),
    lead: leadReason(tool, request, index),
  };
};

const verbReason = ({ verbs }: IndexedTool, request: ToolRequest): number => {
  if (request.verbs.size === 0 || verbs.size === 0) return 0;
  if ([...request.verbs].some((verb) => verbs.has(verb))) return 1;
  const reads = [...request.verbs].every((verb) => READING.has(verb));
  const offersReading = [...verbs].some((verb) => READING.has(verb));
  if (reads && offersReading) return 0.6;
  return reads === offersReading ? -0.3 : -1;
};

const leadReason = (tool: IndexedTool, request: ToolRequest, index: ToolIndex): number => {
  let covered = 0;
  let all = 0;
  for (const { words, worth } of request.terms) {
    if (worth <= 0.3 || STOP.has(words[0]!.word)) continue;
    const value = worth * Math.min(6, index.lexicon.rarity(words[0]!.word) / 2);
    all += value;
    if (words.some(({ word }) => tool.leadStems.has(stemOf(word)) || tool.nameStems.has(stemOf(word)))) covered += value;
  }
  return all === 0 ? 0 : covered / all;
};
