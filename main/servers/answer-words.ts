import { isDeeperThan } from './json-depth.ts';

/** Characters of a body that are read. What is kept is masked as it is; whoever tells it cuts it much shorter. */
const READ_CHARS = 65_536;
/** Members under which error bodies say what is wrong: JSON-RPC, OAuth (RFC 6749, 5.2), problem details (RFC 9457), and what frameworks write. */
const SAYING = ['message', 'error_description', 'detail', 'title', 'reason', 'error', 'errors', 'data'] as const;
const POST_FAILED = 'Error POSTing to endpoint';

/** The body that the SDK kept of an answer that is none: with its status, or in the sentence of its error. */
const bodyOf = (error: unknown): string | null => {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; depth += 1) {
    const { data, cause } = at as Error & { readonly data?: { readonly text?: unknown; readonly cause?: unknown } };
    if (typeof data?.text === 'string') return data.text;
    const colon = at.message.startsWith(POST_FAILED) ? at.message.indexOf(': ') : -1;
    if (colon >= 0) return at.message.slice(colon + 2);
    at = cause ?? data?.cause;
  }
  return null;
};

const said = (value: unknown, depth = 0): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (depth > 3 || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.slice(0, 10).flatMap((one) => said(one, depth + 1));
  return SAYING.flatMap((name) => (Object.hasOwn(value, name) ? said((value as Readonly<Record<string, unknown>>)[name], depth + 1) : []));
};

/** A cut that leaves no part of a word: a secret that stands across it goes whole. */
const cut = (text: string): string => {
  if (text.length <= READ_CHARS) return text;
  for (let at = READ_CHARS; at > 0; at -= 1) if (/\s/.test(text[at]!)) return text.slice(0, at);
  return '';
};

/** Pages of proxies and frameworks, as a reader sees them. */
const withoutTags = (page: string): string => page.replace(/<(script|style)\b[^>]{0,200}>[^<]{0,60000}<\/\1>/gi, ' ').replace(/<[^<>]{0,2000}>/g, ' ').replace(/&nbsp;/g, ' ').replace(/\s+/g, ' ');

/** Where no known member says it: every text that stands in it. */
const anyText = (value: unknown, depth = 0): readonly string[] => {
  if (typeof value === 'string') return [value];
  return depth > 3 || typeof value !== 'object' || value === null ? [] : Object.values(value).slice(0, 20).flatMap((one) => anyText(one, depth + 1));
};

const textOf = (value: object): string => {
  const known = said(value);
  return [...new Set(known.length > 0 ? known : anyText(value))].join('\n');
};

const parsed = (text: string): unknown => {
  if (isDeeperThan(Buffer.from(text))) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/**
 * What the body of an HTTP error says, in the server's own words: unmasked, untrusted, at most READ_CHARS characters. Of JSON the members that say what is wrong, of a page
 * its text. Null where nothing came or nothing in it is said.
 */
const answerWords = (error: unknown): string | null => {
  const body = bodyOf(error)?.trim() ?? '';
  if (body === '' || body === 'null') return null;
  const value = /^[[{]/.test(body) && body.length <= READ_CHARS * 16 ? parsed(body) : null;
  const words = typeof value === 'object' && value !== null ? textOf(value) : /^<(?:!doctype|html|head|body|\?xml)/i.test(body) ? withoutTags(cut(body)) : body;
  const kept = cut(words).trim().toWellFormed();
  return kept === '' ? null : kept;
};

/** The same for the details of a fault; the host's own sentence never holds it: a model is told that one as the host's. */
export const saidBy = (error: unknown): { readonly serverWords?: string } => {
  const words = answerWords(error);
  return words === null ? {} : { serverWords: words };
};
