import type { SamplingRequest } from '../../../shared/question.ts';
import { tokensOf } from '../../../shared/token-weight.ts';

/** What a request comes to before the model writes a word, in tokens, as an estimate; pictures and sounds are not counted. */
export const inputTokens = ({ messages, systemPrompt, tools }: Pick<SamplingRequest, 'messages' | 'systemPrompt' | 'tools'>): number => {
  const blocks = messages.flatMap(({ content }) => content);
  const text = (block: Readonly<Record<string, unknown>>): string => (typeof block['text'] === 'string' ? block['text'] : block['type'] === 'image' || block['type'] === 'audio' ? '' : JSON.stringify(block));
  return tokensOf([systemPrompt ?? '', ...blocks.map(text), ...(tools ?? []).map((tool) => JSON.stringify(tool))].join('\n'));
};
