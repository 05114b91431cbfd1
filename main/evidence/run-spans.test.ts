import { afterAll, expect, test } from 'vitest';
import { openTestLine, World } from '../calls/open-test-line.ts';
import type { EvidenceEvent } from '../../shared/run.ts';
import type { RunSpan } from '../../shared/run-span.ts';
import { joinSpans } from '../../shared/join-spans.ts';
import { EvidenceLane } from './evidence-lane.ts';
import { runSpans, spansOf } from './run-spans.ts';

const t = openTestLine();
const lane = new EvidenceLane(t.store);
afterAll(async () => {
  await lane.close();
  t.store.close();
});

/** One line a span: depth by its parents, kind, when and how it ended. */
const drawn = (spans: ReturnType<typeof spansOf>): string[] => {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const depth = (id: string | null): number => (id === null ? 0 : 1 + depth(byId.get(id)!.parent));
  const begin = spans[0]?.startedAt ?? 0;
  return spans.map(({ parent, kind, startedAt, endedAt, outcome, failed, attempt, tokens, toldBytes }) =>
    `${'-'.repeat(depth(parent))}${kind}${attempt ?? ''} ${startedAt - begin}..${endedAt === null ? '' : endedAt - begin}${outcome === null ? '' : ` ${outcome}`}${failed ? ' failed' : ''}${tokens ? ` ${tokens.input}+${tokens.output}` : ''}${toldBytes === undefined ? '' : ` told ${toldBytes}`}`);
};

test('RV01 turns hold their model request and calls, calls their tries and waiting; times come from the evidence, and the worker answers alike', async () => {
  const read = t.world.tool({ name: 'read', tier: 'read_only' });
  const write = t.world.tool({ name: 'write', tier: 'high_write' });
  const run = t.line.beginRun({ kind: 'agent', title: 'two things', principal: 'agent:default' });
  const model = (turn: number, ms: number, calls: number): void => {
    t.clock.pass(ms);
    t.line.note(run.id, [{ type: 'turn.request', invocationId: null, data: { turn, model: 'm-1', request: '{}' } }, { type: 'turn.reply', invocationId: null, data: { turn, text: '', calls: Array(calls).fill({}), usage: { inputTokens: 100 * turn, outputTokens: 7, cachedTokens: 0, cost: 0.5, currency: 'EUR', estimated: false } } }]);
  };
  t.world.answer = () => {
    t.clock.pass(30);
    return World.text('here');
  };
  model(1, 500, 2);
  const first = await t.line.tryCall({ capabilityId: read, principal: 'user', input: {}, run, wait: true });
  t.line.note(run.id, [{ type: 'call.told', invocationId: first.ok ? first.value.invocationId : '', data: { turn: 1, textBytes: 400 } }]);
  const second = t.line.tryCall({ capabilityId: write, principal: 'user', input: {}, run, wait: true });
  await expect.poll(() => t.line.approvals.list('pending').length).toBe(1);
  t.clock.pass(2_000);
  await t.line.approvals.decide(t.line.approvals.list('pending')[0]!.id, 'approve', { by: 'window' });
  await second;
  model(2, 200, 0);
  t.line.endRun(run.id, { state: 'completed', code: null });
  const answer = runSpans(t.store, run.id);
  if (!answer.ok) throw new Error(answer.error.code);
  expect(drawn(answer.value.spans)).toEqual([
    'turn 0..2560',
    '-model 0..500 100+7',
    '-call 500..530 ok told 400',
    '--attempt1 500..530 result',
    '-call 530..2560 ok',
    '--wait 530..2530 approve',
    '--attempt1 2530..2560 result',
    'turn 2560..2760',
    '-model 2560..2760 200+7',
  ]);
  expect(await lane.spans({ runId: run.id })).toEqual(answer);
  expect(runSpans(t.store, 'none')).toMatchObject({ ok: false, error: { code: 'not_found' } });
});

test('RV01 whatever rows a run has, each span is there once, after the one it belongs to, and none ends before it began', () => {
  const rows: Partial<EvidenceEvent>[] = [
    { type: 'call.outcome', invocationId: 'a', data: {} }, { type: 'call.received', invocationId: 'b', data: { outcome: 'failed' } }, { type: 'turn.failed', data: { turn: 'x', code: 'no' } }, { type: 'approval.decided', invocationId: 'b', data: {} },
    { type: 'call.intent', invocationId: 'b', data: {} }, { type: 'call.retry', invocationId: 'b', data: { attempt: 'odd' } }, { type: 'call.retry', invocationId: 'b', data: {} }, { type: 'turn.reply', data: { turn: 2, usage: { inputTokens: Number.NaN } } },
    { type: 'call.planned', invocationId: 'c', data: { capabilityId: 4 } }, { type: 'question.asked', invocationId: 'c', data: {} }, { type: 'run.ended', data: {} },
  ];
  const spans = spansOf(rows.map((row, seq) => ({ runId: 'r', seq, prevHash: '', hash: '', at: 10 + seq, invocationId: null, data: {}, type: '', ...row })));
  const seen = new Set<string | null>([null]);
  for (const span of spans) {
    expect(seen.has(span.parent) && !seen.has(span.id)).toBe(true);
    expect(span.endedAt! >= span.startedAt).toBe(true);
    seen.add(span.id);
  }
  expect(spans.filter(({ kind }) => kind === 'attempt').map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
});

test('RV05 asked again, a tree is read on from its last row: what began or changed since is the answer, and joined to what was known it is the tree', async () => {
  const read = t.world.tool({ name: 'read', tier: 'read_only' });
  const run = t.line.beginRun({ kind: 'agent', title: 'many', principal: 'agent:default' });
  const turn = (n: number): void => t.line.note(run.id, [{ type: 'turn.request', invocationId: null, data: { turn: n, model: 'm', request: 'x'.repeat(1_000) } }, { type: 'turn.reply', invocationId: null, data: { turn: n, text: '', calls: [] } }]);
  let known: readonly RunSpan[] = [];
  let since = -1;
  const asked: number[] = [];
  const ask = async (): Promise<number> => {
    const answer = await lane.spans({ runId: run.id, since });
    if (!answer.ok) throw new Error(answer.error.code);
    known = joinSpans(known, answer.value.spans);
    expect(answer.value.upTo).toBeGreaterThanOrEqual(since);
    ({ upTo: since } = answer.value);
    const whole = runSpans(t.store, run.id);
    expect(whole.ok && whole.value).toEqual({ spans: known, total: known.length, upTo: since });
    return answer.value.spans.length;
  };
  for (let n = 1; n <= 20; n += 1) {
    turn(n);
    if (n % 3 === 0) await t.line.tryCall({ capabilityId: read, principal: 'user', input: {}, run, wait: true });
    asked.push(await ask());
  }
  // a turn and its model request, with a call and its try in every third; never what was known before
  expect(asked).toEqual(Array.from({ length: 20 }, (_, i) => ((i + 1) % 3 === 0 ? 4 : 2)));
  expect(await ask()).toBe(0);
  // another page that knows nothing gets the whole, and so does one whose worker read another run meanwhile
  for (let i = 0; i < 5; i += 1) await lane.spans({ runId: t.line.beginRun({ kind: 'agent', title: 'other', principal: 'agent:default' }).id });
  turn(21);
  expect(await ask()).toBe(2);
  expect((await lane.spans({ runId: run.id })) as { value: { spans: unknown[] } }).toMatchObject({ value: { spans: known } });
  t.line.endRun(run.id, { state: 'completed', code: null });
  await ask();
});
