import { expect, test } from 'vitest';
import type { Outcome } from '../calls/call-outcome.ts';
import { LoopWatch } from './loop-watch.ts';

const failed = (code: string): Outcome => ({ state: 'failed', code }) as Outcome;
const last = (inputs: readonly string[], codes: readonly string[] = []): string | null => {
  const watch = new LoopWatch();
  return inputs.map((argumentsText, at) => watch.heard({ capabilityId: 'mcp:a:tool:t', argumentsText }, failed(codes[at] ?? 'tool_error'))).at(-1)?.code ?? null;
};

test('AC11 the same input is the same in whatever order and with whatever blanks the model writes its names', () => {
  expect(last(['{"a":1,"b":{"c":1,"d":2}}', '{ "b": {"d":2,"c":1}, "a": 1 }', '{"b":{"c":1,"d":2},"a":1}'])).toBe('repeated_failure');
  expect(last(['{oops', ' {oops', '{oops '])).toBe('repeated_failure');
});

test('AC11 another input, another order of a list, another failure, or numbers that differ beyond what a double holds are not the same', () => {
  expect(last(['{"a":1}', '{"a":1}', '{"a":2}'])).toBeNull();
  expect(last(['{"a":[1,2]}', '{"a":[2,1]}', '{"a":[1,2]}'])).toBeNull();
  expect(last(['{"a":1}', '{"a":1}', '{"a":1}'], ['tool_error', 'timeout', 'tool_error'])).toBeNull();
  expect(last(['{"id":12345678901234567891}', '{"id":12345678901234567892}', '{"id":12345678901234567893}'])).toBeNull();
});
