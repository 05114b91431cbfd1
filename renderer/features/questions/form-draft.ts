import { fitsFormat } from '../../../shared/form-formats.ts';
import type { QuestionField } from '../../../shared/question.ts';

/** What a person wrote into a field: text as it is typed, a choice, several, yes or no; null: nothing chosen. */
export type Entry = string | boolean | readonly string[] | null;
export type Draft = Readonly<Record<string, Entry>>;

/** Why a field cannot be sent as it stands; `limit`: the number that its words name. */
export type FieldFault =
  | { readonly why: 'required' | 'not_number' | 'not_integer' | 'too_precise' | 'email' | 'uri' | 'date' | 'date_time' | 'choose' }
  | { readonly why: 'too_short' | 'too_long' | 'too_small' | 'too_large' | 'too_few' | 'too_many'; readonly limit: number };

export interface FormAnswer {
  /** what is sent, by field name; a field that was left empty is left out */
  readonly content: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly faults: ReadonlyMap<string, FieldFault>;
}

/** Members by name, whatever the name is: `__proto__` is an ordinary one. */
const put = <T>(into: Record<string, T>, name: string, value: T): void => void Object.defineProperty(into, name, { value, enumerable: true, writable: true, configurable: true });

export const entryOf = (draft: Draft, name: string): Entry => (Object.hasOwn(draft, name) ? draft[name]! : null);

export const withEntry = (draft: Draft, name: string, entry: Entry): Draft => {
  const next: Record<string, Entry> = {};
  for (const [key, value] of Object.entries(draft)) put(next, key, value);
  put(next, name, entry);
  return next;
};

/** What the server suggests, as a person would have entered it; null where it suggests nothing. */
export const suggestion = (field: QuestionField): Entry => {
  if (field.default === undefined) return null;
  return typeof field.default === 'number' ? String(field.default) : field.default;
};

/** The form as it opens: every suggestion of the server filled in. */
export const firstDraft = (fields: readonly QuestionField[]): Draft => {
  const draft: Record<string, Entry> = {};
  for (const field of fields) put(draft, field.name, suggestion(field));
  return draft;
};

/** The field still has what the server suggested. */
export const isSuggested = (field: QuestionField, entry: Entry): boolean => field.default !== undefined && JSON.stringify(suggestion(field)) === JSON.stringify(entry);

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const FORMAT_FAULT = { email: 'email', uri: 'uri', date: 'date', 'date-time': 'date_time' } as const;

type Judged = { readonly value: string | number | boolean | readonly string[] } | { readonly fault: FieldFault } | null;

const judgeText = (field: Extract<QuestionField, { type: 'string' }>, text: string): Judged => {
  // JSON Schema counts characters, not UTF-16 units
  const length = [...text].length;
  if (field.minLength !== undefined && length < field.minLength) return { fault: { why: 'too_short', limit: field.minLength } };
  if (field.maxLength !== undefined && length > field.maxLength) return { fault: { why: 'too_long', limit: field.maxLength } };
  if (field.format !== undefined && !fitsFormat(field.format, text)) return { fault: { why: FORMAT_FAULT[field.format] } };
  return { value: text };
};

const judgeNumber = (field: Extract<QuestionField, { type: 'number' | 'integer' }>, text: string): Judged => {
  const value = Number(text.trim());
  if (!NUMBER.test(text.trim()) || !Number.isFinite(value)) return { fault: { why: 'not_number' } };
  if (field.type === 'integer' && !Number.isInteger(value)) return { fault: { why: 'not_integer' } };
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return { fault: { why: 'too_precise' } };
  if (field.minimum !== undefined && value < field.minimum) return { fault: { why: 'too_small', limit: field.minimum } };
  if (field.maximum !== undefined && value > field.maximum) return { fault: { why: 'too_large', limit: field.maximum } };
  return { value };
};

const judgeSome = (field: Extract<QuestionField, { type: 'choices' }>, chosen: readonly string[]): Judged => {
  const known = field.choices.map(({ value }) => value).filter((value) => chosen.includes(value));
  if (known.length === 0 && !field.required) return null;
  if (known.length === 0) return { fault: { why: 'required' } };
  if (field.minItems !== undefined && known.length < field.minItems) return { fault: { why: 'too_few', limit: field.minItems } };
  if (field.maxItems !== undefined && known.length > field.maxItems) return { fault: { why: 'too_many', limit: field.maxItems } };
  return { value: known };
};

const judge = (field: QuestionField, entry: Entry): Judged => {
  if (field.type === 'choices') return judgeSome(field, Array.isArray(entry) ? (entry as readonly string[]) : []);
  if (entry === null || entry === '') return field.required ? { fault: { why: 'required' } } : null;
  if (field.type === 'boolean') return typeof entry === 'boolean' ? { value: entry } : null;
  if (typeof entry !== 'string') return null;
  if (field.type === 'string') return judgeText(field, entry);
  if (field.type === 'choice') return field.choices.some(({ value }) => value === entry) ? { value: entry } : { fault: { why: 'choose' } };
  return judgeNumber(field, entry);
};

/** What the form says as it stands. The host judges it again by the server's own schema. */
export const answerOf = (fields: readonly QuestionField[], draft: Draft): FormAnswer => {
  const content: Record<string, string | number | boolean | readonly string[]> = {};
  const faults = new Map<string, FieldFault>();
  for (const field of fields) {
    const judged = judge(field, entryOf(draft, field.name));
    if (judged === null) continue;
    if ('fault' in judged) faults.set(field.name, judged.fault);
    else put(content, field.name, judged.value);
  }
  return { content, faults };
};

/** The same for the host, which fills in the suggestion of a field that is left out: one that the person emptied is given as null, and is sent to the server as left out. */
export const givenContent = (fields: readonly QuestionField[], content: FormAnswer['content']): Readonly<Record<string, unknown>> => {
  const given: Record<string, unknown> = {};
  for (const { name, default: suggested } of fields) {
    if (Object.hasOwn(content, name)) put(given, name, content[name]);
    else if (suggested !== undefined) put(given, name, null);
  }
  return given;
};
