import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { EmbeddingsGate } from '../../../shared/embeddings.ts';
import type { Ranked } from '../selection/rank.ts';
import { rerank } from '../selection/rerank.ts';
import type { Choosable } from '../selection/tool-selector.ts';
import { chunksOf, stemOf, STOP } from '../selection/words.ts';
import { halvesOf, textOf } from './definition-text.ts';
import { MOST_COMPARED, raisesOf } from './raises.ts';
import { asFloats, likeness, meanOf, unit, without, type Packed } from './vector.ts';

/** Tools that are asked for by the rest of their own description. */
const MOST_TRIED = 120;
const LEAST_TRIED = 24;
/** Among so many, with others that are not asked for. */
const MOST_AMONG = 400;
/** So many are looked at for those. */
const MOST_LOOKED_AT = 1_000;
/** How far a tool may be moved, as a share of the best score: what is tried. */
const WEIGHTS = [0.05, 0.1, 0.15, 0.2] as const;
/** A model that finds less than this share of what words find knows less than they do. */
const LEAST_OF_WORDS = 0.8;
const LEAST_OF_CHANCE = 4;
const LEAST_STRANGE_OF_CHANCE = 2;
/** Words of a question that are left of it, once those of the answer are taken away. */
const LEAST_STRANGE = 4;
/** Standard errors by which a gain has to be more than none: it is the best of several weights. */
const SURE = 2.5;
/** A gain below this is not worth a request. */
const LEAST_GAIN = 0.005;

export interface Trial {
  /** in the pool by the first half of their description; asked for by the other */
  readonly tried: readonly { readonly tool: Choosable; readonly lead: Choosable; readonly rest: string; /** `rest` without every word that `lead` has; null: too little */ readonly strange: string | null }[];
  /** in the pool as they are */
  readonly others: readonly Choosable[];
}

const shuffled = (tools: readonly Choosable[]): readonly Choosable[] => tools.map((tool) => ({ tool, by: createHash('sha256').update(tool.definitionFingerprint).digest('hex') })).sort((a, b) => (a.by < b.by ? -1 : 1)).map(({ tool }) => tool);

/** In turns, so that no server speaks for the others. */
const inTurns = (tools: readonly Choosable[]): readonly Choosable[] => {
  const byServer = [...Map.groupBy(tools, ({ serverId }) => serverId).values()];
  const longest = Math.max(0, ...byServer.map((own) => own.length));
  return Array.from({ length: longest }, (_, at) => byServer.flatMap((own) => own[at] ?? [])).flat();
};

const pieces = (text: string): readonly { readonly word: string; readonly stem: string }[] => chunksOf(text).flatMap(({ word, parts, han }) => (han ? [...word] : (parts ?? [word])).map((piece) => ({ word: piece, stem: stemOf(piece) })));

const strangeIn = (question: string, answer: string): string | null => {
  const there = new Set(pieces(answer).map(({ stem }) => stem));
  const left = pieces(question).filter(({ word, stem }) => STOP.has(word) || !there.has(stem));
  return left.filter(({ word }) => !STOP.has(word)).length < LEAST_STRANGE ? null : left.map(({ word }) => word).join(' ');
};

/** What a model is judged by: the same for the same tools. */
export const trialOf = (tools: readonly Choosable[]): Trial => {
  const once = [...new Map(tools.map((tool) => [tool.definitionFingerprint, tool])).values()];
  const inOrder = inTurns(shuffled(once));
  const halved = inOrder.slice(0, MOST_LOOKED_AT).flatMap((tool) => {
    const halves = halvesOf(tool.definition);
    return halves === null ? [] : [{ tool, lead: { ...tool, definition: halves.lead }, rest: halves.rest }];
  });
  // a sentence that several tools end with asks for none of them
  const times = new Map<string, number>();
  for (const { rest } of halved) times.set(rest, (times.get(rest) ?? 0) + 1);
  const unique = halved.filter(({ rest }) => times.get(rest) === 1).slice(0, MOST_TRIED);
  const tried = unique.map((one) => ({ ...one, strange: strangeIn(one.rest, textOf(one.lead.definition)) }));
  const asked = new Set(tried.map(({ tool }) => tool.definitionFingerprint));
  return { tried, others: inOrder.filter(({ definitionFingerprint }) => !asked.has(definitionFingerprint)).slice(0, MOST_AMONG - tried.length) };
};

/** Whether these tools are enough to judge by. */
export const isEnough = ({ tried }: Trial): boolean => tried.length >= LEAST_TRIED;

export interface GateDeps {
  /** by words, over the pool alone */
  readonly rank: (request: string, pool: readonly Choosable[], count: number) => Promise<readonly Ranked[]>;
  readonly leadOf: (definitionFingerprint: string) => Packed | null;
  readonly restOf: (definitionFingerprint: string) => Packed | null;
  readonly strangeOf: (definitionFingerprint: string) => Packed | null;
  readonly wholeOf: (definitionFingerprint: string) => Packed | null;
}

