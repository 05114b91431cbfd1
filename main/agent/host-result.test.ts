import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOST_RESULT, type HostResult } from '../../shared/host-result.ts';
import { BUILT_IN_AGENT } from '../../shared/principal.ts';
import type { Outcome } from '../calls/call-outcome.ts';
import { openTestLine, World, type TestTool } from '../calls/open-test-line.ts';
import { ROUTES } from '../capabilities/routes/profiles.ts';
import { toldOutcome } from './outcome-text.ts';
import { settle } from '../calls/settle.fixture.ts';

const told = (outcome: Outcome) => toldOutcome(outcome, { takes: ROUTES['openai-chat'].toolResults, mediaLeftBytes: 0, alternatives: [], readTool: 'host__read_result', categoryOnly: false, capabilityId: 'mcp:srv:tool:look' });
const headOf = (text: string): Record<string, unknown> => JSON.parse(text.split('\n')[0]!) as Record<string, unknown>;
const bodyOf = (text: string): Record<string, unknown> => JSON.parse(text.split('\n').slice(1).join('\n')) as Record<string, unknown>;

const answered = async (raw: unknown, wanted: HostResult | null, more: Partial<TestTool> = {}) => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'look', tier: 'read_only', ...more });
  t.world.answer = () => World.result(raw);
  const outcome = await t.line.tryCall({ capabilityId: id, principal: BUILT_IN_AGENT, wait: true, input: { a: 1, ...(wanted === null ? {} : { [HOST_RESULT]: wanted }) } });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return { t, outcome: outcome.value, ...told(outcome.value) };
};
const rows = Array.from({ length: 3_000 }, (_, i) => ({ id: i, name: `row number ${i}`, 'a/b': { '~': i } }));
const table = { content: [{ type: 'text', text: 'a table' }, { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }], structuredContent: { rows, total: rows.length, '': 'empty name' } };

test('HF06 select gives the model only the named part of the structured content, of the whole answer, and says so', async () => {
  const { outcome, text } = await answered(table, { select: '/rows/2999' });
  expect(outcome.class).toBe('ok');
  expect(bodyOf(text)).toEqual({ selected: rows[2999] });
  expect(headOf(text)).toMatchObject({ class: 'ok', select: { code: 'selected', part: '/structuredContent/rows/2999' }, source: { server: 'srv' } });
  expect(text.length).toBeLessThan(1_000);
  // less is shown than is stored: the rest can be read
  expect(told(outcome).isShortened).toBe(true);
  expect(outcome.result).toBeDefined();
});

test.each<[string, unknown]>([['/total', 3_000], ['/rows/7/a~1b/~0', 7], ['/', 'empty name']])('HF06 %s is read as RFC 6901 means it', async (select, value) => {
  expect(bodyOf((await answered(table, { select })).text)).toEqual({ selected: value });
});

test('HF06 the empty pointer names all of the structured content', async () => {
  expect(bodyOf((await answered({ content: [{ type: 'text', text: 'beside' }], structuredContent: { a: [1] } }, { select: '' })).text)).toEqual({ selected: { a: [1] } });
});

test.each<[string, string, unknown]>([['/rows/3000', '3000', ['0 to 2999']], ['/rows/-', '-', ['0 to 2999']], ['/rows/01', '01', ['0 to 2999']], ['/rows/length', 'length', ['0 to 2999']], ['/lines', 'lines', ['rows', 'total', '']], ['/total/x', 'x', []], ['/__proto__', '__proto__', ['rows', 'total', '']]])(
  'HF06 %s leads nowhere: a code, what there is, and the answer as without it',
  async (select, missing, has) => {
    const { text, outcome } = await answered(table, { select });
    expect(headOf(text)).toMatchObject({ class: 'stored', select: { code: 'select_leads_nowhere', select, missing, has } });
    expect(bodyOf(text)).toEqual(bodyOf((await answered(table, null)).text));
    expect(outcome.class).toBe('stored');
  },
);

