import type { CallResult } from '../../shared/call.ts';
import { distinctNames } from './distinct-names.ts';

/** A result above this many bytes crosses to a window as a preview only (F12, C080). */
export const WINDOW_BUDGET_BYTES = 262_144;

/** UTF-16 units kept of `text` so that no pair is cut. */
const cut = (text: string, length: number): string => {
  const at = Math.max(0, length);
  const code = text.charCodeAt(at - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? at - 1 : at);
};

/** The first `length` characters and the words "shortened, N of M characters". */
export const shorten = (text: string, length: number): string => (text.length <= length ? text : `${cut(text, length)}\n[shortened, ${length} of ${text.length} characters]`);

const BINARY_KEYS = new Set(['data', 'blob']);
/** Values of a preview, and characters of a name in it: what crosses to a window is small however the result is made. */
const MOST_VALUES = 4_000;
const LONGEST_NAME = 200;
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
  let valuesLeft = MOST_VALUES;
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
    valuesLeft -= 1;
    if (valuesLeft < 0) return '[not shown here]';
    if (typeof value === 'string') return BINARY_KEYS.has(key) && value.length > 1024 ? binary(value) : text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > 8) return '[not shown here]';
    if (Array.isArray(value)) {
      const kept = value.slice(0, 50).map((item) => block(item, key, depth + 1));
      return value.length > 50 ? [...kept, `[shortened, 50 of ${value.length} items]`] : kept;
    }
    const names = Object.keys(value);
    const distinct = distinctNames();
    const kept = names.slice(0, 50).map((name) => [distinct(shorten(name, LONGEST_NAME)), block((value as Record<string, unknown>)[name], name, depth + 1)] as const);
    return Object.fromEntries(names.length > 50 ? [...kept, ['[shortened]', `50 of ${names.length} members`]] : kept);
  };
  const member = (value: unknown): Record<string, unknown> => {
    const kept = block(value, '', 0);
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : { type: 'text', text: String(kept) };
  };
  const content = result.content.slice(0, 50).map(member);
  return {
    ...result,
    content: result.content.length > 50 ? [...content, { type: 'text', text: `[shortened, 50 of ${result.content.length} blocks]` }] : content,
    ...(result.structuredContent === undefined ? {} : { structuredContent: block(result.structuredContent, '', 0) }),
    extra: Object.keys(result.extra).length === 0 ? {} : member(result.extra),
  };
};
