import { InvalidResponseDataError, type LanguageModelV3FinishReason, type LanguageModelV3ReasoningPart, type LanguageModelV3StreamPart, type LanguageModelV3Usage, type SharedV3ProviderMetadata } from '@ai-sdk/provider';
import type { Protocol } from '../capabilities/routes/route-of.ts';
import { AnswerTooLarge } from '../network/answer-too-large.ts';
import type { ModelReply, ReplyPart } from './model-adapter.ts';

/** Words and arguments of one reply together; all that follows reads them whole, and so is slow by their length. */
export const MOST_CHARACTERS = 8 * 1024 * 1024;

/** Thoughts that a later request may carry: those that their provider sealed, for it keeps none of them. */
export const sealedReasoning = (text: string, metadata: SharedV3ProviderMetadata | undefined): readonly LanguageModelV3ReasoningPart[] => {
  const { openai } = metadata ?? {};
  return typeof openai?.['reasoningEncryptedContent'] === 'string' ? [{ type: 'reasoning', text: text.toWellFormed(), providerOptions: { openai } }] : [];
};

/** Each item of a reply once (OpenAI Responses names its items): one that is told twice, word for word, is one call. */
export const withoutRepeats = (parts: readonly ReplyPart[]): readonly ReplyPart[] => {
  const seen = new Set<string>();
  return parts.filter((part) => {
    const itemId = part.type === 'tool-call' ? part.providerMetadata?.['openai']?.['itemId'] : undefined;
    if (part.type !== 'tool-call' || typeof itemId !== 'string') return true;
    const item = JSON.stringify([itemId, part.toolCallId, part.toolName, part.input]);
    return !seen.has(item) && seen.add(item);
  });
};

/** OpenAI Responses tells of an ordinary end by an event alone, without a reason of its own. */
const saysItsEnd = ({ raw, unified }: LanguageModelV3FinishReason, protocol: Protocol): boolean => raw !== undefined || (protocol === 'openai-responses' && unified !== 'other');

/**
 * A streamed reply as a whole, each block of text told as it comes. A call is one only when it has come to its end, and a reply only when its provider said why it
 * ended: what breaks off in the middle rejects, and nothing of it is a call. Rejects with AnswerTooLarge beyond `MOST_CHARACTERS`.
 */
export const readStream = async (stream: ReadableStream<LanguageModelV3StreamPart>, hear: (text: string) => void, protocol: Protocol): Promise<Omit<ModelReply, 'exchange' | 'end'>> => {
  const thoughts = new Map<string, string>();
  const reasoning: LanguageModelV3ReasoningPart[] = [];
  const parts: (ReplyPart | { type: 'open'; id: string; text: string })[] = [];
  let finish: LanguageModelV3FinishReason | null = null;
  let usage: LanguageModelV3Usage | null = null;
  let length = 0;
  const weigh = (text: string): void => {
    length += text.length;
    if (length > MOST_CHARACTERS) throw new AnswerTooLarge(length);
  };
  for await (const part of stream) {
    if (part.type === 'text-start') parts.push({ type: 'open', id: part.id, text: '' });
    else if (part.type === 'text-delta') {
      const open = parts.findLast((one) => one.type === 'open' && one.id === part.id) as { text: string } | undefined;
      if (open === undefined) parts.push({ type: 'open', id: part.id, text: part.delta });
      else open.text += part.delta;
      weigh(part.delta);
      hear(part.delta);
    } else if (part.type === 'tool-call') {
      parts.push(part);
      weigh(part.input);
    } else if (part.type === 'reasoning-delta') {
      thoughts.set(part.id, (thoughts.get(part.id) ?? '') + part.delta);
      weigh(part.delta);
    } else if (part.type === 'reasoning-end') {
      for (const sealed of sealedReasoning(thoughts.get(part.id) ?? '', part.providerMetadata)) {
        weigh(String(sealed.providerOptions?.['openai']?.['reasoningEncryptedContent'] ?? ''));
        reasoning.push(sealed);
      }
    } else if (part.type === 'finish') ({ finishReason: finish, usage } = part);
    else if (part.type === 'error') throw part.error;
  }
  if (finish === null || usage === null || finish.unified === 'error' || !saysItsEnd(finish, protocol)) throw new InvalidResponseDataError({ data: null, message: 'The reply broke off before its end.' });
  return { content: withoutRepeats(parts.map((part): ReplyPart => (part.type === 'open' ? { type: 'text', text: part.text } : part))), reasoning, usage, finish };
};
