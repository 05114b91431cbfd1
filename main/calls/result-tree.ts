import { withoutHiddenText } from '../capabilities/hidden-text.ts';
import { distinctNames } from '../evidence/distinct-names.ts';
import { pointerStep } from '../evidence/privacy-filter.ts';

/** One place of which less is shown than there is. */
export interface Shortened {
  /** JSON Pointer in the stored result */
  readonly part: string;
  readonly shown: number;
  readonly of: number;
  readonly unit: 'characters' | 'items' | 'members';
}

/** A JSON value with the size of its text. `part`: its JSON Pointer in the stored result. */
export type Node =
  | { readonly kind: 'leaf'; readonly text: string; readonly size: number; readonly part: string }
  | { readonly kind: 'string'; readonly value: string; readonly size: number; readonly part: string }
  | { readonly kind: 'array'; readonly items: readonly Node[]; readonly size: number; readonly part: string }
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, Node])[]; readonly size: number; readonly part: string };

export const leaf = (text: string, part: string): Node => ({ kind: 'leaf', text, part, size: Buffer.byteLength(text) });
export const string = (value: string, part: string): Node => ({ kind: 'string', value, part, size: jsonBytes(value) });
export const array = (items: readonly Node[], part: string): Node => ({ kind: 'array', items, part, size: 2 + items.reduce((sum, item) => sum + item.size + 1, 0) });
export const object = (members: readonly (readonly [string, Node])[], part: string): Node => ({ kind: 'object', members, part, size: 2 + members.reduce((sum, [name, member]) => sum + jsonBytes(name) + member.size + 2, 0) });

const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text));

export interface TreeOptions {
  /** the digits of a number that a double does not carry, by its pointer */
  readonly exact: ReadonlyMap<string, string>;
  /** what a text is shown as; the parent's other members tell what it is */
  readonly text: (value: string, name: string, parent: Readonly<Record<string, unknown>> | null) => string;
}

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Any JSON value as nodes. The depth has been bounded before. */
export const treeOf = (value: unknown, part: string, options: TreeOptions, name = '', parent: Readonly<Record<string, unknown>> | null = null): Node => {
  if (typeof value === 'string') return string(options.text(value, name, parent), part);
  if (Array.isArray(value)) return array(value.map((item, i) => treeOf(item, `${part}/${i}`, options, name, null)), part);
  if (typeof value === 'object' && value !== null) {
    const own = value as Readonly<Record<string, unknown>>;
    return object(Object.keys(own).map((key) => [key, treeOf(own[key], part + pointerStep(key), options, key, own)] as const), part);
  }
  // what no double carries (1e400) was read as null
  const digits = typeof value === 'number' || value === null ? options.exact.get(part) : undefined;
  return leaf(digits === undefined ? (JSON.stringify(value) ?? 'null') : NUMBER.test(digits) ? digits : JSON.stringify(digits), part);
};

/** Few enough that each gets a share, so that one long one does not crowd out the others. */
const SHARED_ITEMS = 8;
const LEAST_SHARE = 160;
/** Of the words that tell a cut. */
const MARK_BYTES = 64;
const LONGEST_NAME = 200;

/** The text without what a reader does not see, quoted; `hidden` is told where something was left out (C098). */
const quoted = (text: string, hidden: () => void): string => {
  const shown = withoutHiddenText(text);
  if (shown !== text) hidden();
  return JSON.stringify(shown);
};

export interface Printed {
  readonly text: string;
  readonly shortened: readonly Shortened[];
  /** characters that a reader does not see were left out */
  readonly hidden: boolean;
}

