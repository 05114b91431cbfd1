import { expect, test } from 'vitest';
import { fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import { silentLog } from '../log.ts';
import { createMasker } from '../secrets/mask.ts';
import { dispatchRequest } from './dispatch-request.ts';
import type { AllHandlers } from './handlers.ts';

const handlers = { 'health:ready': () => ok({ ready: true }), 'runs:get': () => { throw new Error('bug'); }, 'approvals:decide': () => ok({}), 'approvals:get': () => err(fault('not_found', 'There is no such approval.')) } as unknown as AllHandlers;
const send = dispatchRequest(handlers, silentLog);
const window = { kind: 'window', canDecide: true } as const;
const command = { kind: 'command', canDecide: false } as const;

test('H01 an unknown request is refused by name before any handler', async () => {
  for (const name of ['nope', '__proto__', 'constructor', 'toString']) {
    const answer = await send(name, {}, window);
    expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_request', field: 'request' } });
  }
});

test('H01 a misfit input names the field and the remedy', async () => {
  const answer = await send('runs:get', { runId: 7 }, window);
  expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_request', field: '/runId' } });
});

test('H02 deciding an approval is a scope of its own', async () => {
  const input = { approvalId: 'a', decision: 'approve' };
  expect(await send('approvals:decide', input, command)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  expect(await send('approvals:decide', input, window)).toMatchObject({ ok: true });
});

test('H03 a bug in a handler answers internal and does not throw', async () => {
  expect(await send('runs:get', { runId: 'x' }, window)).toMatchObject({ ok: false, error: { code: 'internal' } });
});

test('H01 text with half a character is refused with its place, whatever the request', async () => {
  expect(await send('runs:get', { runId: 'x\ud800' }, window)).toMatchObject({ ok: false, error: { code: 'invalid_request', field: '/runId' } });
  expect(await send('approvals:decide', { approvalId: 'a', decision: 'deny', reason: '\udfff' }, window)).toMatchObject({ ok: false, error: { code: 'invalid_request', field: '/reason' } });
});

test('H01 a name that would be dropped without a word is refused with its place; the input of a call is the line\'s', async () => {
  const input = (text: string): unknown => JSON.parse(text);
  expect(await send('servers:add', input('{"spec":{"kind":"command","command":"x"},"env":{"__proto__":"a"}}'), window)).toMatchObject({ ok: false, error: { code: 'invalid_request', field: '/env/__proto__', remedy: expect.any(String) } });
  expect(await send('health:ready', input('{"__proto__":{}}'), window)).toMatchObject({ ok: false, error: { code: 'invalid_request', field: '/__proto__' } });
});

test('H14 a refusal names the field and a remedy, also where its place gave none', async () => {
  expect(await send('approvals:get', { approvalId: 'nope' }, window)).toMatchObject({ ok: false, error: { code: 'not_found', field: '/approvalId', remedy: expect.any(String) } });
});

test('H01 a field that nobody knows is refused by name', async () => {
  expect(await send('runs:get', { runId: 'x', rnuId: 'y' }, window)).toMatchObject({ ok: false, error: { code: 'invalid_request', field: '/rnuId', message: expect.stringContaining('rnuId') } });
});

test('H01 a misspelt narrowing, limit, price or condition is refused by name and never taken for none', async () => {
  const prices = { input: 1, output: 1, currency: 'EUR', cached: 0 };
  const model = { provider: 'custom', baseUrl: 'http://127.0.0.1:1/v1', model: 'm' };
  for (const [name, input, field] of [
    ['agent:run', { prompt: 'x', scope: { server: ['a'] } }, '/scope/server'],
    ['agent:run', { prompt: 'x', limits: { mony: 1 } }, '/limits/mony'],
    ['profiles:set', { name: 'x', scope: { maxTier: 'read_only' } }, '/scope/maxTier'],
    ['profiles:set', { name: 'x', limits: { step: 1 } }, '/limits/step'],
    ['models:set', { ...model, prices }, '/prices/cached'],
    ['models:set', { ...model, limits: { context: 1 } }, '/limits/context'],
    ['models:test', { draft: { ...model, apiKey: 'k' } }, '/draft/apiKey'],
    ['embeddings:test', { draft: { ...model, apiKey: 'k' } }, '/draft/apiKey'],
    ['rules:add', { effect: 'allow', conditions: [{ pointer: '/a', op: 'present', not: true }] }, '/conditions/0/not'],
    ['capabilities:review', { capabilityId: 'c', tier: 'read_only', admit: true, idempotency: { field: 'a', required: true, ttl: 1 } }, '/idempotency/ttl'],
  ] as const) expect(await send(name, input, window), name).toMatchObject({ ok: false, error: { code: 'invalid_request', field, remedy: expect.any(String) } });
});

test('K36 a known secret in words beside an action is masked before a handler has them; in a condition it is refused', async () => {
  const seen: Record<string, unknown>[] = [];
  const take = (input: Record<string, unknown>) => {
    seen.push(input);
    return ok({});
  };
  const secret = 'sk-1234567890abcdef';
  const asked = dispatchRequest({ 'approvals:decide': take, 'servers:quarantine': take, 'capabilities:review': take, 'rules:add': take, 'calls:try': take } as unknown as AllHandlers, silentLog, createMasker(() => [{ ref: 'a', value: secret }]));
  await asked('approvals:decide', { approvalId: 'a', decision: 'deny', reason: `it has ${secret} in it` }, window);
  await asked('servers:quarantine', { serverId: 's', reason: `leaked ${encodeURIComponent(secret)}` }, window);
  await asked('capabilities:review', { capabilityId: 'mcp:s:tool:t', tier: 'read_only', admit: true, purpose: secret }, window);
  await asked('rules:add', { effect: 'deny', note: secret, conditions: [{ pointer: '/a', op: 'equals', value: 'b' }] }, window);
  expect(seen.map(({ reason, purpose, note }) => reason ?? purpose ?? note)).toEqual(['it has [secret] in it', 'leaked [secret]', '[secret]', '[secret]']);
  const refused = await asked('rules:add', { effect: 'deny', conditions: [{ pointer: '/a', op: 'equals', value: `x${secret}` }] }, window);
  expect(refused).toMatchObject({ ok: false, error: { code: 'secret_in_input', field: '/conditions/0', remedy: expect.any(String) } });
  expect(JSON.stringify(refused)).not.toContain(secret);
  // a call's own input is judged by the line, which refuses it by name
  await asked('calls:try', { capabilityId: 'mcp:s:tool:t', input: { reason: secret } }, window);
  expect(seen.at(-1)).toMatchObject({ input: { reason: secret } });
  expect(seen).toHaveLength(5);
});

test('H14 a refusal repeats no more of its input than can be read', async () => {
  const refuse = dispatchRequest({ 'market:get': ({ entryId }: { entryId: string }) => err(fault('not_found', `the market has no entry ${entryId}`)) } as unknown as AllHandlers, silentLog);
  const short = await refuse('market:get', { entryId: 'x' }, window);
  expect(short).toMatchObject({ ok: false, error: { message: 'the market has no entry x' } });
  const long = await refuse('market:get', { entryId: `${'x'.repeat(3_975)}${'\u{1f600}'.repeat(40_000)}` }, window);
  expect(long).toMatchObject({ ok: false, error: { code: 'not_found', message: expect.stringMatching(/^the market has no entry x+.*…$/su) } });
  expect(JSON.stringify(long).length).toBeLessThan(5_000);
  expect((long as { error: { message: string } }).error.message.isWellFormed()).toBe(true);
});