test.each<[string, unknown, string, string]>([
  ['no structured content', { content: [{ type: 'text', text: '{"rows":[1]}' }] }, 'ok', 'select_no_structure'],
  ['an error', { content: [{ type: 'text', text: 'no such table' }], structuredContent: { rows: [1] }, isError: true }, 'tool_error', 'select_not_applied'],
  ['what breaks its contract', { content: [{ type: 'text', text: 'x' }, { type: 'text' }], structuredContent: { rows: [1] } }, 'invalid_result', 'select_not_applied'],
])('HF06 of %s the answer is given as without it, with a code', async (_what, raw, resultClass, code) => {
  const { text } = await answered(raw, { select: '/rows' });
  expect(headOf(text)).toMatchObject({ class: resultClass, select: { code } });
  const { select: _select, ...head } = headOf(text);
  const plain = (await answered(raw, null)).text;
  expect(JSON.stringify(head)).toBe(JSON.stringify(headOf(plain)));
  expect(text.split('\n').slice(1)).toEqual(plain.split('\n').slice(1));
});

test('HF06 a part that is itself too large is shortened, says so, and names where the rest is', async () => {
  const { text, outcome } = await answered(table, { select: '/rows' });
  expect(outcome.class).toBe('stored');
  expect(headOf(text)).toMatchObject({ stored: { shortened: [{ part: '/structuredContent/rows', of: 3_000, unit: 'items' }] } });
  expect(text).toMatch(/\[shortened, \d+ of 3000 items\]/);
});

test('HF07 byteBudget narrows the text and says "shortened, N of M"; it never widens the context’s own budget', async () => {
  const { text, outcome } = await answered({ content: [{ type: 'text', text: 'x'.repeat(4_000) }] }, { byteBudget: 500 });
  expect(outcome.class).toBe('stored');
  expect(text.split('\n').slice(1).join('\n').length).toBeLessThanOrEqual(500);
  expect(text).toMatch(/\[shortened, \d+ of 4000 characters\]/);
  const long = { content: [{ type: 'text', text: 'x'.repeat(100_000) }] };
  expect((await answered(long, { byteBudget: 1_000_000_000 })).text.slice(0, -1)).toHaveLength((await answered(long, null)).text.length - 1);
  // of a part, too
  expect((await answered(table, { select: '/rows', byteBudget: 600 })).text).toMatch(/\[shortened, \d+ of 3000 items\]/);
});

test('HF07 whatever the answer and the budget, the text keeps within it but for the marks, and what is whole is as without it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string({ maxLength: 8 }), fc.oneof(fc.string({ maxLength: 600 }), fc.array(fc.nat(), { maxLength: 60 })), { maxKeys: 6 }), fc.integer({ min: 200, max: 3_000 }), async (structuredContent, byteBudget) => {
      const raw = { content: [{ type: 'text', text: 'words' }], structuredContent };
      const narrow = await answered(raw, { byteBudget });
      const plain = await answered(raw, null);
      const bodyBytes = Buffer.byteLength(narrow.text.split('\n').slice(1).join('\n'));
      expect(bodyBytes).toBeLessThanOrEqual(byteBudget + 400);
      if (narrow.outcome.class === plain.outcome.class) expect(narrow.text).toBe(plain.text.replaceAll(plain.outcome.invocationId, narrow.outcome.invocationId));
      else expect(narrow.text).toContain('[shortened, ');
    }),
    { numRuns: 40 },
  );
});

test('HF06 what was wanted is kept while a person is asked, and over an edit of the input', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'look' });
  t.world.answer = () => World.result(table);
  const call = (): Promise<string> => t.line.tryCall({ capabilityId: id, principal: BUILT_IN_AGENT, wait: true, input: { a: 1, [HOST_RESULT]: { select: '/total' } } }).then((outcome) => told((outcome as { value: Outcome }).value).text);
  const pending = async () => {
    await settle();
    return t.line.approvals.list('pending')[0]!;
  };
  const first = call();
  t.line.approvals.decide((await pending()).id, 'approve', { by: 'me' });
  expect(bodyOf(await first)).toEqual({ selected: 3_000 });
  const second = call();
  const edited = t.line.approvals.edit((await pending()).id, '{"a":2}', { by: 'me' });
  t.line.approvals.decide((edited as { value: { id: string } }).value.id, 'approve', { by: 'me' });
  expect(bodyOf(await second)).toEqual({ selected: 3_000 });
  expect(t.world.calls.map((one) => one.frozenArguments)).toEqual(['{"a":1}', '{"a":2}']);
});

