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

/**
 * Whether the model refuses in a part of its own, whole or streamed: libraries pass its words on as any others. Only where such a part stands is it one: a reply of OpenAI
 * Responses also carries the definitions of tools that it was asked with, and their servers' words.
 */
export const refuses = (protocol: Protocol, replyText: string): boolean => {
  const of = REFUSES[protocol];
  if (of === null || !of.word.test(replyText)) return false;
  if (replyText.trimStart().startsWith('{')) return of.inEvent(parsed(replyText));
  return replyText.split(/\r\n|\r|\n/).some((line) => line.startsWith('data:') && of.word.test(line) && of.inEvent(parsed(line.slice(5))));
};
