import type { Block } from './result-shape.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

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

const onlyText = (content: readonly Block[]): string | null => (content.length === 1 && content[0]?.['type'] === 'text' ? String(content[0]['text']).trim() : null);

const SMALL = 4096;

const parsed = (text: string): unknown => {
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
  const value = text === null ? undefined : parsed(text);
  return value !== undefined && isEmptyTable(value);
};

const ERROR_WORDS =
  /^(?:\W{0,4})(?:(?:[A-Z][A-Za-z]*(?:Error|Exception)|error|fatal error|exception|failed|failure|fatal|panic|access denied|permission denied|unauthorized|forbidden)\b(?: \d{3})?\s*(?:[:\-–—!(]|$)|(?:an |internal server |unexpected )error (?:occurred|has occurred)|traceback \(most recent call last\)|HTTP (?:error )?[45]\d\d\b|错误[:：]|失败[:：])/i;

/** Members that an answer which only reports a failure is made of. */
const ERROR_MEMBERS = new Set(['error', 'errors', 'message', 'code', 'status', 'statuscode', 'success', 'ok', 'detail', 'details', 'type', 'reason', 'requestid', 'request_id', 'timestamp', 'path']);

const readsAsErrorObject = (value: unknown): boolean => {
  if (!isObject(value)) return false;
  const keys = Object.keys(value);
  if (keys.length === 0 || keys.some((key) => !ERROR_MEMBERS.has(key.toLowerCase()))) return false;
  const error = value['error'] ?? value['errors'];
  const said = typeof error === 'string' ? error.trim() !== '' : Array.isArray(error) ? error.length > 0 : error === true || isObject(error);
  return said || value['success'] === false || value['ok'] === false || value['status'] === 'error' || value['status'] === 'failed';
};

/** isError is false but the content reads as a failure. Conservative: the whole result has to be one short failure report. */
export const readsAsError = (content: readonly Block[], structured: { readonly value: unknown } | null): boolean => {
  if (structured && !readsAsErrorObject(structured.value)) return false;
  if (structured) return true;
  const text = onlyText(content);
  if (text === null || text === '' || text.length > SMALL) return false;
  const value = parsed(text);
  if (value !== undefined) return readsAsErrorObject(value);
  return text.length <= 2048 && ERROR_WORDS.test(text);
};
