import { expect, test } from 'vitest';
import { USER, BUILT_IN_AGENT } from '../../shared/principal.ts';
import { FIRST_RESULT_KEPT_MS, IDEMPOTENCY_META_KEY } from '../../shared/idempotency.ts';
import { fault } from '../../shared/fault.ts';
import { toldOutcome } from '../agent/outcome-text.ts';
import { ROUTES } from '../capabilities/routes/profiles.ts';
import { verifyRun } from '../evidence/verify-run.ts';
import type { WireOutcome } from '../servers/wire-outcome.ts';
import type { Outcome } from './call-outcome.ts';
import { World, openTestLine } from './open-test-line.ts';
import type { TestLine, TestTool } from './open-test-line.ts';
import type { TryCall } from './try-call.ts';
import { settle } from './settle.fixture.ts';

const valueOf = <T>(result: { ok: true; value: T } | { ok: false; error: unknown }): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};
const KEY = 'client_request_id';
const schemaWith = (key: unknown, required: readonly string[] = ['to']) => ({ type: 'object', properties: { to: { type: 'string' }, amount: { type: 'number' }, [KEY]: key }, required, additionalProperties: false });
const payment: TestTool = { name: 'pay', tier: 'high_write', inputSchema: schemaWith({ type: 'string' }), idempotency: { field: KEY, required: true } };
const unknownOutcome: WireOutcome = { kind: 'failed', fault: fault('timeout', 'No answer.'), sent: true, mayHaveRun: true };

const allow = (t: TestLine, id: string): void => {
  valueOf(t.line.rules.add({ effect: 'allow', principal: null, capabilityId: id, serverId: null, tier: null, conditions: [], note: '', expiresAt: null }, 'me'));
};
const agentRun = (t: TestLine): string => t.line.beginRun({ kind: 'agent', title: 'a run', principal: BUILT_IN_AGENT }).id;
const asker = (t: TestLine, id: string, runId: string) => async (input: unknown, more: Partial<TryCall> = {}) =>
  valueOf(await t.line.tryCall({ capabilityId: id, principal: BUILT_IN_AGENT, run: { id: runId }, inputText: JSON.stringify(input), ...more }));
const sentKeys = (t: TestLine): unknown[] => t.world.calls.map((call) => (JSON.parse(call.frozenArguments) as Record<string, unknown>)[KEY]);
const eventsOf = (t: TestLine, type: string): Record<string, unknown>[] => (t.store.connection.prepare('SELECT data_json FROM events WHERE type = ? ORDER BY id').pluck().all(type) as string[]).map((text) => JSON.parse(text) as Record<string, unknown>);
const outcomeText = (outcome: Outcome): string => toldOutcome(outcome, { takes: ROUTES['openai-chat'].toolResults, mediaLeftBytes: 0, alternatives: [], readTool: 'read', categoryOnly: false, capabilityId: 'mcp:srv:tool:pay' }).text;

test('TM20 the key is filled in before the input is frozen: in its hash, the evidence, the approval and the request', async () => {
  const t = openTestLine();
  const id = t.world.tool({ ...payment, inputSchema: schemaWith({ type: 'string' }, ['to', KEY]) });
  const o = await asker(t, id, agentRun(t))({ to: 'bob' });
  expect(o.state).toBe('awaiting_approval');
  const approval = valueOf(t.line.approvals.get(o.approvalId ?? ''));
  const key = (JSON.parse(approval.frozenInput) as Record<string, string>)[KEY];
  expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  expect(approval.notices).toContainEqual({ code: 'idempotency_key', place: `/${KEY}`, detail: key });
  expect(approval.notices).toContainEqual(expect.objectContaining({ code: 'repaired', place: `/${KEY}`, kind: 'idempotency_key' }));
  expect(eventsOf(t, 'call.keyed')).toEqual([{ field: KEY, key, state: 'filled' }]);
  valueOf(t.line.approvals.decide(approval.id, 'approve', { by: 'me' }));
  await settle();
  expect(t.world.calls[0]).toMatchObject({ frozenArguments: approval.frozenInput, meta: { [IDEMPOTENCY_META_KEY]: key } });
  expect(valueOf(await verifyRun(t.store, o.runId)).ok).toBe(true);
});

