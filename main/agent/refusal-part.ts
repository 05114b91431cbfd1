import { isObject } from '../../shared/is-object.ts';
import type { Protocol } from '../capabilities/routes/route-of.ts';
import { parsed } from './mended-lines.ts';

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);
const within = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);
const isRefusal = (part: unknown): boolean => within(part, 'type') === 'refusal';
const hasRefusal = (item: unknown): boolean => listOf(within(item, 'content')).some(isRefusal);

const REFUSES: Readonly<Record<Protocol, { readonly word: RegExp; readonly inEvent: (event: unknown) => boolean } | null>> = {
  'openai-chat': {
    word: /"refusal"/,
    inEvent: (event) => listOf(within(event, 'choices')).some((choice) => [within(choice, 'delta'), within(choice, 'message')].some((said) => typeof within(said, 'refusal') === 'string' && within(said, 'refusal') !== '')),
  },
  'openai-responses': {
    word: /refusal/,
    inEvent: (event) => /^response\.refusal\.(?:delta|done)$/.test(String(within(event, 'type'))) || isRefusal(within(event, 'part')) || hasRefusal(within(event, 'item')) || [event, within(event, 'response')].some((whole) => listOf(within(whole, 'output')).some(hasRefusal)),
  },
  'anthropic-messages': null,
};

/** Whether any event of the reply, whole or streamed, is such a one; only those that have the word are read. */
const someEvent = (replyText: string, word: RegExp, isSuch: (event: unknown) => boolean): boolean => {
  if (!word.test(replyText)) return false;
  if (replyText.trimStart().startsWith('{')) return isSuch(parsed(replyText));
  return replyText.split(/\r\n|\r|\n/).some((line) => line.startsWith('data:') && word.test(line) && isSuch(parsed(line.slice(5))));
};

/**
 * Whether the model refuses in a part of its own, whole or streamed: libraries pass its words on as any others. Only where such a part stands is it one: a reply of OpenAI
 * Responses also carries the definitions of tools that it was asked with, and their servers' words.
 */
export const refuses = (protocol: Protocol, replyText: string): boolean => {
  const of = REFUSES[protocol];
  return of !== null && someEvent(replyText, of.word, of.inEvent);
};

const isCutCall = (item: unknown): boolean => within(item, 'type') === 'function_call' && within(item, 'status') === 'incomplete';

/** Whether a call of the reply says of itself that it is not whole, though the reply says that it is: OpenAI Responses has a status for each item. */
export const hasCutCall = (protocol: Protocol, replyText: string): boolean =>
  protocol === 'openai-responses' &&
  someEvent(replyText, /"incomplete"/, (event) => isCutCall(within(event, 'item')) || [event, within(event, 'response')].some((whole) => listOf(within(whole, 'output')).some(isCutCall)));
