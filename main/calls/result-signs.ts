import { isObject } from '../../shared/is-object.ts';
import type { Block } from './result-shape.ts';

/** Members that hold the rows of a table, and those that only describe it. */
const ROWS = new Set(['rows', 'items', 'results', 'records', 'data', 'entries', 'matches', 'list', 'values', 'hits', 'result']);
const ABOUT = new Set(['columns', 'headers', 'fields', 'schema', 'metadata', 'meta', 'pagination', 'query', 'filters']);

/** A valid empty table or list: `[]`, or an object whose rows are an empty list and which holds no other list or object but a description. */
export const isEmptyTable = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length === 0;
  if (!isObject(value)) return false;
  let rows = false;
  for (const [key, member] of Object.entries(value)) {
    if (typeof member !== 'object' || member === null || ABOUT.has(key)) continue;
    if (!Array.isArray(member) || member.length > 0) return false;
    if (ROWS.has(key)) rows = true;
  }
  return rows;
};

/** The trimmed text of a result that is one text and nothing else; null else. */
export const onlyText = (content: readonly Block[]): string | null => (content.length === 1 && content[0]?.['type'] === 'text' ? String(content[0]['text']).trim() : null);

const SMALL = 4096;

/** A short text that is a JSON object or list, read; undefined else. */
export const smallJson = (text: string): unknown => {
  if (text.length > SMALL || !/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** No records: not an error and never "failed". */
export const isEmptyResult = (content: readonly Block[], structured: { readonly value: unknown } | null): boolean => {
  if (structured) return isEmptyTable(structured.value);
  if (content.every((block) => block['type'] === 'text' && String(block['text']).trim() === '')) return true;
  const text = onlyText(content);
  const value = text === null ? undefined : smallJson(text);
  return value !== undefined && isEmptyTable(value);
};