test('TM20 a tool without such a review is called as it was asked for', async () => {
  const t = openTestLine();
  const { idempotency: _none, ...plain } = payment;
  const id = t.world.tool(plain);
  allow(t, id);
  await asker(t, id, agentRun(t))({ to: 'bob', [KEY]: 'mine' });
  expect(t.world.calls.map((c) => [c.frozenArguments, c.meta])).toEqual([[`{"${KEY}":"mine","to":"bob"}`, undefined]]);
  expect(eventsOf(t, 'call.keyed')).toEqual([]);
});

test('TM21 the same write of a run has the same key; another write, another run and one sent as new have others', async () => {
  const t = openTestLine();
  const id = t.world.tool(payment);
  allow(t, id);
  t.world.answer = () => unknownOutcome;
  const [first, second] = [agentRun(t), agentRun(t)];
  const ask = asker(t, id, first);
  await ask({ to: 'bob', amount: 1 });
  await ask({ amount: 1, to: 'bob' });
  await ask({ to: 'bob', amount: 2 });
  await asker(t, id, second)({ to: 'bob', amount: 1 });
  const fresh = await ask({ to: 'bob', amount: 1 }, { fresh: true });
  valueOf(t.line.approvals.decide(fresh.approvalId ?? '', 'approve', { by: 'me' }));
  await settle();
  await ask({ to: 'bob', amount: 1 });
  const [a, b, c, d, e, f] = sentKeys(t);
  expect(b).toBe(a);
  expect(new Set([a, c, d, e]).size).toBe(4);
  expect(f).toBe(e);
});

test('TM22 what a model wrote there is replaced; what a person wrote stays, unless another write has it', async () => {
  const t = openTestLine();
  const id = t.world.tool(payment);
  allow(t, id);
  await asker(t, id, agentRun(t))({ to: 'bob', [KEY]: 'order-1' });
  valueOf(await t.line.tryCall({ capabilityId: id, principal: USER, input: { to: 'bob', [KEY]: 'by-hand' } }));
  valueOf(await t.line.tryCall({ capabilityId: id, principal: USER, input: { to: 'bob', [KEY]: '' } }));
  const [model, person, empty] = sentKeys(t);
  expect(model).not.toBe('order-1');
  expect(person).toBe('by-hand');
  expect(empty).toMatch(/^[0-9a-f-]{36}$/);
  expect(eventsOf(t, 'call.keyed').map((e) => e['state'])).toEqual(['replaced', 'given', 'filled']);
});

test('TM22 an edited input is another write: it does not keep the key of the one that it replaced', async () => {
  const t = openTestLine();
  const id = t.world.tool(payment);
  const o = await asker(t, id, agentRun(t))({ to: 'bob' });
  const before = valueOf(t.line.approvals.get(o.approvalId ?? ''));
  const edited = valueOf(t.line.approvals.edit(before.id, before.frozenInput.replace('bob', 'eve'), { by: 'me' }));
  const keyOf = (text: string): unknown => (JSON.parse(text) as Record<string, unknown>)[KEY];
  expect(keyOf(edited.frozenInput)).not.toBe(keyOf(before.frozenInput));
  const again = valueOf(t.line.approvals.edit(edited.id, `{"to":"eve","${KEY}":"by-hand"}`, { by: 'me' }));
  expect(keyOf(again.frozenInput)).toBe('by-hand');
});

test.each([
  ['a format', { type: 'string', format: 'uuid' }, /^[0-9a-f]{8}-/],
  ['a length', { type: 'string', maxLength: 32 }, /^[0-9a-f]{32}$/],
  ['a pattern', { type: 'string', pattern: '^gantry-' }, /^gantry-/],
  ['a short length', { type: 'string', maxLength: 20 }, /^[0-9a-f]{16}$/],
])('TM23 the key takes a form that %s accepts', async (_what, schema, form) => {
  const t = openTestLine();
  const id = t.world.tool({ ...payment, inputSchema: schemaWith(schema) });
  allow(t, id);
  expect((await asker(t, id, agentRun(t))({ to: 'bob' })).class).toBe('ok');
  expect(sentKeys(t)[0]).toMatch(form);
});

