import { expect, test } from 'vitest';
import { fault } from '../../shared/fault.ts';
import { classOfRpcError, withoutAnswer } from './wire-failure.ts';

test('RP07: -32002 (up to 2025-11-25) and -32602 (2026-07-28) mean that there is no such resource; of a tool and a prompt they mean what they meant', () => {
  for (const code of [-32002, -32602]) expect(classOfRpcError(code, 'words of the server', false, 'resource')).toMatchObject({ class: 'protocol_error', fault: { code: 'resource_not_found', details: { rpcCode: code, serverWords: 'words of the server', retryable: false } } });
  for (const kind of ['tool', 'prompt'] as const) expect(classOfRpcError(-32602, 'x', false, kind).fault.code).toBe('protocol_error');
  expect(classOfRpcError(-32602, 'x', false, 'prompt').fault.message).toContain('does not know this prompt');
  expect(classOfRpcError(-32601, 'x', false, 'resource').fault.message).toContain('does not offer resources');
  expect(classOfRpcError(-32603, 'x', false, 'resource').fault).toMatchObject({ code: 'protocol_error', details: { retryable: true } });
});

test('CL27 a JSON-RPC error has a category, by its words and else by its code; what may be tried again says so', () => {
  const category = (rpcCode: number, words: string): unknown => classOfRpcError(rpcCode, words, true).fault.details?.['category'];
  expect([category(-32601, 'x'), category(-32602, 'x'), category(-32603, 'x'), category(-32000, 'bad')]).toEqual(['not_found', 'invalid_argument', 'other', 'other']);
  expect([category(-32602, 'Unknown tool: a'), category(-32000, 'rate limit reached')]).toEqual(['not_found', 'rate_limit']);
  expect(classOfRpcError(-32002, 'gone', false, 'resource').fault.details).toMatchObject({ category: 'not_found' });
  for (const code of ['timeout', 'interrupted'] as const) {
    expect(withoutAnswer(fault(code, 'x'), false).fault).toMatchObject({ remedy: 'It can be tried again.', details: { retryable: true } });
    expect(withoutAnswer(fault(code, 'x'), true).fault.details?.['retryable']).toBeUndefined();
  }
});
