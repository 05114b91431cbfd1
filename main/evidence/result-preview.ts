import type { CallResult } from '../../shared/call.ts';

/** UTF-16 units kept of `text` so that no pair is cut. */
const cut = (text: string, length: number): string => {
  const at = Math.max(0, length);
  const code = text.charCodeAt(at - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? at - 1 : at);
};

/** The first `length` characters and the words "shortened, N of M characters". */
export const shorten = (text: string, length: number): string => (text.length <= length ? text : `${cut(text, length)}\n[shortened, ${length} of ${text.length} characters]`);

const BINARY_KEYS = new Set(['data', 'blob']);
/** base64 characters of pictures and the like that may come along with a preview */
const BINARY_BUDGET = 4_194_304;

/**
 * A result that fits `budgetBytes`: texts are shortened and say so, base64 data and a structured part that does not fit are replaced by a note of
 * their size. The same object when it fits.
 */
export const previewOf = (result: CallResult, budgetBytes: number): CallResult => {
  if (result.sizeBytes <= budgetBytes) return result;
  let left = Math.floor(budgetBytes / 2);
  let binaryLeft = BINARY_BUDGET;
  const binary = (value: string): string => {
    if (value.length > binaryLeft) return `[${value.length} characters of base64, not shown here]`;
    binaryLeft -= value.length;
    return value;
  };
  const text = (value: string): string => {
    const kept = shorten(value, Math.max(200, Math.min(value.length, left)));
    left -= Math.min(value.length, left);
    return kept;
  };
  const block = (value: unknown, key: string, depth: number): unknown => {
    if (typeof value === 'string') return BINARY_KEYS.has(key) && value.length > 1024 ? binary(value) : text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > 8) return '[not shown here]';
    if (Array.isArray(value)) {
      const kept = value.slice(0, 50).map((item) => block(item, key, depth + 1));
      return value.length > 50 ? [...kept, `[shortened, 50 of ${value.length} items]`] : kept;
    }
    return Object.fromEntries(Object.entries(value).slice(0, 50).map(([k, v]) => [k, block(v, k, depth + 1)]));
  };
  const content = result.content.slice(0, 50).map((item) => block(item, '', 0) as Record<string, unknown>);
  return {
    ...result,
    content: result.content.length > 50 ? [...content, { type: 'text', text: `[shortened, 50 of ${result.content.length} blocks]` }] : content,
    ...(result.structuredContent === undefined ? {} : { structuredContent: block(result.structuredContent, '', 0) }),
    extra: block(result.extra, '', 0) as Record<string, unknown>,
  };
};
