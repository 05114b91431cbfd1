import { MIN_MASKED, secretForms, type SecretForms } from './secret-forms.ts';
import { indexParts, PartSearch, type PartIndex } from './secret-parts.ts';

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
  /** Where the last characters may be the beginning of a value that is not whole yet; the length of the text when they are none. A text that goes on is cut and shown no further than this. */
  unfinishedAt(text: string): number;
}

/** Forms with the same first characters: which lengths there are, longest first, and whose secret each form is. */
type Group = { lengths: number[]; readonly refs: Map<string, string> };
interface Table {
  /** by a hash of four characters: WHOLE, PART or both may begin with them */
  readonly filter: Uint8Array;
  readonly groups: ReadonlyMap<string, Group>;
  readonly parts: PartIndex;
  readonly longest: number;
}

const WHOLE = 1;
const PART = 2;
const CELLS = 0x3ffff;

/** Rolls: what is older than four characters is shifted out. Most positions of a text are passed over by this alone, however many secrets there are. */
const roll = (hash: number, code: number): number => ((hash << 5) ^ code) & CELLS;
const hashOf = (text: string): number => {
  let hash = 0;
  for (let i = 0; i < MIN_MASKED; i += 1) hash = roll(hash, text.charCodeAt(i));
  return hash;
};

const buildTable = (known: readonly KnownSecret[], formsOf: (secret: KnownSecret) => SecretForms): Table => {
  const filter = new Uint8Array(CELLS + 1);
  const groups = new Map<string, Group>();
  const parts: PartIndex = new Map();
  let longest = 0;
  const marks = (bit: number) => (text: string): void => {
    const hash = hashOf(text);
    filter[hash] = filter[hash]! | bit;
  };
  const [begins, goesOn] = [marks(WHOLE), marks(PART)];
  for (const secret of known) {
    const { ref } = secret;
    const forms = formsOf(secret);
    for (const form of forms.whole) {
      begins(form);
      const prefix = form.slice(0, MIN_MASKED);
      const group = groups.get(prefix) ?? { lengths: [], refs: new Map<string, string>() };
      group.refs.set(form, ref);
      groups.set(prefix, group);
      longest = Math.max(longest, form.length);
    }
    for (const form of forms.wrapped) indexParts(parts, ref, form, goesOn);
  }
  for (const group of groups.values()) group.lengths = [...new Set([...group.refs.keys()].map((form) => form.length))].sort((a, b) => b - a);
  return { filter, groups, parts, longest };
};

const longestAt = (text: string, at: number, group: Group | undefined): FoundSecret | null => {
  for (const length of group?.lengths ?? []) {
    const ref = group!.refs.get(text.slice(at, at + length));
    if (ref !== undefined) return { ref, start: at, end: at + length };
  }
  return null;
};

/** One secret may begin inside another: what is hidden is the union. */
const addTo = (found: { ref: string; start: number; end: number }[], one: FoundSecret): void => {
  let { end } = one;
  while (found.length > 0 && found.at(-1)!.start >= one.start) end = Math.max(end, found.pop()!.end);
  const last = found.at(-1);
  if (last && one.start < last.end) last.end = Math.max(last.end, end);
  else found.push({ ref: one.ref, start: one.start, end });
};

const NONE: readonly FoundSecret[] = [];

const findIn = (text: string, { filter, groups, parts }: Table): readonly FoundSecret[] => {
  let found: { ref: string; start: number; end: number }[] | null = null;
  let search: PartSearch | null = null;
  for (let i = 0, hash = 0; i < text.length; i += 1) {
    hash = roll(hash, text.charCodeAt(i));
    const marked = filter[hash]!;
    if (marked === 0 || i < MIN_MASKED - 1) continue;
    const at = i - MIN_MASKED + 1;
    const whole = marked & WHOLE ? longestAt(text, at, groups.get(text.slice(at, at + MIN_MASKED))) : null;
    const part = marked & PART ? (search ??= new PartSearch(text, parts)).at(at) : null;
    if (whole) addTo((found ??= []), whole);
    if (part) addTo((found ??= []), part);
  }
  return found ?? NONE;
};

const unfinishedIn = (text: string, table: Table): number => {
  for (let at = Math.max(0, text.length - table.longest + 1); at < text.length; at += 1) {
    const rest = text.slice(at);
    const isShort = rest.length < MIN_MASKED;
    if (!isShort && (table.filter[hashOf(rest)]! & WHOLE) === 0) continue;
    const forms = (isShort ? table.groups.keys() : table.groups.get(rest.slice(0, MIN_MASKED))?.refs.keys()) ?? [];
    // a value that is whole already is not to be cut by the beginning of another one
    for (const form of forms) if (form.length > rest.length && form.startsWith(rest)) return findIn(text, table).find(({ start, end }) => start < at && at < end)?.start ?? at;
  }
  return text.length;
};

/**
 * The one privacy filter for known values (A25): used by the log and by the call line. Linear in the text; the table is built when the
 * array `known` returns is another one, so `known` keeps it while nothing changes. Values under four characters are left alone.
 */
export const createMasker = (known: () => readonly KnownSecret[]): Masker => {
  const kept = new WeakMap<KnownSecret, SecretForms>();
  const formsOf = (secret: KnownSecret): SecretForms => {
    const forms = kept.get(secret) ?? secretForms(secret.value);
    kept.set(secret, forms);
    return forms;
  };
  let source: readonly KnownSecret[] | null = null;
  let table: Table | null = null;
  const current = (): Table | null => {
    const now = known();
    if (now !== source) {
      source = now;
      table = now.length === 0 ? null : buildTable(now, formsOf);
    }
    return table;
  };
  const find = (text: string): readonly FoundSecret[] => {
    const now = current();
    return now ? findIn(text, now) : NONE;
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
  const unfinishedAt = (text: string): number => {
    const now = current();
    return now ? unfinishedIn(text, now) : text.length;
  };
  return Object.assign(mask, { find, unfinishedAt });
};
