import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOST_RESULT } from '../../shared/host-result.ts';
import { inputSchemas, valueFor } from '../capabilities/routes/random-schemas.fixture.ts';
import { acceptsHostField } from '../capabilities/host-field.ts';
import { renderWithHostField } from '../capabilities/routes/rendering.ts';
import { verifyRun } from '../evidence/verify-run.ts';
import { inputHashOf } from './normalize.ts';
import { openTestLine } from './open-test-line.ts';

const open = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
const callWith = async (inputText: string, inputSchema: unknown = open, more: { readonly tier?: 'read_only' | 'high_write'; readonly undo?: ReturnType<typeof renderWithHostField>['undo'] } = {}) => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'tool', tier: more.tier ?? 'read_only', inputSchema });
  const outcome = await t.line.tryCall({ capabilityId: id, principal: 'user', inputText, undo: more.undo });
  if (!outcome.ok) throw new Error(outcome.error.message);
  const normalized = t.store.connection.prepare("SELECT data_json FROM events WHERE type = 'call.normalized'").pluck().get();
  return { t, id, outcome: outcome.value, sent: t.world.calls[0]?.frozenArguments, normalized: normalized === undefined ? null : (JSON.parse(String(normalized)) as Record<string, unknown>) };
};

test('HF04 the field is taken out before the original judges, and is neither in the input nor in its hash; the evidence keeps it', async () => {
  const { t, id, outcome, sent, normalized } = await callWith(`{"a":1,"${HOST_RESULT}":{"select":"/rows/0","byteBudget":500,"refresh":false}}`);
  expect(sent).toBe('{"a":1}');
  expect(normalized).toMatchObject({
    input: '{"a":1}', inputHash: inputHashOf(id, t.world.bound(id)!.fingerprint, '{"a":1}'),
    hostResult: { select: '/rows/0', byteBudget: 500, refresh: false }, repairs: [{ pointer: `/${HOST_RESULT}`, what: 'host_field_taken_out' }],
  });
  expect(await verifyRun(t.store, outcome.runId)).toMatchObject({ ok: true, value: { ok: true } });
});

test.each<[string, string, unknown]>([
  ['a member of the server’s own', `{"a":1,"${HOST_RESULT}":{"select":"/x"}}`, { ...open, properties: { ...open.properties, [HOST_RESULT]: { type: 'object' } } }],
  ['a member that the server’s pattern means', `{"a":1,"${HOST_RESULT}":"mine"}`, { ...open, patternProperties: { '^__': { type: 'string' } } }],
  ['one of any members of one kind', `{"a":1,"${HOST_RESULT}":7}`, { ...open, additionalProperties: { type: 'integer' } }],
])('HF03 %s is sent as it was given', async (_what, inputText, schema) => {
  const { sent, normalized } = await callWith(inputText, schema);
  expect(sent).toBe(JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(inputText) as object).sort(([a], [b]) => (a < b ? -1 : 1)))));
  expect(normalized).not.toHaveProperty('hostResult');
});

test('HF03 a renamed member of the server’s that a route shows under this name goes back to it', async () => {
  const own = `${HOST_RESULT}\u200b`;
  const schema = { type: 'object', properties: { [own]: { type: 'string' } } };
  const { undo } = renderWithHostField({ name: 'tool', inputSchema: schema }, 'openai-chat');
  const { sent } = await callWith(`{"${HOST_RESULT}":"x"}`, schema, { undo });
  expect(sent).toBe(JSON.stringify({ [own]: 'x' }));
});

test('HF03 where the server closes its members the original judges the field as it judges any other', async () => {
  const { outcome, sent } = await callWith(`{"a":1,"${HOST_RESULT}":{}}`, { ...open, additionalProperties: false });
  expect(outcome).toMatchObject({ code: 'invalid_input', class: 'not_sent' });
  expect(sent).toBeUndefined();
});

test.each<[string, string, string]>([
  ['5', '', 'holds an object'],
  ['[]', '', 'holds an object'],
  ['"words"', '', 'holds an object'],
  ['{"select":"rows"}', '/select', 'JSON Pointer'],
  ['{"select":"/a~2"}', '/select', 'JSON Pointer'],
  ['{"select":7}', '/select', 'JSON Pointer'],
  ['{"byteBudget":0}', '/byteBudget', 'above 0'],
  ['{"byteBudget":1.5}', '/byteBudget', 'above 0'],
  ['{"refresh":"yes"}', '/refresh', 'true or false'],
  ['{"approve":true}', '/approve', 'it knows select, refresh, byteBudget'],
])('HF05 %s is refused with its place, and nothing is sent', async (given, field, words) => {
  const { outcome, sent } = await callWith(`{"a":1,"${HOST_RESULT}":${given}}`);
  expect(outcome).toMatchObject({ code: 'invalid_input', fault: { field: `/${HOST_RESULT}${field}`, message: expect.stringContaining(words), remedy: expect.any(String) } });
  expect(sent).toBeUndefined();
});

test.each(['null', '{}', '{"select":null,"byteBudget":null,"refresh":null}'])('HF05 %s asks for nothing', async (given) => {
  const { sent, normalized } = await callWith(`{"a":1,"${HOST_RESULT}":${given}}`);
  expect(sent).toBe('{"a":1}');
  expect(normalized).not.toHaveProperty('hostResult');
});

test.each([['"{\\"select\\":\\"/a~1b\\"}"', { select: '/a~1b' }], ['{"select":""}', { select: '' }]])('HF05 %s is read as it is meant', async (given, hostResult) => {
  expect((await callWith(`{"a":1,"${HOST_RESULT}":${given}}`)).normalized).toMatchObject({ hostResult });
});

test('HF04 a person who is asked is told of it, and approves the input without it', async () => {
  const { t, outcome } = await callWith(`{"a":1,"${HOST_RESULT}":{"byteBudget":9}}`, open, { tier: 'high_write' });
  const approval = t.line.approvals.get(outcome.approvalId!);
  expect(approval).toMatchObject({ ok: true, value: { frozenInput: '{"a":1}', notices: expect.arrayContaining([expect.objectContaining({ code: 'repaired', detail: expect.stringContaining('the tool does not get it') })]) } });
});

test('HF04 the outcome of a call is the same with the field and without it, whatever schema and arguments', async () => {
  const t = openTestLine();
  let serial = 0;
  await fc.assert(
    fc.asyncProperty(inputSchemas, fc.array(fc.nat(1_000), { minLength: 40, maxLength: 40 }), async (inputSchema, numbers) => {
      fc.pre(acceptsHostField(inputSchema));
      let at = 0;
      const value = valueFor(inputSchema, () => numbers[at++ % numbers.length]! + at) as Record<string, unknown>;
      const id = t.world.tool({ name: `tool${serial++}`, tier: 'read_only', inputSchema });
      const call = async (input: unknown) => {
        const before = t.world.calls.length;
        const outcome = await t.line.tryCall({ capabilityId: id, principal: 'user', input });
        return outcome.ok ? { state: outcome.value.state, code: outcome.value.code, field: outcome.value.fault?.field, sent: t.world.calls.slice(before).map((one) => one.frozenArguments) } : outcome;
      };
      expect(await call({ ...value, [HOST_RESULT]: { byteBudget: 100 } })).toEqual(await call(value));
    }),
    { numRuns: 60 },
  );
});
