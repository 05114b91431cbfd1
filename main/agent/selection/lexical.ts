import type { Posting } from './posting.ts';
import type { SearchTerm, ToolRequest } from './request.ts';
import type { Scratch } from './scratch.ts';
import { STEM, SURFACE, type ToolIndex } from './tool-index.ts';
import { stemOf, STOP, verbClassesOf } from './words.ts';

const SATURATION = 1.2;
/** A word counts as found from this much of its worth on. */
const FOUND_AT = 1.2;
/** Neighbours in meaning: from this likeness, at most so many, worth so much; less where a tool is named by the word itself. */
const NEAR = { from: 0.55, most: 12, worth: 0.35, besideName: 0.3, besideItself: 0.3 } as const;
const LEAST_WORTH_FOR_NEAR = 0.3;
/** How much of a word's worth is how rare it is everywhere, not only here. */
const BACKGROUND = 0.3;
/** The best tool of a server, the second and the third: what a server is worth to a request. */
const OF_SERVER = [1, 0.5, 0.25] as const;

/** What the words of a request find, by slot; it stands until the index is asked again. */
export interface Lexical {
  readonly score: Float64Array;
  readonly covered: Float64Array;
  /** how well it answers single parts of the request, 0 to 1 */
  readonly parts: Float64Array;
  readonly mass: number;
  /** slots of tools that have any of the words; where the index compares meanings they are gone */
  readonly touched: Int32Array;
}

interface Clause {
  readonly score: Float64Array;
  mass: number;
}

/** Adds what a posting weighs, times `weight`, into `direct`; answers with the new end of `here`, the slots found so far. */
const addDirect = ({ slots, weights, length }: Posting, weight: number, { direct, near, here }: Scratch, end: number): number => {
  for (let at = 0; at < length; at += 1) {
    const slot = slots[at]!;
    if (direct[slot] === 0 && near[slot] === 0) here[end++] = slot;
    direct[slot]! += weights[at]! * weight;
  }
  return end;
};

/** The same into `near`, where the most counts. */
const addNear = ({ slots, weights, length }: Posting, weight: number, { direct, near, here }: Scratch, end: number): number => {
  for (let at = 0; at < length; at += 1) {
    const slot = slots[at]!;
    const before = near[slot]!;
    if (direct[slot] === 0 && before === 0) here[end++] = slot;
    const value = weights[at]! * weight;
    if (value > before) near[slot] = value;
  }
  return end;
};

export const byWords = ({ terms, clauseCount }: ToolRequest, index: ToolIndex): Lexical => {
  const { scratch } = index;
  scratch.begin(index.slots);
  const { score, covered, direct, near, here, found, isFound } = scratch;
  // the one part of a request is the request
  const clauses = Array.from({ length: clauseCount }, (_, at): Clause => ({ score: clauseCount === 1 ? score : scratch.clause(at), mass: 0 }));
  let mass = 0;
  for (const term of terms) {
    const importance = importanceOf(term, index);
    mass += importance;
    const standsIn = clauses.filter((_, at) => ((term.clauses >> at) & 1) === 1);
    for (const clause of standsIn) clause.mass += importance;
    const end = collect(term, index, scratch);
    for (let at = 0; at < end; at += 1) {
      const slot = here[at]!;
      const itself = direct[slot]!;
      const value = itself + near[slot]! * (itself > 0 ? NEAR.besideItself : 1);
      const satisfied = (value * (SATURATION + 1)) / (value + SATURATION);
      score[slot]! += importance * satisfied;
      if (clauseCount > 1) for (const clause of standsIn) clause.score[slot]! += importance * satisfied;
      covered[slot]! += importance * Math.min(1, satisfied / FOUND_AT);
      direct[slot] = 0;
      near[slot] = 0;
      if (isFound[slot] === 1) continue;
      isFound[slot] = 1;
      found[scratch.foundCount++] = slot;
    }
  }
  const touched = withTools(index, scratch);
  partsOf(clauses, touched, scratch.parts);
  return { score, covered, mass, touched, parts: scratch.parts };
};

