import type { LanguageModelV3StreamPart, LanguageModelV3Usage } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { readStream } from './read-stream.ts';

const usage: LanguageModelV3Usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
const call = (toolCallId: string, input: string, itemId?: string): LanguageModelV3StreamPart => ({ type: 'tool-call', toolCallId, toolName: 'srv__send', input, ...(itemId === undefined ? {} : { providerMetadata: { openai: { itemId } } }) });
const callsOf = async (...parts: readonly LanguageModelV3StreamPart[]): Promise<string[]> => {
  const stream = new ReadableStream<LanguageModelV3StreamPart>({
    start: (controller) => {
      for (const part of [...parts, { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'x' }, usage } as const]) controller.enqueue(part);
      controller.close();
    },
  });
  const { content } = await readStream(stream, () => undefined, 'openai-responses');
  return content.flatMap((part) => (part.type === 'tool-call' ? [`${part.toolCallId} ${part.input}`] : []));
};

test('AC06 an item of a reply that is told twice, word for word, is one call; calls that share an id or their arguments alone are two', async () => {
  expect(await callsOf(call('c1', '{"v":1}', 'f1'), call('c1', '{"v":1}', 'f1'))).toEqual(['c1 {"v":1}']);
  expect(await callsOf(call('c1', '{"v":1}', 'f1'), call('c1', '{"v":2}', 'f1'))).toEqual(['c1 {"v":1}', 'c1 {"v":2}']);
  expect(await callsOf(call('c1', '{"v":1}', 'f1'), call('c2', '{"v":1}', 'f2'))).toEqual(['c1 {"v":1}', 'c2 {"v":1}']);
  expect(await callsOf(call('', '{"v":1}'), call('', '{"v":1}'))).toEqual([' {"v":1}', ' {"v":1}']);
});