test('TM23 where no key fits a tool that needs one is refused with the pointer; another goes without, and its repeats are calls', async () => {
  const needs = openTestLine();
  const schema = schemaWith({ type: 'string', maxLength: 3 });
  const needed = needs.world.tool({ ...payment, inputSchema: schema });
  allow(needs, needed);
  const refused = await asker(needs, needed, agentRun(needs))({ to: 'bob' });
  expect(refused).toMatchObject({ state: 'failed', code: 'idempotency_key_unfit', class: 'not_sent', fault: { field: `/${KEY}`, remedy: expect.stringContaining('Review the tool again') } });
  expect(outcomeText(refused)).toContain(`"field":"/${KEY}"`);
  expect(needs.world.calls).toHaveLength(0);

  const free = openTestLine();
  const id = free.world.tool({ ...payment, inputSchema: schema, idempotency: { field: KEY, required: false } });
  const ask = asker(free, id, agentRun(free));
  const asked = await ask({ to: 'bob' });
  expect(valueOf(free.line.approvals.get(asked.approvalId ?? '')).notices).toContainEqual(expect.objectContaining({ code: 'no_idempotency_key', place: `/${KEY}` }));
  valueOf(free.line.approvals.decide(asked.approvalId ?? '', 'approve', { by: 'me' }));
  await settle();
  expect((await ask({ to: 'bob' })).state).toBe('awaiting_approval');
  expect(free.world.calls.map((c) => [c.frozenArguments, c.meta])).toEqual([['{"to":"bob"}', undefined]]);
});

test('TM23 an input that is wrong elsewhere is told as what it is', async () => {
  const t = openTestLine();
  const id = t.world.tool(payment);
  expect(await asker(t, id, agentRun(t))({ to: 7 })).toMatchObject({ code: 'invalid_input', fault: { field: '/to' } });
  expect(await asker(t, id, agentRun(t))({ to: 'bob', more: 1 })).toMatchObject({ code: 'invalid_input' });
});

test('TM24 TM31 a repeat is answered with the first result: nothing is asked or sent, it is on record, proved and said', async () => {
  const t = openTestLine();
  const id = t.world.tool(payment);
  t.world.answer = (_call, n) => World.result({ content: [{ type: 'text', text: `paid ${n}` }], structuredContent: { n } });
  const runId = agentRun(t);
  const ask = asker(t, id, runId);
  const first = await ask({ to: 'bob', amount: 1 });
  valueOf(t.line.approvals.decide(first.approvalId ?? '', 'approve', { by: 'me' }));
  await settle();
  const again = await ask({ amount: 1, to: 'bob', [KEY]: 'a-model-s-own' }, { wait: true });
  expect(again).toMatchObject({ state: 'completed', class: 'ok', repeatOf: { invocationId: first.invocationId }, result: { structuredContent: { n: 1 } } });
  expect(again.invocationId).not.toBe(first.invocationId);
  expect(t.world.calls).toHaveLength(1);
  expect(t.line.approvals.list()).toHaveLength(1);
  expect(outcomeText(again)).toMatch(/Nothing was sent now/);
  expect(outcomeText(again)).toContain('paid 1');
  expect(valueOf(t.line.get(again.invocationId))).toMatchObject({ state: 'completed', grounded: true, startedAt: null, result: { structuredContent: { n: 1 } } });
  expect(eventsOf(t, 'call.repeated')).toMatchObject([{ of: first.invocationId, class: 'ok' }]);
  expect(valueOf(await verifyRun(t.store, runId)).ok).toBe(true);
  t.store.connection.prepare(`UPDATE invocations SET result_json = '{}' WHERE id = ?`).run(again.invocationId);
  expect(valueOf(await verifyRun(t.store, runId))).toMatchObject({ ok: false, firstBad: expect.objectContaining({ reason: expect.stringContaining('result') as unknown }) as unknown });
});