/** What one term weighs in each tool that has it, into `direct` and `near`; answers how many slots of `here` it found. */
const collect = ({ words, worth }: SearchTerm, index: ToolIndex, scratch: Scratch): number => {
  let end = 0;
  const first = words[0]!.word;
  for (const { word, weight } of words) {
    const surface = index.ofSurface(word);
    const stem = index.ofStem(stemOf(word));
    if (word === first) {
      if (surface) end = addDirect(surface, weight, scratch, end);
      if (stem) end = addDirect(stem, weight, scratch, end);
    } else {
      // a translation's senses are alternatives: the best one counts
      if (surface) end = addNear(surface, weight / (SURFACE * 2), scratch, end);
      if (stem) end = addNear(stem, weight / (STEM * 2), scratch, end);
    }
  }
  return worth >= LEAST_WORTH_FOR_NEAR ? collectNeighbours(words, index, scratch, end) : end;
};

const withTools = (index: ToolIndex, { here, found, foundCount }: Scratch): Int32Array => {
  let end = 0;
  for (let at = 0; at < foundCount; at += 1) if (index.at(found[at]!) !== null) here[end++] = found[at]!;
  return here.subarray(0, end);
};

/** A tool that is the best for one part of a request is worth more than one that is middling for each. A part counts as far as any tool answers it. */
const partsOf = (clauses: readonly Clause[], touched: Int32Array, parts: Float64Array): void => {
  for (const { score, mass } of clauses) {
    let top = 0;
    for (let at = 0; at < touched.length; at += 1) top = Math.max(top, score[touched[at]!]!);
    if (top === 0) continue;
    const unit = Math.min(1, top / mass / FOUND_AT) / top;
    for (let at = 0; at < touched.length; at += 1) {
      const slot = touched[at]!;
      parts[slot]! += (score[slot]! * unit) ** 2;
    }
  }
  for (let at = 0; at < touched.length; at += 1) {
    const slot = touched[at]!;
    parts[slot] = Math.sqrt(parts[slot]! / clauses.length);
  }
};

/** What each server's best tools are worth to the request, the best server 1; by the server's number. */
export const byServer = ({ score, touched }: Lexical, index: ToolIndex): Float64Array => {
  const most = OF_SERVER.length;
  const { serverOf, serverCount } = index;
  const best = new Float64Array(serverCount * most);
  for (let at = 0; at < touched.length; at += 1) {
    const slot = touched[at]!;
    const from = serverOf[slot]! * most;
    let value = score[slot]!;
    for (let place = from; place < from + most; place += 1) {
      const there = best[place]!;
      if (value <= there) continue;
      best[place] = value;
      value = there;
    }
  }
  const worth = new Float64Array(serverCount);
  let top = 0;
  for (let number = 0; number < serverCount; number += 1) {
    let sum = 0;
    for (let place = 0; place < most; place += 1) sum += best[number * most + place]! * OF_SERVER[place]!;
    worth[number] = sum;
    top = Math.max(top, sum);
  }
  if (top > 0) for (let number = 0; number < serverCount; number += 1) worth[number]! /= top;
  return worth;
};

const importanceOf = ({ words, worth }: SearchTerm, index: ToolIndex): number => {
  const known = words.find(({ word }) => index.ofStem(stemOf(word)));
  const { word } = known ?? words.at(-1)!;
  const everywhere = index.lexicon.rarity(word) / 2;
  const here = index.rarity(stemOf(word));
  return worth * ((1 - BACKGROUND) * (known ? here : Math.min(here, everywhere)) + BACKGROUND * Math.min(everywhere, 6));
};

const collectNeighbours = (words: SearchTerm['words'], index: ToolIndex, scratch: Scratch, from: number): number => {
  let end = from;
  for (const { word, weight } of words.slice(0, 2)) {
    if (STOP.has(word) || verbClassesOf(word)) continue;
    const stem = stemOf(word);
    const share = index.isInNames(stem) ? NEAR.besideName : 1;
    const seen = new Set([stem]);
    for (const neighbour of index.lexicon.near(word)) {
      if (neighbour.likeness < NEAR.from || seen.size > NEAR.most) break;
      const other = neighbour.stem;
      if (seen.has(other)) continue;
      const posting = index.ofStem(other);
      if (!posting) continue;
      seen.add(other);
      end = addNear(posting, (weight * share * NEAR.worth * ((neighbour.likeness - NEAR.from + 0.1) / (1 - NEAR.from))) / STEM, scratch, end);
    }
  }
  return end;
};
