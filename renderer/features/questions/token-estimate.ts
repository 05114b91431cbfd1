import type { SamplingRequest } from '../../../shared/question.ts';

const WIDE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]/g;

/** Roughly as tokenizers count: a character of Chinese, Japanese or Korean is about one token, four others are about one. */
const tokensOf = (text: string): number => {
  const wide = text.match(WIDE)?.length ?? 0;
  return wide + Math.ceil((text.length - wide) / 4);
};

/** What a request comes to before the model writes a word, in tokens, as an estimate; pictures and sounds are not counted. */
export const inputTokens = ({ messages, systemPrompt, tools }: Pick<SamplingRequest, 'messages' | 'systemPrompt' | 'tools'>): number => {
  const blocks = messages.flatMap(({ content }) => content);
  const text = (block: Readonly<Record<string, unknown>>): string => (typeof block['text'] === 'string' ? block['text'] : block['type'] === 'image' || block['type'] === 'audio' ? '' : JSON.stringify(block));
  return tokensOf([systemPrompt ?? '', ...blocks.map(text), ...(tools ?? []).map((tool) => JSON.stringify(tool))].join('\n'));
};