test('TM24 TM31 a large first result answers with its preview, and its parts can be read by the repeat', async () => {
  const t = openTestLine();
  const id = t.world.tool(payment);
  allow(t, id);
  t.world.answer = () => World.text('line of the receipt\n'.repeat(40_000));
  const runId = agentRun(t);
  const ask = asker(t, id, runId);
  expect((await ask({ to: 'bob' })).class).toBe('stored');
  const again = await ask({ to: 'bob' });
  expect(again).toMatchObject({ class: 'stored', repeatOf: {} });
  expect(outcomeText(again)).toContain(`"result":"${again.invocationId}"`);
  expect(Buffer.byteLength(outcomeText(again))).toBeLessThan(80_000);
  expect(valueOf(t.line.wholeResult(again.invocationId)).content).toHaveLength(1);
  expect(t.store.connection.prepare('SELECT count(*) FROM invocations WHERE length(result_json) > 700000').pluck().get()).toBe(2);
  expect(valueOf(await verifyRun(t.store, runId)).ok).toBe(true);
});

test('TM24 a deny rule stands before the first result', async () => {
  const t = openTestLine();
  const id = t.world.tool(payment);
  allow(t, id);
  const ask = asker(t, id, agentRun(t));
  await ask({ to: 'bob' });
  valueOf(t.line.rules.add({ effect: 'deny', principal: null, capabilityId: id, serverId: null, tier: null, conditions: [], note: 'no more', expiresAt: null }, 'me'));
  expect(await ask({ to: 'bob' })).toMatchObject({ code: 'denied' });
});

test('TM25 a repeat waits for the first one, whether that waits for a person or runs, and is answered by what it comes to', async () => {
  const t = openTestLine();
  const id = t.world.tool(payment);
  let finish: (wire: WireOutcome) => void = () => {};
  t.world.answer = () => new Promise((resolve) => (finish = resolve));
  const ask = asker(t, id, agentRun(t));
  const waiting = ask({ to: 'bob' }, { wait: true });
  const early = ask({ to: 'bob' }, { wait: true });
  await settle();
  const [approval, ...others] = t.line.approvals.list('pending');
  expect(others).toEqual([]);
  expect(await ask({ to: 'bob' })).toMatchObject({ state: 'awaiting_approval', approvalId: approval?.id, repeatOf: { invocationId: approval?.invocationId } });
  valueOf(t.line.approvals.decide(approval?.id ?? '', 'approve', { by: 'me' }));
  const late = ask({ to: 'bob' });
  expect(await ask({ to: 'bob' }, { wait: false })).toMatchObject({ state: 'running', repeatOf: { invocationId: approval?.invocationId } });
  await settle();
  finish(World.text('paid'));
  const [first, ...repeats] = await Promise.all([waiting, early, late]);
  expect(first).toMatchObject({ class: 'ok' });
  expect(first?.repeatOf).toBeUndefined();
  for (const repeat of repeats) expect(repeat).toMatchObject({ class: 'ok', repeatOf: { invocationId: first?.invocationId }, result: { content: [{ text: 'paid' }] } });
  expect(t.world.calls).toHaveLength(1);
});

test('TM25 where the first one is denied or lost, the one that waited is a call of its own and asks', async () => {
  for (const end of ['deny', 'lose'] as const) {
    const t = openTestLine();
    const id = t.world.tool(payment);
    t.world.answer = () => unknownOutcome;
    const ask = asker(t, id, agentRun(t));
    const first = ask({ to: 'bob' }, { wait: true });
    const second = ask({ to: 'bob' }, { wait: true });
    await settle();
    const approval = t.line.approvals.list('pending')[0]?.id ?? '';
    valueOf(t.line.approvals.decide(approval, end === 'deny' ? 'deny' : 'approve', { by: 'me' }));
    expect((await first).code).toBe(end === 'deny' ? 'denied' : 'outcome_unknown');
    await settle();
    const [asked, ...others] = t.line.approvals.list('pending');
    expect(others).toEqual([]);
    expect(asked?.notices.map((n) => n.code).includes('repeat_of_unknown')).toBe(end === 'lose');
    valueOf(t.line.approvals.decide(asked?.id ?? '', 'deny', { by: 'me' }));
    expect((await second).code).toBe('denied');
    expect(t.world.calls).toHaveLength(end === 'deny' ? 0 : 1);
  }
});

