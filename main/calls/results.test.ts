import { expect, test } from 'vitest';
import type { CallResult } from '../../shared/call.ts';
import { fault } from '../../shared/fault.ts';
import type { FaultCode } from '../../shared/fault-codes.ts';
import type { Tier } from '../../shared/tier.ts';
import type { WireOutcome } from '../servers/wire-outcome.ts';
import type { Outcome } from './call-outcome.ts';
import { World, openTestLine } from './open-test-line.ts';
import type { TestLine } from './open-test-line.ts';

const outcomeFor = async (wire: WireOutcome, options: { tier?: Tier; outputSchema?: unknown; principal?: string; prepare?: (t: TestLine) => void } = {}): Promise<Outcome & { t: TestLine }> => {
  const t = openTestLine();
  options.prepare?.(t);
  const tier = options.tier ?? 'read_only';
  const id = t.world.tool({ name: 'probe', tier, outputSchema: options.outputSchema });
  t.world.answer = () => wire;
  const before = await t.line.tryCall({ capabilityId: id, principal: options.principal ?? 'user' });
  if (!before.ok) throw new Error(before.error.message);
  if (before.value.state !== 'awaiting_approval') return { ...before.value, t };
  t.line.approvals.decide(before.value.approvalId ?? '', 'approve', { by: 'me' });
  while (t.line.runningCount() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const call = t.line.get(before.value.invocationId);
  if (!call.ok) throw new Error(call.error.message);
  const { state, code, class: resultClass, fault: f, result } = call.value;
  return { ...before.value, state, ...(code === null ? {} : { code }), ...(resultClass === null ? {} : { class: resultClass }), ...(f === null ? {} : { fault: f }), ...(result === null ? {} : { result }), t };
};
const raw = (value: unknown): Promise<Outcome & { t: TestLine }> => outcomeFor(World.result(value));
const text = (...texts: string[]): unknown => ({ content: texts.map((t) => ({ type: 'text', text: t })) });

test.each([
  [{ content: [] }, 'ok_empty'], [text(''), 'ok_empty'], [text('', ' '), 'ok_empty'], [text('[]'), 'ok_empty'], [text('{"columns":["a"],"rows":[]}'), 'ok_empty'],
  [{ content: [], structuredContent: [] }, 'ok_empty'], [{ content: [], structuredContent: { rows: [], total: 0, columns: ['a', 'b'] } }, 'ok_empty'],
  [text('null'), 'ok'], [text('{}'), 'ok'], [{ content: [], structuredContent: { rows: [{ a: 1 }] } }, 'ok'], [{ content: [], structuredContent: { rows: [], other: [1] } }, 'ok'],
  [{ content: [], structuredContent: {} }, 'ok'], [{ content: [], structuredContent: { tags: [] } }, 'ok'],
])('CL20 %j is %s', async (result, expected) => {
  expect(await raw(result)).toMatchObject({ state: 'completed', class: expected });
});

test.each([[{ content: null }, '/content'], [{}, '/content'], [{ content: null, structuredContent: null }, '/content'], ['text', ''], [null, ''], [[], ''], [5, ''], [{ content: 'x' }, '/content'], [{ content: {} }, '/content'], [{ content: [], isError: 'yes' }, '/isError'], [{ content: [], resultType: 'input_required' }, '/resultType']])(
  'CL20 %j is invalid_result at %j',
  async (result, field) => {
    expect(await raw(result)).toMatchObject({ state: 'failed', code: 'invalid_result', class: 'invalid_result', fault: { field } });
  },
);

test.each([[{ content: [], structuredContent: { status: 'ok', total: 36 } }], [{ structuredContent: { total: 36 } }], [{ structuredContent: 36 }], [{ content: null, structuredContent: ['x'] }]])('CL21 %j keeps its structured part', async (result) => {
  expect(await raw(result)).toMatchObject({ state: 'completed', class: 'ok', result: { structuredContent: result.structuredContent } });
});

test('CL22 isError is tool_error with the redacted words of the server', async () => {
  const words = 'Error: row not found\n    at Object.read (/home/alice/app/index.js:10:5)\n    at async main (node:internal/x:1:2)\nfile /home/alice/data/x.db and C:\\Users\\bob\\y.txt';
  const o = await outcomeFor(World.result({ content: [{ type: 'text', text: words }], isError: true }), { outputSchema: { type: 'object', required: ['x'] } });
  expect(o).toMatchObject({ state: 'failed', code: 'tool_error', class: 'tool_error', fault: { details: { category: 'not_found', retryable: false } }, result: { isError: true } });
  const all = JSON.stringify([o.fault, o.result]);
  expect(all).toContain('row not found');
  for (const gone of ['alice', 'bob', 'index.js:10', 'node:internal']) expect(all).not.toContain(gone);
  expect(o.t.world.calls).toHaveLength(1);
});

test('CL22 Python traces and long words are cut; an error without words is still one', async () => {
  const python = 'Traceback (most recent call last):\n  File "/srv/x.py", line 3, in f\n    do()\nValueError: bad thing\n' + 'z'.repeat(20_000);
  const o = await raw({ content: [{ type: 'text', text: python }], isError: true });
  const said = String(o.result?.content[0]?.['text']);
  expect(said).not.toContain('x.py');
  expect(said).toContain('ValueError: bad thing');
  expect(said).toContain('[shortened, 4000 of');
  for (const wordless of [{ content: [] }, {}, { content: null }]) expect(await raw({ ...wordless, isError: true })).toMatchObject({ code: 'tool_error' });
  expect(await raw({ content: [{ type: 'text', text: 'fine' }], isError: null })).toMatchObject({ class: 'ok' });
});

test('CL36 the words of an error are masked before they are cut, dropped or shortened', async () => {
  const secret = 'CANARYq7Zx9/home/alice/Kp3vLm8Rt2Wy5Bn1Dc6Fg4Hj0Sa';
  const token = `ghp_${'k9'.repeat(18)}`;
  const prepare = (t: TestLine): void => void (t.world.secrets = [{ ref: 'r', value: secret }]);
  for (const planted of [secret, token]) {
    for (const cap of [400, 500, 4_000, 65_536]) {
      for (const before of [6, 30]) {
        const words = `${'x '.repeat(cap).slice(0, cap - before)}${planted} end`;
        const answers: WireOutcome[] = [World.result({ content: [{ type: 'text', text: words }], isError: true }), World.result({ content: [], structuredContent: { why: words, stack: words }, isError: true }), { kind: 'rpc_error', rpcCode: -32603, message: words }];
        for (const answer of answers) {
          const o = await outcomeFor(answer, { prepare });
          expect(o.state).toBe('failed');
          const all = JSON.stringify([o.fault, o.result, o.t.store.read((db) => db.all('SELECT * FROM events')), o.t.store.read((db) => db.all('SELECT * FROM invocations'))]);
          expect(all, `${planted.slice(0, 4)} across ${cap}`).not.toMatch(/CANA|Kp3v|ghp_|k9k9/);
        }
      }
    }
  }
});

test('CL23 a structured part that does not fit, or is missing, is invalid_result with its place; text passes', async () => {
  const outputSchema = { type: 'object', properties: { temp: { type: 'number' } }, required: ['temp'] };
  const content = [{ type: 'text', text: 'temperature 21' }];
  const wrong = await outcomeFor(World.result({ content, structuredContent: { temp: '21' } }), { outputSchema });
  expect(wrong).toMatchObject({ state: 'failed', code: 'invalid_result', fault: { field: '/structuredContent/temp' }, result: { content } });
  const missing = await outcomeFor(World.result({ content }), { outputSchema });
  expect(missing).toMatchObject({ code: 'invalid_result', fault: { field: '/structuredContent' }, result: { content } });
  const call = missing.t.line.get(missing.invocationId);
  expect(call.ok && call.value.grounded).toBe(false);
  const right = await outcomeFor(World.result({ content, structuredContent: { temp: 21 } }), { outputSchema });
  expect(right).toMatchObject({ class: 'ok' });
});

test('CL24 odd blocks lose nothing but themselves', async () => {
  expect(await raw({ content: [{ type: 'text', text: '' }, { type: 'text' }, { type: 'text', text: 'null' }] })).toMatchObject({ code: 'invalid_result', fault: { field: '/content/1/text' }, result: { content: [{ text: '' }, { text: 'null' }] } });
  expect(await raw({ content: ['0x1000 entry0', ''] })).toMatchObject({ code: 'invalid_result', fault: { field: '/content/0' }, result: { content: [{ type: 'text', text: '0x1000 entry0' }] } });
  expect(await raw({ content: [null, 5, [], { text: 'x' }] })).toMatchObject({ code: 'invalid_result', fault: { field: '/content/0' } });
  expect(await raw({ content: [{ type: 'image', data: 5 }] })).toMatchObject({ code: 'invalid_result', fault: { field: '/content/0/data' } });
  expect(await raw({ toolResult: { content: [{ type: 'text', text: 'ok' }] } })).toMatchObject({ state: 'completed', class: 'ok', result: { content: [{ text: 'ok' }] } });
  expect(await raw({ content: [{ type: 'hologram', beam: 1 }] })).toMatchObject({ class: 'ok' });
});

test('CL25 a result over the context is stored whole and shortened in the answer; over the store it is too_large', async () => {
  const big = `[{"k":"${'v'.repeat(5_000_000)}"}]`;
  const o = await raw(text(big));
  expect(o).toMatchObject({ state: 'completed', class: 'stored' });
  expect(JSON.stringify(o).length).toBeLessThan(300_000);
  expect(JSON.stringify(o.result)).toMatch(/shortened, \d+ of 5000010 characters/);
  const whole = o.t.line.wholeResult(o.invocationId);
  expect(whole.ok && (whole.value.content[0]?.['text'] as string).length).toBe(big.length);
  const told = o.t.heard.filter((h) => h.name === 'invocation:changed');
  expect(JSON.stringify(told).length).toBeLessThan(500_000);
  expect(await raw(text('w'.repeat(17 * 1_048_576)))).toMatchObject({ state: 'failed', code: 'too_large', class: 'too_large', fault: { details: { limitBytes: 16 * 1_048_576 } } });
  expect(await raw({ content: [{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(18 * 1_048_576) }] })).toMatchObject({ state: 'completed', class: 'ok' });
  expect(await raw({ content: [{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(28 * 1_048_576) }] })).toMatchObject({ code: 'too_large' });
});

test('CL25 a table of 2,100 rows in 32 KiB is an ordinary result, for an agent too', async () => {
  const rows = Array.from({ length: 2_100 }, (_, i) => [i, i % 7]);
  expect(await outcomeFor(World.result({ content: [], structuredContent: { rows } }), { principal: 'agent:default' })).toMatchObject({ class: 'ok', result: { structuredContent: { rows } } });
  expect(await outcomeFor(World.text('w'.repeat(70_000)), { principal: 'agent:default' })).toMatchObject({ class: 'stored' });
});

test.each([
  [text('Error: connection refused'), 'suspect_success'], [text('{"error":"not found"}'), 'suspect_success'], [text('{"success":false,"message":"no"}'), 'suspect_success'], [text('Traceback (most recent call last):\n  x'), 'suspect_success'],
  [{ content: [], structuredContent: { error: { code: 5 } } }, 'suspect_success'], [text('Permission denied'), 'suspect_success'], [text('TypeError: x is undefined'), 'suspect_success'],
  [text('The error rate fell to 3 %'), 'ok'], [text('Echo: Error: x'), 'ok'], [text('Errors are explained in chapter 5'), 'ok'], [text('{"error":null,"rows":[1]}'), 'ok'], [text('{"errors":[],"data":[1]}'), 'ok'],
  [text('{"success":true,"message":"saved"}'), 'ok'], [text('Failed attempts were counted: 3 today'), 'ok'], [text('{"status":"ok"}'), 'ok'], [text('Error: one', 'and more'), 'ok'],
])('CL26 %j is %s', async (result, expected) => {
  const o = await raw(result);
  expect(o).toMatchObject({ state: 'completed', class: expected });
  const call = o.t.line.get(o.invocationId);
  expect(call.ok && call.value.grounded).toBe(expected === 'ok');
});

test.each([[-32601, false], [-32602, true], [-32603, true], [-32000, true], [7, true]])('CL27 the JSON-RPC error %d is protocol_error, mayHaveRun %s, and is not repeated', async (rpcCode, mayHaveRun) => {
  const o = await outcomeFor({ kind: 'rpc_error', rpcCode, message: 'no /home/alice/x' }, { tier: 'high_write' });
  expect(o).toMatchObject({ state: 'failed', code: 'protocol_error', class: 'protocol_error', fault: { details: { rpcCode, mayHaveRun } } });
  expect(JSON.stringify(o.fault)).not.toContain('alice');
  expect(o.t.world.calls).toHaveLength(1);
});

const lost = (code: FaultCode, mayHaveRun: boolean, sent = mayHaveRun): WireOutcome => ({ kind: 'failed', fault: fault(code, 'The server ended (exit code 9).'), sent, mayHaveRun });
test.each<[FaultCode, boolean, Tier, string, string, number]>([
  ['exited', true, 'high_write', 'outcome_unknown', 'outcome_unknown', 1],
  ['timeout', true, 'low_write', 'outcome_unknown', 'outcome_unknown', 1],
  ['connection_failed', true, 'unknown', 'outcome_unknown', 'outcome_unknown', 1],
  ['timeout', true, 'read_only', 'timeout', 'timeout', 3],
  ['exited', true, 'read_only', 'interrupted', 'interrupted', 3],
  ['not_connected', false, 'high_write', 'not_connected', 'unavailable', 2],
  ['connection_failed', false, 'read_only', 'connection_failed', 'unavailable', 3],
  ['disabled', false, 'read_only', 'disabled', 'not_sent', 1],
  ['auth_required', false, 'read_only', 'auth_required', 'unavailable', 1],
  ['frame_too_large', true, 'read_only', 'too_large', 'too_large', 1],
  ['protocol_error', true, 'high_write', 'protocol_error', 'protocol_error', 1],
])('CL28 %s, mayHaveRun %s, %s is %s, class %s, after %d tries', async (code, mayHaveRun, tier, expected, expectedClass, tries) => {
  const o = await outcomeFor(lost(code, mayHaveRun), { tier });
  expect(o).toMatchObject({ state: 'failed', code: expected, class: expectedClass, fault: { details: { mayHaveRun } } });
  expect(o.t.world.calls).toHaveLength(tries);
  if (expected === 'outcome_unknown') expect(o.fault?.message).toBe('The server ended (exit code 9). The call may have been carried out.');
});

test('CL30 _meta is left out, unknown members stay, surrogates are mended, notes are kept', async () => {
  const value = { content: [{ type: 'text', text: 'a\ud800b', _meta: { x: 1 } }], _meta: { secretive: 1 }, invoice: { no: 7 }, structuredContent: { big: 9007199254740991 } };
  const o = await outcomeFor({ kind: 'result', raw: value, sizeBytes: 200, notes: ['not valid UTF-8'] });
  expect(o.result).toMatchObject({ content: [{ type: 'text', text: 'a\ufffdb' }], extra: { invoice: { no: 7 } }, structuredContent: { big: 9007199254740991 }, notes: ['not valid UTF-8', 'The answer holds unpaired surrogates; they are shown as replacement marks.'] } satisfies Partial<CallResult>);
  expect(JSON.stringify(o.result)).not.toContain('_meta');
});

test('CL31 a result nested 100,000 levels deep is invalid_result and the line goes on', async () => {
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const o = await outcomeFor({ kind: 'result', raw: { content: [], structuredContent: deep }, sizeBytes: 200_000 });
  expect(o).toMatchObject({ state: 'failed', code: 'invalid_result' });
  o.t.world.answer = () => World.text('next');
  expect(await o.t.line.tryCall({ capabilityId: 'mcp:srv:tool:probe', principal: 'user' })).toMatchObject({ ok: true, value: { class: 'ok' } });
});

test('A25 planted secrets of result, error, stack and stderr are in no row, event, message or answer', async () => {
  const secret = 'canary-88c1e0f7';
  const prepare = (t: TestLine): void => void (t.world.secrets = [{ ref: 'r', value: secret }]);
  const wires: WireOutcome[] = [
    World.result({ content: [{ type: 'text', text: `env: ${JSON.stringify({ KEY: secret })}` }], structuredContent: { [secret]: [secret] }, other: secret }),
    World.result({ content: [{ type: 'text', text: `failed with ${secret}\n    at f (/home/a/${secret}.js:1:1)` }], isError: true }),
    World.result({ content: [{ type: 'image', mimeType: 'image/png', data: Buffer.from(`xx${secret}`).toString('base64') }] }),
    { kind: 'rpc_error', rpcCode: -32603, message: `bad ${secret}`, data: { secret } },
    { kind: 'failed', fault: fault('exited', `ended: ${secret}`, { details: { stderr: [`url https://x/?k=${secret}`] } }), sent: true, mayHaveRun: true },
  ];
  for (const wire of wires) {
    const { t, ...o } = await outcomeFor(wire, { prepare });
    const rows = ['runs', 'events', 'invocations', 'approvals'].map((table) => t.store.connection.prepare(`SELECT * FROM ${table}`).all());
    const everything = JSON.stringify([o, t.heard, rows]);
    expect(everything).not.toContain('canary-88');
    expect(everything).not.toContain(Buffer.from(`xx${secret}`).toString('base64').slice(4, 14));
  }
});

test('E05 what was masked in a result is counted with its place', async () => {
  const o = await raw(text('token ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'));
  expect(o.result?.masked).toEqual([{ place: '/content/0/text', kind: 'github_token', count: 1 }]);
  expect(o.result?.content[0]?.['text']).toBe('token [masked: github_token]');
});

test('CL34 unpaired surrogates in names of a result are mended before they are judged, and its pointer can be written', async () => {
  const value = { content: [], structuredContent: { '\ud800': 'x' } };
  const o = await outcomeFor(World.result(value), { outputSchema: { type: 'object', additionalProperties: { type: 'number' } } });
  expect(o).toMatchObject({ state: 'failed', code: 'invalid_result', fault: { field: '/structuredContent/\ufffd' }, result: { structuredContent: { '\ufffd': 'x' } } });
  expect(o.result?.notes).toEqual(['The answer holds unpaired surrogates; they are shown as replacement marks.']);
  const odd = await outcomeFor({ kind: 'rpc_error', rpcCode: Number.POSITIVE_INFINITY, message: 'x\ud800' });
  expect(odd).toMatchObject({ state: 'failed', code: 'protocol_error' });
});

test.each([['read_only', 'interrupted'], ['high_write', 'outcome_unknown']] as const)('CL34 an answer whose judging fails ends its %s call as %s and the line goes on', async (tier, code) => {
  const t = openTestLine(undefined, { sourceOf: () => { throw new Error('boom'); } });
  const id = t.world.tool({ name: 'probe', tier });
  const waiting = t.line.tryCall({ capabilityId: id, principal: 'user', wait: true });
  for (const a of t.line.approvals.list('pending')) t.line.approvals.decide(a.id, 'approve', { by: 'me' });
  const outcome = await waiting;
  expect(outcome).toMatchObject({ ok: true, value: { state: 'failed', code } });
  expect(t.line.runningCount()).toBe(0);
  expect(outcome.ok && t.line.get(outcome.value.invocationId)).toMatchObject({ ok: true, value: { state: 'failed', code } });
});

test('CL35 a number that no double carries is invalid_result; one that may be rounded is named and not grounded', async () => {
  const big: unknown = JSON.parse('{"content":[],"structuredContent":{"a":1e400}}');
  expect(await raw(big)).toMatchObject({ state: 'failed', code: 'invalid_result', fault: { field: '/structuredContent/a' } });
  const rounded = await raw(JSON.parse('{"content":[],"structuredContent":{"a":9007199254740993}}'));
  expect(rounded).toMatchObject({ state: 'completed', class: 'ok', result: { notes: ['The number at /structuredContent/a is beyond 2^53; its last digits may have been rounded.'] } });
  expect(rounded.t.line.get(rounded.invocationId)).toMatchObject({ value: { grounded: false } });
});
