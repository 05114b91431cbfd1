import { expect, test } from 'vitest';
import { ok } from '../../shared/result.ts';
import { silentLog } from '../log.ts';
import { dispatchRequest } from './dispatch-request.ts';
import type { AllHandlers } from './handlers.ts';

const handlers = { 'health:ready': () => ok({ ready: true }), 'runs:get': () => { throw new Error('bug'); }, 'approvals:decide': () => ok({}) } as unknown as AllHandlers;
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
