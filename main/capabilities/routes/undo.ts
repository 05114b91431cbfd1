import { pointerToken } from '../json-walk.ts';

/** What a rendering introduced, as a tree beside the arguments: how to take it out again. */
export interface Undo {
  /** texts that stand for other values of a list */
  readonly texts?: ReadonlyMap<string, unknown>;
  /** the same, where an alternative takes any text: they stand for others only if nothing else fits */
  readonly rivals?: ReadonlyMap<string, unknown>;
  /** by the name that is shown */
  readonly members?: ReadonlyMap<string, UndoMember>;
  readonly items?: Undo | null;
}
export interface UndoMember {
  /** as the server calls it */
  readonly name: string;
  /** null stands for "not given": always, where the tool takes no null, or at last, where only that lets the whole fit */
  readonly nullIsAbsent: 'always' | 'at_last' | false;
  readonly undo: Undo | null;
}
export interface Undone {
  readonly pointer: string;
  readonly what: 'text_as_listed_value' | 'null_as_absent' | 'name_as_declared';
}

/** `names`: only what members are called; `values`: also what stands for another value; `all`: also what might. Members nobody renamed and values nobody replaced stay as they are. */
export const applyUndo = (value: unknown, undo: Undo | null | undefined, what: 'names' | 'values' | 'all', done: Undone[], at = ''): unknown => {
  if (!undo) return value;
  if (typeof value === 'string') {
    const meant = what === 'names' ? undefined : undo.texts?.has(value) ? undo.texts : what === 'all' && undo.rivals?.has(value) ? undo.rivals : undefined;
    if (!meant) return value;
    done.push({ pointer: at, what: 'text_as_listed_value' });
    return meant.get(value);
  }
  if (Array.isArray(value)) return undo.items ? value.map((item, i) => applyUndo(item, undo.items, what, done, `${at}/${pointerToken(i)}`)) : value;
  if (typeof value !== 'object' || value === null || !undo.members) return value;
  const entries: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    const known = undo.members.get(key);
    if (!known) {
      entries.push([key, member]);
      continue;
    }
    const place = `${at}/${pointerToken(known.name)}`;
    if (member === null && (known.nullIsAbsent === 'always' ? what !== 'names' : known.nullIsAbsent === 'at_last' && what === 'all')) {
      done.push({ pointer: place, what: 'null_as_absent' });
      continue;
    }
    if (known.name !== key) done.push({ pointer: place, what: 'name_as_declared' });
    entries.push([known.name, applyUndo(member, known.undo, what, done, place)]);
  }
  // fromEntries defines own members, so a name `__proto__` stays data
  return Object.fromEntries(entries);
};

/** Null where there is nothing to undo. */
export const undoOf = (parts: { readonly texts?: ReadonlyMap<string, unknown>; readonly rivals?: ReadonlyMap<string, unknown>; readonly members?: ReadonlyMap<string, UndoMember>; readonly items?: Undo | null }): Undo | null => {
  const members = new Map([...(parts.members ?? [])].filter(([shown, m]) => m.undo !== null || m.nullIsAbsent !== false || m.name !== shown));
  const undo = { ...(parts.texts && parts.texts.size > 0 ? { texts: parts.texts } : {}), ...(parts.rivals && parts.rivals.size > 0 ? { rivals: parts.rivals } : {}), ...(members.size > 0 ? { members } : {}), ...(parts.items ? { items: parts.items } : {}) };
  return Object.keys(undo).length > 0 ? undo : null;
};

type Shape = Readonly<Record<string, unknown>>;

const admitsFreeText = (schema: unknown): boolean => {
  if (typeof schema !== 'object' || schema === null) return false;
  const { type, anyOf, enum: list } = schema as Shape;
  return Array.isArray(anyOf) ? anyOf.some(admitsFreeText) : list === undefined && (type === 'string' || (Array.isArray(type) && type.includes('string')));
};
const memberOf = (schema: Shape, name: string): unknown => (typeof schema['properties'] === 'object' && schema['properties'] !== null && Object.hasOwn(schema['properties'], name) ? (schema['properties'] as Shape)[name] : undefined);

/**
 * Of alternatives, for a value that may be any of them: where two disagree the first counts, and the original judges. A text stands for another value only
 * at last where an alternative takes any text.
 */
export const mergeUndo = (shapes: readonly { readonly schema: Shape; readonly undo: Undo | null }[]): Undo | null => {
  const present = shapes.flatMap(({ schema, undo }) => (undo ? [{ schema, undo }] : []));
  if (present.length === 0 || shapes.length === 1) return present[0]?.undo ?? null;
  const texts = new Map<string, unknown>();
  const rivals = new Map<string, unknown>();
  const members = new Map<string, UndoMember>();
  for (const { undo } of present) {
    const rival = shapes.some(({ schema }) => admitsFreeText(schema));
    for (const [text, value] of undo.texts ?? []) if (!texts.has(text) && !rivals.has(text)) (rival ? rivals : texts).set(text, value);
    for (const [text, value] of undo.rivals ?? []) if (!texts.has(text) && !rivals.has(text)) rivals.set(text, value);
    for (const [name, member] of undo.members ?? []) {
      if (members.has(name)) continue;
      const alike = shapes.map((shape) => ({ schema: (memberOf(shape.schema, name) ?? {}) as Shape, member: shape.undo?.members?.get(name) }));
      const same = alike.flatMap((one) => (one.member && one.member.name === member.name ? [one.member] : []));
      members.set(name, { name: member.name, nullIsAbsent: same.map((one) => one.nullIsAbsent).sort((a, b) => Number(b === 'always') - Number(a === 'always') || Number(b === 'at_last') - Number(a === 'at_last'))[0]!, undo: mergeUndo(alike.map((one) => ({ schema: one.schema, undo: one.member?.undo ?? null }))) });
    }
  }
  return undoOf({ texts, rivals, members, items: mergeUndo(shapes.map(({ schema, undo }) => ({ schema: (schema['items'] ?? {}) as Shape, undo: undo?.items ?? null }))) });
};
