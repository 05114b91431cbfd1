import { Asked, dot } from './asked.ts';
import { byServer, byWords } from './lexical.ts';
import { readRequest, type ToolRequest } from './request.ts';
import type { ToolIndex } from './tool-index.ts';

const BY_WORDS = 60;
const BY_MEANING = 30;
/** Up to so many tools, each is compared by meaning; beyond, those found by words are. */
const COMPARED_BY_MEANING = 4_000;

/**
 * What speaks for a tool, each 0 to 1 (-1 to 1 for verb and number), and what it is worth in a request of one sentence and in a whole task. Worths were
 * chosen on the open half of public request sets (docs/decisions.md).
 */
const IN_SENTENCE = { words: 1, name: 0.22, verb: 0.2, number: 0.25, meaning: 1.3, sense: 1.2, kind: 0.7, pairs: 0.45, unasked: 0.32, lead: 0.36, said: 0, parts: 0.5, server: 0 } as const;
export type Reason = keyof typeof IN_SENTENCE;
export type Reasons = Readonly<Record<Reason, number>>;
const IN_TASK: Reasons = { words: 1, name: 1.7, verb: 0, number: 0, meaning: 1.4, sense: 0, kind: 0, pairs: 4.1, unasked: 0.2, lead: 0, said: 3.1, parts: 3.3, server: 1.7 };
/** A request of so many words is one sentence, of so many a task. */
const SENTENCE_WORDS = 15;
const TASK_WORDS = 30;
/** What servers are about speaks for them in requests of so many words, and no longer in those of so many. */
const ABOUT = { from: 20, to: 40 } as const;

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
  const worth = worthIn(request.wordCount);
  const lexical = byWords(request, index);
  const servers = worth.server === 0 ? null : byServer(lexical, index);
  const found = best(lexical.touched, lexical.score, Math.max(BY_WORDS, count));
  const top = found.length === 0 ? 1 : lexical.score[found[0]!] || 1;
  const chosen = new Set(found);
  const asked = new Asked(text, request, index, worth);
  if (index.size <= COMPARED_BY_MEANING) for (const slot of byMeaning(request, asked, worth, index, chosen, lexical.score, top, Math.max(BY_MEANING, count - found.length))) chosen.add(slot);
  const kept = new Set(also.flatMap((id) => index.slotOf(id) ?? []));
  for (const slot of kept) chosen.add(slot);
  const ranked: { readonly slot: number; readonly id: string; readonly reasons: Reasons; readonly score: number }[] = [];
  for (const slot of chosen) {
    const tool = index.at(slot)!;
    const reasons = asked.reasonsFor(tool, lexical.score[slot]! / top, lexical.parts[slot]!, servers?.[index.serverOf[slot]!] ?? 0);
    let score = 0;
    for (const reason of REASONS) score += worth[reason] * reasons[reason];
    ranked.push({ slot, id: tool.id, reasons, score });
  }
  ranked.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  return ranked
    .filter(({ slot }, at) => at < count || kept.has(slot))
    .map(({ slot, ...one }) => ({ ...one, gives: mapped((reason) => worth[reason] * one.reasons[reason]), coverage: lexical.mass === 0 ? 0 : lexical.covered[slot]! / lexical.mass }));
};

/** The best by meaning, words and what is to be done of the tools that words did not find among the best, `top` the score of those. Where words touched is forgotten here. */
const byMeaning = ({ direction }: ToolRequest, asked: Asked, worth: Reasons, index: ToolIndex, chosen: ReadonlySet<number>, score: Float64Array, top: number, count: number): readonly number[] => {
  const { direct: meaning, here } = index.scratch;
  let end = 0;
  for (let slot = 0; slot < index.slots; slot += 1) {
    const tool = index.at(slot);
    if (tool === null || chosen.has(slot)) continue;
    meaning[slot] = (worth.words * score[slot]!) / top + worth.meaning * dot(direction, tool.direction) + worth.sense * asked.senseReason(tool.serverId) + worth.kind * asked.kindReason(tool.serverId) + worth.verb * asked.verbReason(tool.verbs) + worth.number * asked.numberReason(tool.verbs);
    here[end++] = slot;
  }
  const found = best(here.subarray(0, end), meaning, count);
  meaning.fill(0, 0, index.slots);
  return found;
};

const REASONS = Object.keys(IN_SENTENCE) as Reason[];
const mapped = (value: (reason: Reason) => number): Reasons => {
  const out = { ...IN_TASK } as Record<Reason, number>;
  for (const reason of REASONS) out[reason] = value(reason);
  return out;
};
const scaled = (worths: Reasons): Reasons => {
  const all = REASONS.reduce((sum, reason) => sum + Math.abs(worths[reason]), 0);
  return mapped((reason) => worths[reason] / all);
};
const [SENTENCE, TASK] = [scaled(IN_SENTENCE), scaled(IN_TASK)];

const passed = (words: number, from: number, to: number): number => Math.min(1, Math.max(0, (words - from) / (to - from)));

/** Between a sentence and a task the one passes into the other. */
const worthIn = (words: number): Reasons => {
  const share = passed(words, SENTENCE_WORDS, TASK_WORDS);
  const about = 1 - passed(words, ABOUT.from, ABOUT.to);
  return mapped((reason) => (reason === 'sense' || reason === 'kind' ? about * SENTENCE[reason] : (1 - share) * SENTENCE[reason] + share * TASK[reason]));
};

/** The best `count` of them, best first, ties by slot: one pass, for most are far from the top. */
const best = (slots: Int32Array, worth: Float64Array, count: number): number[] => {
  const top: number[] = [];
  // what a slot has to reach when the places are taken
  let [least, leastSlot] = [-Infinity, -1];
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at]!;
    const value = worth[slot]!;
    if (top.length === count && (value < least || (value === least && slot > leastSlot))) continue;
    let [low, high] = [0, top.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = top[middle]!;
      const there = worth[other]!;
      if (value > there || (value === there && slot < other)) high = middle;
      else low = middle + 1;
    }
    top.splice(low, 0, slot);
    if (top.length > count) top.pop();
    leastSlot = top[top.length - 1]!;
    least = worth[leastSlot]!;
  }
  return top;
};
