import type { SearchTerm, ToolRequest } from './request.ts';
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

/** What the words of a request find, by slot. */
export interface Lexical {
  readonly score: Float64Array;
  readonly covered: Float64Array;
  /** how well it answers single parts of the request, 0 to 1 */
  readonly parts: Float64Array;
  readonly mass: number;
  readonly touched: readonly number[];
}

export const byWords = ({ terms, clauseCount }: ToolRequest, index: ToolIndex): Lexical => {
  const clauses = Array.from({ length: clauseCount }, () => ({ score: new Float64Array(index.slots), mass: 0 }));
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
    const standsIn = clauses.filter((_, at) => ((term.clauses >> at) & 1) === 1);
    for (const clause of standsIn) clause.mass += importance;
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
      for (const clause of standsIn) clause.score[slot]! += importance * satisfied;
      covered[slot]! += importance * Math.min(1, satisfied / FOUND_AT);
      direct[slot] = 0;
      near[slot] = 0;
      if (isTouched[slot] === 0 && index.at(slot) !== null) touched.push(slot);
      isTouched[slot] = 1;
    }
  }
  return { score, covered, mass, touched, parts: partsOf(clauses, touched, index.slots) };
};

/** A tool that is the best for one part of a request is worth more than one that is middling for each. A part counts as far as any tool answers it. */
const partsOf = (clauses: readonly { readonly score: Float64Array; readonly mass: number }[], touched: readonly number[], slots: number): Float64Array => {
  const parts = new Float64Array(slots);
  for (const { score, mass } of clauses) {
    let top = 0;
    for (const slot of touched) top = Math.max(top, score[slot]!);
    if (top === 0) continue;
    const unit = Math.min(1, top / mass / FOUND_AT) / top;
    for (const slot of touched) parts[slot]! += (score[slot]! * unit) ** 2;
  }
  for (const slot of touched) parts[slot] = Math.sqrt(parts[slot]! / clauses.length);
  return parts;
};

/** What each server's best tools are worth to the request, the best server 1. */
export const byServer = ({ score, touched }: Lexical, index: ToolIndex): ReadonlyMap<string, number> => {
  const best = new Map<string, [number, number, number]>();
  for (const slot of touched) {
    const tool = index.at(slot)!;
    const value = score[slot]!;
    const of = best.get(tool.serverId);
    if (!of) best.set(tool.serverId, [value, 0, 0]);
    else if (value > of[0]) best.set(tool.serverId, [value, of[0], of[1]]);
    else if (value > of[1]) best.set(tool.serverId, [of[0], value, of[1]]);
    else if (value > of[2]) of[2] = value;
  }
  const worth = new Map<string, number>();
  let top = 0;
  for (const [serverId, of] of best) {
    const sum = of.reduce((all, value, at) => all + value * OF_SERVER[at]!, 0);
    worth.set(serverId, sum);
    top = Math.max(top, sum);
  }
  for (const [serverId, sum] of worth) worth.set(serverId, sum / top);
  return worth;
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

