import { InvalidResponseDataError, type LanguageModelV3FinishReason, type LanguageModelV3StreamPart, type LanguageModelV3Usage } from '@ai-sdk/provider';
import type { ModelReply, ReplyPart } from './model-adapter.ts';

/**
 * A streamed reply as a whole, each block of text told as it comes. A call is one only when it has come to its end, and a reply only when its provider said why it
 * ended: what breaks off in the middle rejects, and nothing of it is a call.
 */
export const readStream = async (stream: ReadableStream<LanguageModelV3StreamPart>, hear: (text: string) => void): Promise<Omit<ModelReply, 'exchange'>> => {
  const parts: (ReplyPart | { type: 'open'; id: string; text: string })[] = [];
  let finish: LanguageModelV3FinishReason | null = null;
  let usage: LanguageModelV3Usage | null = null;
  for await (const part of stream) {
    if (part.type === 'text-start') parts.push({ type: 'open', id: part.id, text: '' });
    else if (part.type === 'text-delta') {
      const open = parts.findLast((one) => one.type === 'open' && one.id === part.id) as { text: string } | undefined;
      if (open === undefined) parts.push({ type: 'open', id: part.id, text: part.delta });
      else open.text += part.delta;
      hear(part.delta);
    } else if (part.type === 'tool-call') parts.push(part);
    else if (part.type === 'finish') ({ finishReason: finish, usage } = part);
    else if (part.type === 'error') throw part.error;
  }
  if (finish === null || usage === null || finish.raw === undefined) throw new InvalidResponseDataError({ data: null, message: 'The reply broke off before its end.' });
  return { content: parts.map((part): ReplyPart => (part.type === 'open' ? { type: 'text', text: part.text } : part)), usage, finish };
};