const reciprocal = (place: number): number => (place < 0 ? 0 : 1 / (place + 1));

/**
 * Judges a model on the person's own tools: each is asked for by one half of its description and has to be found by the other, by words, by the model, and by both as a request
 * is ranked. The weight is the one with the surest gain; without a sure one it is 0. `centre`: what the questions have in common.
 */
export const judge = async ({ tried, others }: Trial, { rank, leadOf, restOf, strangeOf, wholeOf }: GateDeps): Promise<{ readonly gate: EmbeddingsGate; readonly centre: Float32Array | null }> => {
  const asked = tried.flatMap((one) => {
    const vector = restOf(one.tool.definitionFingerprint);
    return vector === null ? [] : [{ ...one, vector: asFloats(vector) }];
  });
  const pool = [...asked.map(({ lead }) => lead), ...others];
  const none = { weight: 0, chinese: null, tried: asked.length, among: pool.length, model: 0, words: 0, together: 0 };
  if (asked.length < LEAST_TRIED) return { gate: { ...none, why: 'too_few' }, centre: null };
  const centre = meanOf(asked.map(({ vector }) => vector));
  const fingerprints = new Map(pool.map(({ id, definitionFingerprint }) => [id, definitionFingerprint]));
  const isTried = new Set(asked.map(({ tool }) => tool.definitionFingerprint));
  const vectorOf = (fingerprint: string): Packed | null => (isTried.has(fingerprint) ? leadOf(fingerprint) : wholeOf(fingerprint));
  const inPool = pool.flatMap(({ id, definitionFingerprint }) => ((vector) => (vector === null ? [] : [{ id, vector }]))(vectorOf(definitionFingerprint)));
  const byModel = (question: Float32Array, toolId: string): number => {
    const like = inPool.map((one) => ({ id: one.id, by: likeness(question, one.vector) }));
    const own = like.find(({ id }) => id === toolId)?.by ?? -Infinity;
    // what is as like as the right one stands half before it
    return reciprocal(like.filter(({ by }) => by > own).length + (like.filter(({ by }) => by === own).length - 1) / 2);
  };
  const byWordsAlone = async (request: string, toolId: string): Promise<number> => reciprocal((await rank(request, pool, MOST_COMPARED)).findIndex(({ id }) => id === toolId));
  const sums = { model: 0, words: 0, strangers: 0, strangeModel: 0, strangeWords: 0 };
  const gains = WEIGHTS.map(() => ({ sum: 0, squares: 0 }));
  for (const { tool, rest, strange, vector } of asked) {
    await setImmediate();
    const question = unit(without(vector, centre)) ?? new Float32Array(vector.length);
    sums.model += byModel(question, tool.id);
    const unknown = strange === null ? null : strangeOf(tool.definitionFingerprint);
    if (strange !== null && unknown !== null) {
      sums.strangers += 1;
      sums.strangeModel += byModel(unit(without(asFloats(unknown), centre)) ?? question, tool.id);
      sums.strangeWords += await byWordsAlone(strange, tool.id);
    }
    const ranked = await rank(rest, pool, MOST_COMPARED);
    const byWords = reciprocal(ranked.findIndex(({ id }) => id === tool.id));
    sums.words += byWords;
    const candidates = ranked.map(({ id, score }) => ({ id, score, definitionFingerprint: fingerprints.get(id)! }));
    for (const [at, weight] of WEIGHTS.entries()) {
      const gain = reciprocal(rerank(ranked, raisesOf(question, candidates, vectorOf, weight), () => 0).findIndex(({ id }) => id === tool.id)) - byWords;
      gains[at]!.sum += gain;
      gains[at]!.squares += gain * gain;
    }
  }
  const n = asked.length;
  const [model, words] = [sums.model / n, sums.words / n];
  const sure = gains.map(({ sum, squares }, at) => {
    const gain = sum / n;
    return { weight: WEIGHTS[at]!, gain, least: gain - SURE * Math.sqrt(Math.max(0, squares / n - gain * gain) / n) };
  });
  const best = sure.reduce((a, b) => (b.least > a.least ? b : a));
  const chance = (Math.log(pool.length) + 0.58) / pool.length;
  const knows = sums.strangers > 0 && sums.strangeModel / sums.strangers >= Math.max(LEAST_STRANGE_OF_CHANCE * chance, sums.strangeWords / sums.strangers);
  const why = model < LEAST_OF_CHANCE * chance ? 'chance' : model < LEAST_OF_WORDS * words ? 'weak' : !knows ? 'words_only' : best.least > 0 && best.gain >= LEAST_GAIN ? null : 'no_gain';
  return { gate: { weight: why === null ? best.weight : 0, why, tried: n, among: pool.length, model, words, together: words + (why === null ? best.gain : 0), chinese: null }, centre };
};
