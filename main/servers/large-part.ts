import type { Fault } from '../../shared/fault.ts';
import type { IncomingFrame } from './incoming-frame.ts';
import { capEntry } from './large-entries.ts';
import { LIST_FIELDS } from './deep-entries.ts';

type Message = Readonly<Record<string, unknown>>;

/**
 * What the host is told of one part of a large frame. A result stays where it was parsed (`answer`): the host gets the id and what routing needs.
 * Requests, notices and errors come as messages with what the host uses of them, bounded.
 */
export type LargePart =
  | { readonly kind: 'message'; readonly message: Message; readonly sizeBytes: number; readonly notes?: readonly string[] }
  | { readonly kind: 'answer'; readonly id: unknown; readonly resultType: unknown; readonly sizeBytes: number; readonly notes: readonly string[]; /** no larger than one definition may be */ readonly isSmall: boolean }
  | { readonly kind: 'unreadable'; readonly id: string | number | null; readonly fault: Fault; readonly sizeBytes: number; readonly asks?: true }
  | { readonly kind: 'junk'; readonly text: string };

/** Characters of one text that crosses, far more than is shown: known secrets are masked by the host before it cuts. */
const LONGEST_TEXT = 128 * 1024;
const LONGEST_ID = 200;
const MOST_MEMBERS = 64;

const isObject = (value: unknown): value is Message => typeof value === 'object' && value !== null && !Array.isArray(value);
const cut = (text: string): string => text.slice(0, LONGEST_TEXT).toWellFormed();
const scalar = (value: unknown): unknown => (typeof value === 'string' ? cut(value) : value);

/** Members that are no objects, and one level of `_meta`: progress and subscriptions need no more. */
const shallow = (value: unknown, depth = 0): Message => {
  if (!isObject(value)) return {};
  const kept: Record<string, unknown> = {};
  let left = MOST_MEMBERS;
  for (const key in value) {
    if (!Object.hasOwn(value, key) || key.length > LONGEST_ID || key === '__proto__' || --left < 0) continue;
    const member = value[key];
    if (typeof member !== 'object' || member === null) kept[key] = scalar(member);
    else if (key === '_meta' && depth === 0) kept[key] = shallow(member, 1);
  }
  return kept;
};

const paramsOf = (message: Message): Message => {
  const params = message['params'];
  if (message['method'] !== 'notifications/message' || !isObject(params)) return shallow(params);
  const data = params['data'];
  return { ...shallow(params), data: cut(typeof data === 'string' ? data : (JSON.stringify(data ?? null) ?? 'null')) };
};

const errorOf = (error: unknown): unknown => {
  if (!isObject(error)) return isObject(error) || Array.isArray(error) ? {} : scalar(error);
  return shallow(error);
};

const idOf = (id: unknown): unknown => (typeof id === 'string' ? id.slice(0, LONGEST_ID) : typeof id === 'object' && id !== null ? {} : id);

/** `result` is what stays: null where nothing does. `isSmall`: of the frame. */
export const reducePart = (part: IncomingFrame, isSmall = false): { readonly part: LargePart; readonly result: Message | null } => {
  if (part.kind !== 'message') return { part, result: null };
  const { message, sizeBytes } = part;
  const about = { sizeBytes, ...(part.notes === undefined ? {} : { notes: part.notes }) };
  const asMessage = (reduced: Message): { readonly part: LargePart; readonly result: null } => ({ part: { kind: 'message', message: { jsonrpc: '2.0', ...reduced }, ...about }, result: null });
  const id = 'id' in message ? { id: idOf(message['id']) } : {};
  if (typeof message['method'] === 'string') return asMessage({ ...id, method: message['method'].slice(0, LONGEST_ID), params: paramsOf(message) });
  const hasError = 'error' in message && message['error'] !== undefined;
  if (!('result' in message)) return asMessage({ ...id, ...(hasError ? { error: errorOf(message['error']) } : {}) });
  // both, or a result that is no object: the ledger says what is wrong with it, and needs no more
  if (hasError) return asMessage({ ...id, result: {}, error: {} });
  if (!isObject(message['result'])) return asMessage({ ...id, result: null });
  return { part: { kind: 'answer', id: id.id, resultType: scalar(message['result']['resultType']), sizeBytes, notes: part.notes ?? [], isSmall }, result: message['result'] };
};

/** Entries of the long list of a result, handed over in slices of about this many characters of JSON. */
const SLICE_CHARS = 128 * 1024;

/** True where its JSON is longer than one slice; a text may be. */
const isLong = (value: unknown): boolean => typeof value === 'object' && value !== null && JSON.stringify(value).length > SLICE_CHARS;

/** What stands beside a list: cursor, time to live, `_meta`. A member that is longer than a slice is none of these. */
const beside = (members: Message): Message => Object.fromEntries(Object.entries(members).filter(([key, value]) => key.length <= LONGEST_ID && !isLong(value)).slice(0, MOST_MEMBERS).map(([key, value]) => [key, scalar(value)]));

/** A result of a list method, cut: its list in slices, and what stands beside it. An entry that is too large is left out, by its reason. */
export const sliceResult = (result: Message): { readonly rest: Message; readonly field: string | null; readonly slices: readonly (readonly unknown[])[] } => {
  const field = LIST_FIELDS.find((one) => Array.isArray(result[one])) ?? null;
  if (field === null) return { rest: beside(result), field, slices: [] };
  const { [field]: list, ...members } = result;
  const rest = beside(members);
  const slices: unknown[][] = [];
  let chars = Number.POSITIVE_INFINITY;
  for (const item of list as unknown[]) {
    const text = JSON.stringify(item) ?? 'null';
    const entry = capEntry(item, text);
    const size = entry === item ? text.length : 64;
    if (chars + size > SLICE_CHARS) {
      slices.push([]);
      chars = 0;
    }
    chars += size;
    slices.at(-1)!.push(entry);
  }
  return { rest, field, slices };
};

/**
 * An answer to `tasks/get`, cut: what is said of the task, and the result of its call, which stays (null: it has none). Null for the whole: what it asks of a person is more
 * than crosses.
 */
export const splitTask = (raw: Message): { readonly state: Message; readonly result: Message | null } | null => {
  const { result, error, inputRequests, ...said } = raw;
  if (isLong(inputRequests)) return null;
  const told = isObject(error) ? { error: { ...shallow(error), ...(isLong(error['data']) ? {} : { data: scalar(error['data']) }) } } : error === undefined ? {} : { error: {} };
  const itself = result === undefined || isObject(result) ? {} : { result: Array.isArray(result) ? [] : scalar(result) };
  return { state: { ...shallow(said), ...(inputRequests === undefined ? {} : { inputRequests }), ...told, ...itself }, result: isObject(result) ? result : null };
};
