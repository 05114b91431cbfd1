import type { CapabilityKind } from '../../shared/capability-id.ts';
import { isObject } from '../../shared/is-object.ts';
import { readBlocks, readShape, type Block, type ShapedResult } from './result-shape.ts';

const PROTOCOL_MEMBERS = new Set(['contents', 'messages', '_meta', 'resultType', 'ttlMs', 'cacheScope']);
const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant']);

const extraOf = (raw: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => Object.fromEntries(Object.entries(raw).filter(([key]) => !PROTOCOL_MEMBERS.has(key)));
const base = { structured: null, isError: false, notes: [] } as const;

/** Each of `contents` as the embedded resource that a tool would give (2025-11-25 and 2026-07-28, resources: ReadResourceResult), so that one code judges, stores, shows and tells both. */
const readContents = (raw: unknown): ShapedResult => {
  if (!isObject(raw)) return { ...base, content: [], extra: {}, problem: { pointer: '', message: 'the result is not an object' } };
  const extra = extraOf(raw);
  const given = raw['contents'];
  if (!Array.isArray(given)) return { ...base, content: [], extra, problem: { pointer: '/contents', message: 'the result has no list of contents' } };
  const content: Block[] = [];
  let problem: ShapedResult['problem'] = null;
  for (const [i, item] of given.entries()) {
    const at = (member: string, message: string): void => void (problem ??= { pointer: `/contents/${i}${member}`, message });
    if (!isObject(item)) at('', 'a content is not an object');
    else if (typeof item['uri'] !== 'string') at('/uri', 'a content has no uri');
    else if (typeof item['text'] !== 'string' && typeof item['blob'] !== 'string') at('', 'a content has neither text nor blob');
    else {
      const { _meta, ...resource } = item;
      content.push({ type: 'resource', resource });
    }
  }
  return { ...base, content, extra, problem };
};

/** The pieces of all messages in order, each with the role that the server gave its message (GetPromptResult). `message`: which of the messages, from 0. */
const readMessages = (raw: unknown): ShapedResult => {
  if (!isObject(raw)) return { ...base, content: [], extra: {}, problem: { pointer: '', message: 'the result is not an object' } };
  const extra = extraOf(raw);
  const given = raw['messages'];
  if (!Array.isArray(given)) return { ...base, content: [], extra, problem: { pointer: '/messages', message: 'the result has no list of messages' } };
  const content: Block[] = [];
  let problem: ShapedResult['problem'] = null;
  for (const [i, message] of given.entries()) {
    const at = (member: string, words: string): void => void (problem ??= { pointer: `/messages/${i}${member}`, message: words });
    if (!isObject(message)) at('', 'a message is not an object');
    else if (!ROLES.has(message['role'])) at('/role', 'a message has a role other than user and assistant');
    else {
      const pieces = message['content'];
      const read = readBlocks(Array.isArray(pieces) ? pieces : [pieces]);
      if (read.problem !== null) at('/content', read.problem.message);
      for (const block of read.content) content.push({ ...block, role: message['role'], message: i });
    }
  }
  return { ...base, content, extra, problem };
};

/** Reads what a server sent as the result of tools/call, resources/read or prompts/get; what could be read is kept beside what is broken. */
export const readShapeOf = (kind: CapabilityKind, raw: unknown): ShapedResult => (kind === 'tool' ? readShape(raw) : kind === 'resource' ? readContents(raw) : readMessages(raw));

const MOST_URIS_TOLD = 3;
const LONGEST_URI_TOLD = 300;

/** Whether a resource's answer is about another URI than was asked for, in words; null where one of its contents is what was asked. */
export const otherUris = (content: readonly Block[], asked: string): string | null => {
  const answered = content.map((block) => (isObject(block['resource']) ? String(block['resource']['uri']) : ''));
  if (answered.length === 0 || answered.includes(asked)) return null;
  const named = [...new Set(answered)].slice(0, MOST_URIS_TOLD).map((uri) => JSON.stringify(uri.slice(0, LONGEST_URI_TOLD)));
  return `The server was asked for ${JSON.stringify(asked.slice(0, LONGEST_URI_TOLD))} and answered with ${named.join(', ')}.`;
};
