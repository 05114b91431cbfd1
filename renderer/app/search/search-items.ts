import { WordIndex } from '../../../shared/search/word-index.ts';
import { fold } from '../../../shared/search/words.ts';

/** Kinds of what can be found, in the order in which they are shown where they fit alike. */
export const KINDS = ['recent', 'approval', 'page', 'server', 'capability', 'entry', 'conversation', 'model', 'profile', 'run', 'call', 'section', 'guide', 'action'] as const;
export type Kind = (typeof KINDS)[number];

export interface SearchItem {
  /** its kind, a space, and what it is among these; it stays the same from start to start */
  readonly id: string;
  readonly kind: Kind;
  readonly label: string;
  readonly detail: string;
  /** its name in the other language, as good as the one shown */
  readonly also?: string;
  /** further words it may be found by */
  readonly words: string;
  /** where it leads; an action leads nowhere */
  readonly to?: string;
  readonly act?: () => void;
}

export interface SearchGroup {
  readonly kind: Kind;
  readonly items: readonly SearchItem[];
}

/** Shown of one kind while something is typed, and while nothing is. */
export const EACH = 7;
const AT_FIRST: Readonly<Partial<Record<Kind, number>>> = { recent: 6, approval: 5, page: 10, server: 5, run: 3, action: 12 };

/** An index over what the window holds itself: some hundred items. */
export const indexOf = (items: readonly SearchItem[]): WordIndex =>
  WordIndex.buildNow(items.length, (at) => [
    { text: items[at]!.label, weight: 24 },
    { text: items[at]!.also ?? '', weight: 24 },
    { text: items[at]!.words, weight: 12 },
    { text: items[at]!.detail, weight: 6 },
  ]);

/** How well a name fits what was typed: it is that, begins with it, holds it, or neither. */
const fitOf = ({ label, also }: SearchItem, asked: string): number =>
  Math.max(
    ...[label, also ?? ''].map((text) => {
      const name = fold(text);
      return name === asked ? 3 : name.startsWith(asked) ? 2 : name.includes(asked) ? 1 : 0;
    }),
  );

export interface Found {
  readonly query: string;
  /** all of the window's own items, and their index */
  readonly own: readonly SearchItem[];
  readonly index: WordIndex;
  /** what the host found for this query, best first in each kind */
  readonly ofHost: readonly SearchItem[];
  /** newest first; those that are no more are left out */
  readonly recent: readonly SearchItem[];
}

/**
 * What to show. Nothing typed: what was chosen last, then what waits, and the ways. Else by kind, the kind with the best fitting name first; within one, what was
 * chosen lately before what fits as well.
 */
export const groupsOf = ({ query, own, index, ofHost, recent }: Found): readonly SearchGroup[] => {
  const asked = fold(query).trim();
  if (asked === '') {
    const lately = new Set(recent.map(({ id }) => id));
    const all = [...recent.map((item) => ({ ...item, kind: 'recent' as const })), ...own.filter(({ id }) => !lately.has(id))];
    return KINDS.map((kind) => ({ kind, items: all.filter((item) => item.kind === kind).slice(0, AT_FIRST[kind] ?? 0) })).filter(({ items }) => items.length > 0);
  }
  const lately = new Map(recent.map(({ id }, at) => [id, at]));
  const found = [...index.best(query, own.length).map((at) => own[at]!), ...ofHost];
  const known = new Set<string>();
  const groups = new Map<Kind, { readonly item: SearchItem; readonly fit: number }[]>();
  for (const item of found) {
    if (known.has(item.id)) continue;
    known.add(item.id);
    const fit = fitOf(item, asked);
    groups.set(item.kind, [...(groups.get(item.kind) ?? []), { item, fit }]);
  }
  return [...groups]
    .map(([kind, items]) => ({ kind, items: items.toSorted((a, b) => b.fit - a.fit || (lately.get(a.item.id) ?? KINDS.length * 10) - (lately.get(b.item.id) ?? KINDS.length * 10)).slice(0, EACH) }))
    .toSorted((a, b) => b.items[0]!.fit - a.items[0]!.fit || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
    .map(({ kind, items }) => ({ kind, items: items.map(({ item }) => item) }));
};

/** With this choice first, each only once, eight at most. */
export const withChoice = (recent: readonly { readonly id: string; readonly label: string }[], { id, label }: SearchItem): { id: string; label: string }[] =>
  [{ id, label: label.slice(0, 200).toWellFormed() }, ...recent.filter((one) => one.id !== id)].slice(0, 8);
