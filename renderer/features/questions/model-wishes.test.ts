import { expect, test } from 'vitest';
import { modelWishes } from './model-wishes.ts';
import { inputTokens } from './token-estimate.ts';

test('QU09 the wishes of a server are read as names and weights; what is neither is left out', () => {
  expect(modelWishes({ hints: [{ name: 'claude-sonnet' }, { name: '' }, { other: 1 }, null, 'x'], costPriority: 0.3, speedPriority: 7, intelligencePriority: 'high' })).toEqual({ names: ['claude-sonnet'], priorities: [{ of: 'cost', share: 0.3 }] });
  expect(modelWishes({ hints: 'all' })).toEqual({ names: [], priorities: [] });
  expect(modelWishes(undefined)).toEqual({ names: [], priorities: [] });
  expect(modelWishes({ hints: Array.from({ length: 50 }, (_, n) => ({ name: `m${n}` })) }).names).toHaveLength(10);
});

test('QU09 what a model would read is estimated over messages, instructions and tools, wide characters as one token each, pictures left out', () => {
  const of = (text: string) => inputTokens({ messages: [{ role: 'user', content: [{ type: 'text', text }] }] });
  expect(of('a'.repeat(400))).toBe(92);
  expect(of('字'.repeat(100))).toBe(86);
  const picture = { type: 'image', data: 'x'.repeat(100_000), mimeType: 'image/png' };
  expect(inputTokens({ messages: [{ role: 'user', content: [picture] }] })).toBeLessThan(5);
  expect(inputTokens({ messages: [], systemPrompt: 'b'.repeat(40), tools: [{ name: 'look', inputSchema: { type: 'object' } }] })).toBeGreaterThan(15);
});