test('HF08 refresh asks anew where a first result would be answered, as a write sent again as new: a person is asked; the first result is shaped as its own caller wants it', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'pay', tier: 'high_write', inputSchema: { type: 'object', properties: { to: { type: 'string' }, key: { type: 'string' } }, required: ['to'] }, idempotency: { field: 'key', required: true } });
  t.line.rules.add({ effect: 'allow', principal: null, capabilityId: id, serverId: null, tier: null, conditions: [], note: '', expiresAt: null }, 'me');
  t.world.answer = (_call, n) => World.result({ content: [], structuredContent: { receipt: { no: n }, words: 'paid' } });
  const run = t.line.beginRun({ kind: 'agent', title: 'a run', principal: BUILT_IN_AGENT }).id;
  const pay = async (wanted: HostResult | null): Promise<Outcome> => {
    const outcome = await t.line.tryCall({ capabilityId: id, principal: BUILT_IN_AGENT, run: { id: run }, input: { to: 'bob', ...(wanted === null ? {} : { [HOST_RESULT]: wanted }) } });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.value;
  };
  const first = await pay({ refresh: true });
  expect(first).toMatchObject({ state: 'completed', class: 'ok' });
  const again = await pay({ select: '/receipt', refresh: false });
  expect(again.repeatOf).toMatchObject({ invocationId: first.invocationId });
  expect(bodyOf(told(again).text)).toEqual({ selected: { no: 1 } });
  const fresh = await pay({ refresh: true });
  expect(fresh).toMatchObject({ state: 'awaiting_approval' });
  expect(t.world.calls).toHaveLength(1);
  t.line.approvals.decide(fresh.approvalId!, 'approve', { by: 'me' });
  await settle();
  expect(t.world.calls).toHaveLength(2);
  expect((JSON.parse(t.world.calls[1]!.frozenArguments) as { key: string }).key).not.toBe((JSON.parse(t.world.calls[0]!.frozenArguments) as { key: string }).key);
});

test('HF08 refresh has no effect where nothing is answered from before, and says nothing', async () => {
  const raw = { content: [{ type: 'text', text: 'now' }] };
  const [plain, fresh] = [await answered(raw, null), await answered(raw, { refresh: true })];
  expect(fresh.text).toBe(plain.text.replaceAll(plain.outcome.invocationId, fresh.outcome.invocationId));
});

test.each<[string, unknown, string, string]>([
  ['small', { rows: [{ id: 0 }, { id: 1 }] }, '/rows/1', 'selected'],
  ['large', { rows }, '/rows/2999', 'select_not_at_hand'],
  ['a promise', { status: 'queued', job_id: 'j1', more: { a: 1 } }, '/more', 'select_not_applied'],
])('HF06 select on a repeat says of the first result only what holds for the whole of it: %s', async (_what, structuredContent, select, code) => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'look', tier: 'low_write', idempotency: { field: 'key', required: true }, inputSchema: { type: 'object', properties: { a: {}, key: { type: 'string' } } } });
  t.line.rules.add({ effect: 'allow', principal: null, capabilityId: id, serverId: null, tier: null, conditions: [], note: '', expiresAt: null }, 'me');
  t.world.answer = () => World.result({ content: [], structuredContent, ...(code === 'select_not_at_hand' ? { note: 'x'.repeat(300_000) } : {}) });
  const run = t.line.beginRun({ kind: 'agent', title: 'a run', principal: BUILT_IN_AGENT });
  const ask = (input: object) => t.line.tryCall({ capabilityId: id, principal: BUILT_IN_AGENT, run: { id: run.id }, wait: true, input: { a: 1, ...input } });
  const first = await ask({});
  const repeat = await ask({ [HOST_RESULT]: { select } });
  if (!first.ok || !repeat.ok) throw new Error('both are told');
  expect([t.world.calls.length, repeat.value.repeatOf?.invocationId]).toEqual([1, first.value.invocationId]);
  const { text, isShortened } = told(repeat.value);
  expect(headOf(text)).toMatchObject({ class: first.value.class, select: { code, ...(code === 'selected' ? {} : { select }) } });
  if (code !== 'selected') expect(Object.keys(bodyOf(text))).toContain('structuredContent');
  // the rest is there to be read
  if (code === 'select_not_at_hand') expect([isShortened, headOf(text)['stored']]).toEqual([true, expect.objectContaining({ result: repeat.value.invocationId })]);
});
