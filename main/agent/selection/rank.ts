import { byServer, byWords } from './lexical.ts';
import { readRequest, type ToolRequest } from './request.ts';
import type { IndexedTool, ToolIndex } from './tool-index.ts';
import { READING, stemOf, STOP } from './words.ts';

const BY_WORDS = 60;
const BY_MEANING = 30;
/** Up to so many tools, each is compared by meaning; beyond, those found by words are. */
const COMPARED_BY_MEANING = 4_000;

/**
 * What speaks for a tool, each 0 to 1 (-1 to 1 for verb and number), and what it is worth in a request of one sentence and in a whole task. Worths were
 * chosen on the open half of public request sets (docs/decisions.md).
 */
const IN_SENTENCE = { words: 1, name: 0.22, verb: 0.2, number: 0.25, meaning: 1.3, pairs: 0.45, unasked: 0.32, lead: 0.36, said: 0, parts: 0.5, server: 0 } as const;
export type Reason = keyof typeof IN_SENTENCE;
export type Reasons = Readonly<Record<Reason, number>>;
const IN_TASK: Reasons = { words: 1, name: 1.7, verb: 0, number: 0, meaning: 1.4, pairs: 4.1, unasked: 0.2, lead: 0, said: 3.1, parts: 3.3, server: 1.7 };
/** A request of so many words is one sentence, of so many a task. */
const SENTENCE_WORDS = 15;
const TASK_WORDS = 30;

export interface Ranked {
  readonly id: string;
  readonly score: number;
  /** of the weight of the request's words, how much is found in the tool */
  readonly coverage: number;
  readonly reasons: Reasons;
  /** what each reason gives to the score */
  readonly gives: Reasons;
}

/** The tools of an index for a request, best first, at most `count`, and those of `also` wherever they stand. */
export const rankTools = (text: string, index: ToolIndex, { count, also = [] }: { readonly count: number; readonly also?: readonly string[] }): Ranked[] => {
  const request = readRequest(text, index);
  const lexical = byWords(request, index);
  const servers = byServer(lexical, index);
  const isHere = (slot: number): boolean => index.at(slot) !== null;
  const found = best(lexical.touched, (slot) => lexical.score[slot]!, Math.max(BY_WORDS, count));
  const top = found.length === 0 ? 1 : lexical.score[found[0]!] || 1;
  const chosen = new Set(found);
  if (index.size <= COMPARED_BY_MEANING) {
    const others = Array.from({ length: index.slots }, (_, slot) => slot).filter((slot) => isHere(slot) && !chosen.has(slot));
    const meaning = Float64Array.from({ length: index.slots }, (_, slot) => (isHere(slot) ? dot(request.direction, index.at(slot)!.direction) : -1));
    for (const slot of best(others, (one) => meaning[one]!, Math.max(BY_MEANING, count - found.length))) chosen.add(slot);
  }
  const kept = new Set(also.flatMap((id) => index.slotOf(id) ?? []));
  for (const slot of kept) chosen.add(slot);
  const worth = worthIn(request.wordCount);
  const ranked = [...chosen].map((slot) => {
    const tool = index.at(slot)!;
    const reasons = reasonsFor(tool, request, index, { words: lexical.score[slot]! / top, parts: lexical.parts[slot]!, server: servers.get(tool.serverId) ?? 0 });
    let score = 0;
    for (const reason of REASONS) score += worth[reason] * reasons[reason];
    return { slot, id: tool.id, reasons, score };
  });
  return ranked
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .filter(({ slot }, at) => at < count || kept.has(slot))
    .map(({ slot, ...one }) => ({ ...one, gives: mapped((reason) => worth[reason] * one.reasons[reason]), coverage: lexical.mass === 0 ? 0 : lexical.covered[slot]! / lexical.mass }));
};

const REASONS = Object.keys(IN_SENTENCE) as Reason[];
const mapped = (value: (reason: Reason) => number): Reasons => Object.fromEntries(REASONS.map((reason) => [reason, value(reason)])) as Record<Reason, number>;
const scaled = (worths: Reasons): Reasons => {
  const all = REASONS.reduce((sum, reason) => sum + Math.abs(worths[reason]), 0);
  return mapped((reason) => worths[reason] / all);
};
const [SENTENCE, TASK] = [scaled(IN_SENTENCE), scaled(IN_TASK)];

/** Between a sentence and a task the one passes into the other. */
const worthIn = (words: number): Reasons => {
  const share = Math.min(1, Math.max(0, (words - SENTENCE_WORDS) / (TASK_WORDS - SENTENCE_WORDS)));
  return mapped((reason) => (1 - share) * SENTENCE[reason] + share * TASK[reason]);
};

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

const reasonsFor = (tool: IndexedTool, request: ToolRequest, index: ToolIndex, found: Pick<Reasons, 'words' | 'parts' | 'server'>): Reasons => {
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
    said: tool.said.reduce((sum, [stem, share]) => sum + share * (request.spoken.get(stem) ?? 0), 0),
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
