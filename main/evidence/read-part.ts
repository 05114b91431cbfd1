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

/** Where an original place lies in what is given of the part, or null; `isGiven`: the name of a first step there. */
const within = (place: string, part: string, isGiven: (step: string) => string | null): string | null => {
  if (place === part) return '';
  if (!place.startsWith(`${part}/`)) return null;
  const [, step = '', ...deeper] = place.slice(part.length).split('/');
  const given = isGiven(step);
  return given === null ? null : ['', given, ...deeper].join('/');
};

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** Whole characters from `from` on, about `length` UTF-16 units of them and at least one; a low half that stands alone at the beginning is left out, and counted. */
const wellCut = (text: string, from: number, length: number): { readonly value: string; readonly count: number } => {
  const isLow = (at: number): boolean => text.charCodeAt(at) >= 0xdc00 && text.charCodeAt(at) <= 0xdfff;
  const to = from + length;
  const isSplit = to > from && to < text.length && isLow(to) && !isLow(to - 1);
  const end = !isSplit ? to : length > 1 ? to - 1 : to + 1;
  return { value: text.slice(from < text.length && isLow(from) ? from + 1 : from, end), count: end - from };
};

const textPart = (text: string, { offset, limit, budgetBytes }: PartWanted): Pick<Part, 'value' | 'count' | 'total'> => {
  let length = Math.min(limit ?? text.length, budgetBytes, Math.max(0, text.length - offset));
  let cut = wellCut(text, offset, length);
  while (length > 1 && jsonBytes(cut.value) > budgetBytes) {
    length = Math.max(1, Math.floor(length * Math.min(0.95, budgetBytes / jsonBytes(cut.value))));
    cut = wellCut(text, offset, length);
  }
  return { ...cut, total: text.length };
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
  const exactIn = (isGiven: (step: string) => string | null): ExactNumber[] => (result.exactNumbers ?? []).flatMap(({ place, text }) => {
    const at = within(place, part, isGiven);
    return at === null ? [] : [{ place: at, text }];
  });
  const ended = (kind: Part['kind'], shown: Pick<Part, 'value' | 'count' | 'total'>, exact: readonly ExactNumber[] = []): Part => ({ kind, ...shown, offset, next: offset + shown.count < shown.total && shown.count > 0 ? offset + shown.count : null, exact });
  if (typeof value === 'string') return ended('text', textPart(value, wanted));
  if (Array.isArray(value)) {
    const { taken, total } = itemsPart(value as readonly unknown[], (item) => item, (_item, i) => `${part}/${i}`, wanted);
    return ended('list', { value: taken.map((one) => one.value), count: taken.length, total }, exactIn((index) => (Number(index) >= offset && Number(index) < offset + taken.length ? String(Number(index) - offset) : null)));
  }
  if (typeof value === 'object' && value !== null) {
    const { taken, total } = itemsPart(Object.entries(value), ([, member]) => member, ([name]) => part + pointerStep(name), wanted);
    const names = new Set(taken.map(({ item }) => pointerStep(item[0]).slice(1)));
    return ended('object', { value: Object.fromEntries(taken.map(({ item, value: member }) => [item[0], member])), count: taken.length, total }, exactIn((name) => (names.has(name) ? name : null)));
  }
  return ended('value', { value, count: 1, total: 1 }, exactIn(() => null));
};
