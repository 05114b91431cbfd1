import { MIN_MASKED, secretForms } from './secret-forms.ts';

export interface KnownSecret {
  readonly ref: string;
  readonly value: string;
}
export interface FoundSecret {
  readonly ref: string;
  /** UTF-16 offsets into the text, end exclusive */
  readonly start: number;
  readonly end: number;
}
export interface Masker {
  /** The text with every known secret value, in any of its forms, replaced by `[secret]`. */
  (text: string): string;
  /** Where they stand, in order, without overlap. */
  find(text: string): readonly FoundSecret[];
}

/** Forms with the same first characters: which lengths there are, longest first, and whose secret each form is. */
type Group = { lengths: number[]; readonly refs: Map<string, string> };
type Table = { readonly filter: Uint8Array; readonly groups: ReadonlyMap<string, Group> };

/** Two code units to one cell: most positions of a text are passed over by this alone, however many secrets there are. */
const cell = (a: number, b: number): number => ((a * 31) ^ (b * 1021)) & 0xffff;

const buildTable = (known: readonly KnownSecret[]): Table => {
  const filter = new Uint8Array(0x10000);
  const groups = new Map<string, Group>();
  for (const { ref, value } of known) {
    for (const form of secretForms(value)) {
      filter[cell(form.charCodeAt(0), form.charCodeAt(1))] = 1;
      const prefix = form.slice(0, MIN_MASKED);
      const group = groups.get(prefix) ?? { lengths: [], refs: new Map<string, string>() };
      group.refs.set(form, ref);
      groups.set(prefix, group);
    }
  }
  for (const group of groups.values()) group.lengths = [...new Set([...group.refs.keys()].map((form) => form.length))].sort((a, b) => b - a);
  return { filter, groups };
};

const longestAt = (text: string, at: number, group: Group): { readonly ref: string; readonly length: number } | null => {
  for (const length of group.lengths) {
    const ref = group.refs.get(text.slice(at, at + length));
    if (ref !== undefined) return { ref, length };
  }
  return null;
};

const findIn = (text: string, { filter, groups }: Table): readonly FoundSecret[] => {
  const found: { ref: string; start: number; end: number }[] = [];
  for (let i = 0; i + MIN_MASKED <= text.length; i += 1) {
    if (filter[cell(text.charCodeAt(i), text.charCodeAt(i + 1))] === 0) continue;
    const group = groups.get(text.slice(i, i + MIN_MASKED));
    const match = group ? longestAt(text, i, group) : null;
    if (!match) continue;
    const last = found.at(-1);
    const end = i + match.length;
    // one secret may begin inside another: what is hidden is the union
    if (last && i < last.end) last.end = Math.max(last.end, end);
    else found.push({ ref: match.ref, start: i, end });
  }
  return found;
};

/**
 * The one privacy filter for known values (A25): used by the log and by the call line. Linear in the text; the table is built when the
 * array `known` returns is another one, so `known` keeps it while nothing changes. Values under four characters are left alone.
 */
export const createMasker = (known: () => readonly KnownSecret[]): Masker => {
  let source: readonly KnownSecret[] | null = null;
  let table: Table | null = null;
  const find = (text: string): readonly FoundSecret[] => {
    const current = known();
    if (current !== source) {
      source = current;
      table = current.length === 0 ? null : buildTable(current);
    }
    return table ? findIn(text, table) : [];
  };
  const mask = (text: string): string => {
    const found = find(text);
    if (found.length === 0) return text;
    let masked = '';
    let from = 0;
    for (const { start, end } of found) {
      masked += `${text.slice(from, start)}[secret]`;
      from = end;
    }
    return masked + text.slice(from);
  };
  return Object.assign(mask, { find });
};
