import { InvalidResponseDataError, type LanguageModelV3FinishReason, type LanguageModelV3StreamPart, type LanguageModelV3Usage } from '@ai-sdk/provider';
import { AnswerTooLarge } from '../network/answer-too-large.ts';
import type { ModelReply, ReplyPart } from './model-adapter.ts';

/** Words and arguments of one reply together; all that follows reads them whole, and so is slow by their length. */
export const MOST_CHARACTERS = 8 * 1024 * 1024;

/**
 * A streamed reply as a whole, each block of text told as it comes. A call is one only when it has come to its end, and a reply only when its provider said why it
 * ended: what breaks off in the middle rejects, and nothing of it is a call. Rejects with AnswerTooLarge beyond `MOST_CHARACTERS`.
 */
export const readStream = async (stream: ReadableStream<LanguageModelV3StreamPart>, hear: (text: string) => void): Promise<Omit<ModelReply, 'exchange'>> => {
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
    }
    else if (part.type === 'finish') ({ finishReason: finish, usage } = part);
    else if (part.type === 'error') throw part.error;
  }
  if (finish === null || usage === null || finish.raw === undefined) throw new InvalidResponseDataError({ data: null, message: 'The reply broke off before its end.' });
  return { content: parts.map((part): ReplyPart => (part.type === 'open' ? { type: 'text', text: part.text } : part)), usage, finish };
};