test.each<[string, WireOutcome, string]>([
  ['of unknown outcome', unknownOutcome, 'outcome_unknown'],
  ['that the tool refused', World.result({ isError: true, content: [{ type: 'text', text: 'no funds' }] }), 'tool_error'],
  ['that reads as an error', World.result({ content: [{ type: 'text', text: 'Error: database is locked' }] }), 'suspect_success'],
  ['that broke the protocol', World.result({ content: [{}] }), 'invalid_result'],
])('TM26 a result %s answers no repeat: it is a new call with the same key', async (_what, wire, expected) => {
  const t = openTestLine();
  const id = t.world.tool(payment);
  allow(t, id);
  t.world.answer = (_call, n) => (n === 1 ? wire : World.text('done'));
  const ask = asker(t, id, agentRun(t));
  expect((await ask({ to: 'bob' })).class).toBe(expected);
  const again = await ask({ to: 'bob' });
  expect(again.class).toBe('ok');
  expect(again.repeatOf).toBeUndefined();
  const [a, b] = sentKeys(t);
  expect(b).toBe(a);
  expect((await ask({ to: 'bob' })).repeatOf).toMatchObject({ invocationId: again.invocationId });
});

test('TM26 neither after a day, nor for another form of the tool, another run or a read', async () => {
  const t = openTestLine();
  const id = t.world.tool(payment);
  allow(t, id);
  const runId = agentRun(t);
  const ask = asker(t, id, runId);
  await ask({ to: 'bob' });
  t.clock.pass(FIRST_RESULT_KEPT_MS - 1);
  expect((await ask({ to: 'bob' })).repeatOf).toBeDefined();
  t.clock.pass(1);
  expect((await ask({ to: 'bob' })).repeatOf).toBeUndefined();
  t.world.tool(payment, 2);
  expect((await ask({ to: 'bob' })).state).toBe('awaiting_approval');
  expect((await asker(t, id, agentRun(t))({ to: 'bob' })).repeatOf).toBeUndefined();
  const read = t.world.tool({ ...payment, name: 'read', tier: 'read_only' });
  const look = asker(t, read, runId);
  await look({ to: 'bob' });
  const before = t.world.calls.length;
  expect((await look({ to: 'bob' })).repeatOf).toBeUndefined();
  expect(t.world.calls).toHaveLength(before + 1);
});

test('TM27 an approval says how long ago the same call was made, whatever its key, and whether one waits', async () => {
  const t = openTestLine();
  const id = t.world.tool(payment);
  const ask = (amount: number) => asker(t, id, agentRun(t))({ to: 'bob', amount });
  const approvalOf = (o: { approvalId?: string | undefined }) => valueOf(t.line.approvals.get(o.approvalId ?? ''));
  const first = await ask(1);
  expect(approvalOf(await ask(1)).notices.map((n) => n.code)).toContain('repeat_open');
  valueOf(t.line.approvals.decide(first.approvalId ?? '', 'approve', { by: 'me' }));
  await settle();
  t.clock.pass(60_000);
  const second = approvalOf(await ask(1));
  expect(second.previous).toMatchObject({ identical: true, invocationId: first.invocationId });
  expect(second.notices.find((n) => n.code === 'repeat')?.detail).toContain('1 minutes ago');
  expect(approvalOf(await ask(2)).notices.map((n) => n.code)).not.toContain('repeat');
});

test('TM27 a call that the tool answered with an error counts as made; one that was provably not carried out does not', async () => {
  for (const [wire, counts] of [[World.result({ isError: true, content: [{ type: 'text', text: 'half done' }] }), true], [{ kind: 'failed', fault: fault('auth_required', '401'), sent: true, mayHaveRun: false } as WireOutcome, false]] as const) {
    const t = openTestLine();
    const id = t.world.tool({ name: 'write' });
    t.world.answer = () => wire;
    const first = valueOf(await t.line.tryCall({ capabilityId: id, principal: USER, input: { v: 1 } }));
    valueOf(t.line.approvals.decide(first.approvalId ?? '', 'approve', { by: 'me' }));
    await settle();
    const second = valueOf(await t.line.tryCall({ capabilityId: id, principal: USER, input: { v: 1 } }));
    expect(valueOf(t.line.approvals.get(second.approvalId ?? '')).notices.some((n) => n.code === 'repeat')).toBe(counts);
  }
});

