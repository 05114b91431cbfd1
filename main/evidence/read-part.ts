import type { CallResult } from '../../shared/call.ts';
import { print, treeOf } from '../calls/result-tree.ts';
import { followPointer } from './follow-pointer.ts';
import { pointerStep } from './privacy-filter.ts';

export interface PartWanted {
  /** JSON Pointer (RFC 6901) in {content, structuredContent, extra} */
  readonly part: string;
  readonly offset: number;
  readonly limit: number | null;
  readonly budgetBytes: number;
}

/** A number in `value` whose digits a double does not carry. */
interface ExactNumber {
  readonly place: string;
  readonly text: string;
}

export interface Part {
  readonly kind: 'text' | 'list' | 'object' | 'value';
  readonly value: unknown;
  readonly offset: number;
  readonly count: number;
  readonly total: number;
  /** offset of what follows, or null at the end */
  readonly next: number | null;
  readonly exact: readonly ExactNumber[];
}

export type NoPart = { readonly missing: string; readonly names: readonly string[] };

/** Where an original place lies in the part that is given, or null. */
const within = (place: string, part: string, offset: number, isList: boolean): string | null => {
  if (place === part) return '';
  if (!place.startsWith(`${part}/`)) return null;
  const rest = place.slice(part.length);
  if (!isList) return rest;
  const [, index = '', ...deeper] = rest.split('/');
  return ['', String(Number(index) - offset), ...deeper].join('/');
};

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

const wellCut = (text: string, from: number, to: number): string => {
  const isLow = (at: number): boolean => text.charCodeAt(at) >= 0xdc00 && text.charCodeAt(at) <= 0xdfff;
  const end = to < text.length && isLow(to) ? to - 1 : to;
  return text.slice(from < text.length && isLow(from) ? from + 1 : from, end);
};

const textPart = (text: string, { offset, limit, budgetBytes }: PartWanted): Pick<Part, 'value' | 'count' | 'total'> => {
  let length = Math.min(limit ?? text.length, budgetBytes, Math.max(0, text.length - offset));
  let value = wellCut(text, offset, offset + length);
  while (length > 1 && jsonBytes(value) > budgetBytes) {
    length = Math.max(1, Math.floor(length * Math.min(0.95, budgetBytes / jsonBytes(value))));
    value = wellCut(text, offset, offset + length);
  }
  return { value, count: value.length, total: text.length };
};

/** One that is alone too large: shown shortened, with the marks of what is cut; its own parts can be asked for. */
const shortenedItem = (value: unknown, part: string, budgetBytes: number): unknown => JSON.parse(print(treeOf(value, part, { exact: new Map(), text: (text) => text }), budgetBytes).text);

const itemsPart = <T>(items: readonly T[], valueOf: (item: T) => unknown, partOf: (item: T, i: number) => string, { offset, limit, budgetBytes }: PartWanted): { readonly taken: readonly { readonly item: T; readonly value: unknown }[]; readonly total: number } => {
  const taken: { readonly item: T; readonly value: unknown }[] = [];
  let left = budgetBytes;
  for (let i = offset; i < items.length && taken.length < (limit ?? Infinity); i++) {
    const item = items[i]!;
    const size = jsonBytes(item) + 1;
    if (size > left && taken.length > 0) break;
    taken.push({ item, value: size > left ? shortenedItem(valueOf(item), partOf(item, i), left) : valueOf(item) });
    left -= size;
  }
  return { taken, total: items.length };
};

/** One part of a stored result within the budget: characters of a text, items of a list, members of an object. Never cut without saying what follows. */
export const readPart = (result: CallResult, wanted: PartWanted): Part | NoPart => {
  const { part, offset } = wanted;
  const whole = { content: result.content, ...(result.structuredContent === undefined ? {} : { structuredContent: result.structuredContent }), extra: result.extra };
  if (part !== '' && !part.startsWith('/')) return { missing: part, names: Object.keys(whole) };
  const followed = followPointer(whole, part);
  if (!followed.found) return { missing: followed.missing, names: followed.names };
  const { value } = followed;
  const exactIn = (isList: boolean): ExactNumber[] => (result.exactNumbers ?? []).flatMap(({ place, text }) => {
    const at = within(place, part, offset, isList);
    return at === null ? [] : [{ place: at, text }];
  });
  const ended = (kind: Part['kind'], shown: Pick<Part, 'value' | 'count' | 'total'>, exact: readonly ExactNumber[] = []): Part => ({ kind, ...shown, offset, next: offset + shown.count < shown.total && shown.count > 0 ? offset + shown.count : null, exact });
  if (typeof value === 'string') return ended('text', textPart(value, wanted));
  if (Array.isArray(value)) {
    const { taken, total } = itemsPart(value as readonly unknown[], (item) => item, (_item, i) => `${part}/${i}`, wanted);
    return ended('list', { value: taken.map((one) => one.value), count: taken.length, total }, exactIn(true));
  }
  if (typeof value === 'object' && value !== null) {
    const { taken, total } = itemsPart(Object.entries(value), ([, member]) => member, ([name]) => part + pointerStep(name), wanted);
    return ended('object', { value: Object.fromEntries(taken.map(({ item, value: member }) => [item[0], member])), count: taken.length, total }, exactIn(false));
  }
  return ended('value', { value, count: 1, total: 1 }, exactIn(false));
};