/** The JSON text of the tree in about `budget` bytes: what does not fit is cut from its end, says so in place ("shortened, N of M ...") and is listed. */
export const print = (root: Node, budget: number): Printed => {
  const shortened: Shortened[] = [];
  let hidden = false;
  const onHidden = (): void => {
    hidden = true;
  };
  const mark = (entry: Shortened): string => {
    shortened.push(entry);
    return `[shortened, ${entry.shown} of ${entry.of} ${entry.unit}]`;
  };

  const cutString = (node: Pick<Extract<Node, { kind: 'string' }>, 'value' | 'size' | 'part'>, left: number): string => {
    const room = Math.max(0, left - MARK_BYTES - 2);
    let length = Math.min(node.value.length, Math.floor((node.value.length * room) / node.size));
    while (length > 0 && Buffer.byteLength(JSON.stringify(node.value.slice(0, length))) > room + 2) length = Math.floor(length * 0.9);
    const code = node.value.charCodeAt(length - 1);
    if (code >= 0xd800 && code <= 0xdbff) length -= 1;
    return quoted(`${node.value.slice(0, Math.max(0, length))}\n${mark({ part: node.part, shown: Math.max(0, length), of: node.value.length, unit: 'characters' })}`, onHidden);
  };

  /** What each may take: the small ones whole, the rest of the room among the others. */
  const shares = (nodes: readonly Node[], room: number): readonly number[] => {
    const out = nodes.map(() => 0);
    let left = room;
    const bySize = nodes.map((_, i) => i).sort((a, b) => nodes[a]!.size - nodes[b]!.size);
    for (const [done, i] of bySize.entries()) {
      out[i] = Math.min(nodes[i]!.size, Math.floor(left / (nodes.length - done)));
      left -= out[i]!;
    }
    return out;
  };

  const inOrder = (nodes: readonly Node[], room: number, write: (i: number, budget: number) => string): { readonly parts: string[]; readonly shown: number } => {
    const parts: string[] = [];
    let left = room - MARK_BYTES;
    for (const [i, node] of nodes.entries()) {
      if (node.size + 1 > left && (i > 0 || left < MARK_BYTES)) return { parts, shown: i };
      parts.push(write(i, left));
      left -= node.size + 1;
    }
    return { parts, shown: nodes.length };
  };

  const write = (node: Node, left: number): string => {
    const fits = node.size <= left;
    // a number may have a megabyte of digits
    if (node.kind === 'leaf') return fits || node.size <= MARK_BYTES ? node.text : cutString({ ...node, value: node.text }, left);
    if (node.kind === 'string') return fits ? quoted(node.value, onHidden) : cutString(node, left);
    if (node.kind === 'array') {
      const { items } = node;
      if (fits) return `[${items.map((item) => write(item, item.size)).join(',')}]`;
      if (items.length <= SHARED_ITEMS && left >= items.length * LEAST_SHARE) {
        const room = shares(items, left - 2 - items.length);
        return `[${items.map((item, i) => write(item, room[i]!)).join(',')}]`;
      }
      const { parts, shown } = inOrder(items, left, (i, budget) => write(items[i]!, budget));
      if (shown < items.length) parts.push(JSON.stringify(mark({ part: node.part, shown, of: items.length, unit: 'items' })));
      return `[${parts.join(',')}]`;
    }
    const { members } = node;
    const distinct = distinctNames();
    const quotedName = (name: string): string => {
      const shown = withoutHiddenText(name);
      if (shown !== name) onHidden();
      return JSON.stringify(distinct(shown));
    };
    if (fits) return `{${members.map(([name, member]) => `${quotedName(name)}:${write(member, member.size)}`).join(',')}}`;
    const named = (i: number, budget: number): string => {
      const [name, member] = members[i]!;
      const isLong = name.length > LONGEST_NAME;
      if (isLong) shortened.push({ part: node.part, shown: LONGEST_NAME, of: name.length, unit: 'characters' });
      return `${quotedName(isLong ? `${name.slice(0, LONGEST_NAME).toWellFormed()}...` : name)}:${write(member, budget)}`;
    };
    const names = members.reduce((sum, [name]) => sum + Math.min(LONGEST_NAME, name.length) + 4, 0);
    if (names < left / 2 && left >= members.length * LEAST_SHARE) {
      const room = shares(members.map(([, member]) => member), left - 2 - names);
      return `{${members.map((_, i) => named(i, room[i]!)).join(',')}}`;
    }
    const { parts, shown } = inOrder(members.map(([name, member]) => ({ ...member, size: member.size + Math.min(LONGEST_NAME, name.length) + 4 })), left, named);
    if (shown < members.length) parts.push(`"[shortened]":${JSON.stringify(mark({ part: node.part, shown, of: members.length, unit: 'members' }))}`);
    return `{${parts.join(',')}}`;
  };

  const text = write(root, budget);
  return { text, shortened, hidden };
};
