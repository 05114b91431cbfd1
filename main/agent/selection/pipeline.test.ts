import { expect, test } from 'vitest';
import { SelectionPipeline, type PipelineDeps, type RankQuestion } from './pipeline.ts';
import type { Ranked } from './rank.ts';
import type { SemanticQuestion, SemanticStage } from './semantic-match.ts';
import type { Choosable } from './tool-selector.ts';

const NO_PARTS = { words: 0, name: 0, verb: 0, number: 0, meaning: 0, pairs: 0, unasked: 0, lead: 0, said: 0, parts: 0, server: 0, sense: 0, kind: 0 };
const candidate = (id: string): Choosable => ({ id, serverId: 's', serverTitle: 's', definition: { name: id }, definitionFingerprint: `of ${id}` });
const SCORES: Readonly<Record<string, number>> = { a: 1, b: 0.9, c: 0.5, d: 0.1 };
const byScore = (id: string): Ranked => ({ id, score: SCORES[id] ?? 0, coverage: 1, reasons: NO_PARTS, gives: { ...NO_PARTS, words: SCORES[id] ?? 0 } });
const deps = (semantic: SemanticStage | null, more: Partial<PipelineDeps> = {}): PipelineDeps => ({
  selector: { rank: (_, tools, count) => Promise.resolve(tools.map(({ id }) => byScore(id)).sort((a, b) => b.score - a.score).slice(0, count)) },
  choices: { opinion: () => () => 0 },
  semantic,
  log: { warn: () => undefined, error: () => undefined },
  ...more,
});
const rank = (semantic: SemanticStage | null, more: Partial<RankQuestion> = {}, others: Partial<PipelineDeps> = {}) =>
  new SelectionPipeline(deps(semantic, others)).rank({ request: 'x', principal: 'p', candidates: ['d', 'c', 'b', 'a'].map(candidate), decides: true, ...more });
const order = ({ tools }: Awaited<ReturnType<typeof rank>>): string => tools.map(({ id }) => id).join('');
const moves = (of: Readonly<Record<string, number>>): SemanticStage => () => Promise.resolve({ tookPart: true, adjustments: new Map(Object.entries(of)) });

test('SE43 a semantic stage gets the top K with their scores and moves them; what it adds is a part of the score', async () => {
  let asked: SemanticQuestion | null = null;
  const ranking = await rank((question) => { asked = question; return moves({ c: 0.6 })(question); }, { most: 3 });
  expect(asked).toMatchObject({ request: 'x', candidates: [{ id: 'a', score: 1, definitionFingerprint: 'of a' }, { id: 'b' }, { id: 'c' }] });
  expect(order(ranking)).toBe('cab');
  expect(ranking).toMatchObject({ of: 4, topK: 3, semantic: { tookPart: true }, tools: [{ semantic: 0.6, score: 1.1, gives: { words: 0.5 } }, {}, {}] });
});

test('SE43 whatever a semantic stage does, the order without it stands, with the reason; it brings in no tool', async () => {
  const failing: readonly (readonly [SemanticStage | null, string])[] = [
    [null, 'off'],
    [() => Promise.reject(new Error('down')), 'failed'],
    [() => { throw new Error('bug'); }, 'failed'],
    [() => Promise.resolve({ tookPart: false, reason: 'gated: weak' }), 'gated: weak'],
  ];
  for (const [stage, reason] of failing) {
    const ranking = await rank(stage);
    expect([order(ranking), ranking.semantic]).toEqual(['abcd', { tookPart: false, reason }]);
  }
  expect(order(await rank(moves({ a: Number.NaN, b: Number.POSITIVE_INFINITY, c: -1e9, z: 1 })))).toBe('abdc');
  const huge = await rank(moves({ d: 1e9 }));
  expect(huge.tools[0]).toMatchObject({ id: 'd', semantic: 1 });
});

test('SE43 a semantic stage that never answers is left behind: after its time, or when the run is stopped', async () => {
  const signals: AbortSignal[] = [];
  const never: SemanticStage = ({ signal }) => { signals.push(signal); return new Promise(() => undefined); };
  const late = await rank(never, {}, { semanticMs: 1 });
  expect([order(late), late.semantic]).toEqual(['abcd', { tookPart: false, reason: 'timeout' }]);
  const stop = new AbortController();
  const stopped = rank((question) => { stop.abort(); return never(question); }, { signal: stop.signal });
  expect((await stopped).semantic).toEqual({ tookPart: false, reason: 'stopped' });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

test('SE43 no semantic stage is asked where nothing hangs on the order, or nothing is asked', async () => {
  const never: SemanticStage = () => { throw new Error('asked'); };
  expect((await rank(never, { decides: false })).semantic).toEqual({ tookPart: false, reason: 'all_fit' });
  expect((await rank(never, { request: ' \n' })).semantic).toEqual({ tookPart: false, reason: 'nothing_to_match' });
  expect((await rank(never, { candidates: [] })).semantic).toEqual({ tookPart: false, reason: 'nothing_to_match' });
});

test('SE40 what was learned moves near equals after the semantic match, each a part of its own; words that cannot be read leave no ranking', async () => {
  const learned = await rank(moves({ c: 0.45 }), {}, { choices: { opinion: () => (fingerprint) => (fingerprint === 'of c' ? 1 : fingerprint === 'of a' ? -1 : 0) } });
  expect(order(learned)).toBe('cabd');
  expect(learned.tools[0]).toMatchObject({ semantic: 0.45, learned: 0.08 });
  expect(learned.tools[1]).toMatchObject({ semantic: 0, learned: -0.08 });
  const errors: string[] = [];
  const none = await rank(null, {}, { selector: { rank: () => Promise.reject(new Error('torn')) }, log: { warn: () => undefined, error: (message) => errors.push(message) } });
  expect([none.failed, none.of, none.tools, errors]).toEqual([true, 4, [], ['tools could not be ranked']]);
});
