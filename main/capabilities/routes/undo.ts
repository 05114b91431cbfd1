/** What a rendering introduced, as a tree beside the arguments: how to take it out again. */
export interface Undo {
  /** texts that stand for other values of a list */
  readonly texts?: ReadonlyMap<string, unknown>;
  /** by the name that is shown */
  readonly members?: ReadonlyMap<string, UndoMember>;
  readonly items?: Undo | null;
}
export interface UndoMember {
  /** as the server calls it */
  readonly name: string;
  /** null stands for "not given" */
  readonly nullIsAbsent: boolean;
  readonly undo: Undo | null;
}
export interface Undone {
  readonly pointer: string;
  readonly what: 'text_as_listed_value' | 'null_as_absent' | 'name_as_declared';
}

const token = (key: string | number): string => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** `names`: only what members are called; `values`: also what stands for another value. Members nobody renamed and values nobody replaced stay as they are. */
export const applyUndo = (value: unknown, undo: Undo | null | undefined, what: 'names' | 'values', done: Undone[], at = ''): unknown => {
  if (!undo) return value;
  if (typeof value === 'string') {
    if (what === 'names' || !undo.texts?.has(value)) return value;
    done.push({ pointer: at, what: 'text_as_listed_value' });
    return undo.texts.get(value);
  }
  if (Array.isArray(value)) return undo.items ? value.map((item, i) => applyUndo(item, undo.items, what, done, `${at}${token(i)}`)) : value;
  if (typeof value !== 'object' || value === null || !undo.members) return value;
  const entries: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    const known = undo.members.get(key);
    if (!known) {
      entries.push([key, member]);
      continue;
    }
    const place = `${at}${token(known.name)}`;
    if (what === 'values' && member === null && known.nullIsAbsent) {
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
export const undoOf = (parts: { readonly texts?: ReadonlyMap<string, unknown>; readonly members?: ReadonlyMap<string, UndoMember>; readonly items?: Undo | null }): Undo | null => {
  const members = new Map([...(parts.members ?? [])].filter(([shown, m]) => m.undo !== null || m.nullIsAbsent || m.name !== shown));
  const undo = { ...(parts.texts && parts.texts.size > 0 ? { texts: parts.texts } : {}), ...(members.size > 0 ? { members } : {}), ...(parts.items ? { items: parts.items } : {}) };
  return Object.keys(undo).length > 0 ? undo : null;
};

/** Of alternatives, for a value that may be any of them: where two disagree the first counts, and the original judges. */
export const mergeUndo = (undos: readonly (Undo | null)[]): Undo | null => {
  const present = undos.filter((undo) => undo !== null);
  if (present.length <= 1) return present[0] ?? null;
  const texts = new Map<string, unknown>();
  const members = new Map<string, UndoMember>();
  for (const undo of present) {
    for (const [text, value] of undo.texts ?? []) if (!texts.has(text)) texts.set(text, value);
    for (const [name, member] of undo.members ?? []) {
      const known = members.get(name);
      members.set(name, known && known.name === member.name ? { name: known.name, nullIsAbsent: known.nullIsAbsent || member.nullIsAbsent, undo: mergeUndo([known.undo, member.undo]) } : (known ?? member));
    }
  }
  return undoOf({ texts, members, items: mergeUndo(present.map((undo) => undo.items ?? null)) });
};