test('TM28 sent again as new asks a person whatever rule allows it, and has another key', async () => {
  const t = openTestLine();
  const id = t.world.tool(payment);
  allow(t, id);
  const ask = asker(t, id, agentRun(t));
  expect((await ask({ to: 'bob' }, { fresh: true })).class).toBe('ok');
  const fresh = await ask({ to: 'bob' }, { fresh: true });
  expect(fresh.state).toBe('awaiting_approval');
  const approval = valueOf(t.line.approvals.get(fresh.approvalId ?? ''));
  expect(approval.ruleId).toBe('builtin:sent-again-asks');
  expect(approval.notices.map((n) => n.code)).toContain('repeat');
  expect(t.world.calls).toHaveLength(1);
  valueOf(t.line.approvals.decide(approval.id, 'approve', { by: 'me' }));
  await settle();
  expect(new Set(sentKeys(t)).size).toBe(2);
  expect((await ask({ to: 'bob' })).repeatOf).toMatchObject({ invocationId: fresh.invocationId });
});

test('TM30 a call that waits over a restart keeps its key, and a repeat of it in its run waits for it', async () => {
  const t = openTestLine();
  const id = t.world.tool(payment);
  // a guided run goes on after a restart
  const runId = t.line.beginRun({ kind: 'guided', title: 'a run', principal: BUILT_IN_AGENT }).id;
  const asked = await asker(t, id, runId)({ to: 'bob' });
  const shown = valueOf(t.line.approvals.get(asked.approvalId ?? '')).frozenInput;
  const next = t.restart();
  next.recoverAtStart();
  const repeat = next.tryCall({ capabilityId: id, principal: BUILT_IN_AGENT, run: { id: runId }, input: { to: 'bob' }, wait: true });
  await settle();
  expect(next.approvals.list('pending').map((a) => a.id)).toEqual([asked.approvalId]);
  valueOf(next.approvals.decide(asked.approvalId ?? '', 'approve', { by: 'me' }));
  expect(valueOf(await repeat)).toMatchObject({ class: 'ok', repeatOf: { invocationId: asked.invocationId } });
  expect(t.world.calls.map((c) => c.frozenArguments)).toEqual([shown]);
  expect(t.world.calls[0]?.meta?.[IDEMPOTENCY_META_KEY]).toBe(sentKeys(t)[0]);
});

test('TM30 A07 a yes that was not used before the end asks again with the same key', async () => {
  const t = openTestLine();
  const id = t.world.tool(payment);
  const asked = await asker(t, id, agentRun(t))({ to: 'bob' });
  t.world.refusal = fault('not_connected', 'starting');
  valueOf(t.line.approvals.decide(asked.approvalId ?? '', 'approve', { by: 'me' }));
  await t.line.close();
  t.world.refusal = null;
  const next = t.restart();
  next.recoverAtStart();
  const [again, ...others] = next.approvals.list('pending');
  expect(others).toEqual([]);
  expect(t.world.calls).toHaveLength(0);
  valueOf(next.approvals.decide(again?.id ?? '', 'approve', { by: 'me' }));
  await settle();
  expect(t.world.calls.map((c) => c.frozenArguments)).toEqual([again?.frozenInput]);
});

test('TM30 after an end in mid-call the outcome is unknown, nothing is sent, and a new run has a new key and is told of the first', async () => {
  let dead = false;
  const world = new World();
  const t: TestLine = openTestLine(world, {
    onPoint: (now) => {
      if (now !== 'after_intent' || dead) return;
      dead = true;
      t.store.connection.pragma('query_only = ON');
      throw new Error('the process ended');
    },
  });
  const id = world.tool(payment);
  const asked = await asker(t, id, agentRun(t))({ to: 'bob' });
  t.line.approvals.decide(asked.approvalId ?? '', 'approve', { by: 'me' });
  await settle();
  t.store.connection.pragma('query_only = OFF');
  const next = t.restart();
  next.recoverAtStart();
  expect(valueOf(next.get(asked.invocationId))).toMatchObject({ code: 'outcome_unknown' });
  expect(world.calls).toHaveLength(0);
  const again = valueOf(await next.tryCall({ capabilityId: id, principal: BUILT_IN_AGENT, run: { id: next.beginRun({ kind: 'agent', title: 'anew', principal: BUILT_IN_AGENT }).id }, input: { to: 'bob' } }));
  const approval = valueOf(next.approvals.get(again.approvalId ?? ''));
  expect(approval.notices.map((n) => n.code)).toEqual(expect.arrayContaining(['repeat', 'repeat_of_unknown']));
});
