import { decodeText } from './decoded-text.ts';
import { FormCache } from './form-cache.ts';
import { FormIndex, FormSearch } from './form-index.ts';
import { MIN_MASKED } from './secret-forms.ts';
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

interface Table {
  /** by a hash of four characters: WHOLE, PART or both may begin with them */
  readonly filter: Uint8Array;
  readonly forms: FormIndex;
  readonly parts: PartIndex;
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

const buildTable = (known: readonly KnownSecret[], cache: FormCache): Table => {
  const filter = new Uint8Array(CELLS + 1);
  const forms = new FormIndex();
  const parts: PartIndex = new Map();
  const mark = (text: string, bit: number): void => {
    const hash = hashOf(text);
    filter[hash] = filter[hash]! | bit;
  };
  for (const secret of known) {
    const { whole, wrapped } = cache.of(secret.value);
    for (const form of whole) {
      mark(form, WHOLE);
      forms.add(secret.ref, form);
    }
    for (const form of wrapped) indexParts(parts, secret.ref, form, (gram) => mark(gram, PART));
  }
  return { filter, forms, parts };
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

const scan = (text: string, { filter, forms, parts }: Table, isDecoded: boolean): FoundSecret[] | null => {
  let found: { ref: string; start: number; end: number }[] | null = null;
  let search: FormSearch | null = null;
  let partSearch: PartSearch | null = null;
  for (let i = 0, hash = 0; i < text.length; i += 1) {
    hash = roll(hash, text.charCodeAt(i));
    const marked = filter[hash]!;
    if (marked === 0 || i < MIN_MASKED - 1) continue;
    const at = i - MIN_MASKED + 1;
    const whole = marked & WHOLE ? (search ??= new FormSearch(text, forms)).at(at) : null;
    const part = !isDecoded && marked & PART ? (partSearch ??= new PartSearch(text, parts)).at(at) : null;
    if (whole) addTo((found ??= []), whole);
    if (part) addTo((found ??= []), part);
  }
  return found;
};

/** Escapes within escapes that are read (JSON in JSON, a query in a query). */
const DEEPEST_ESCAPE = 2;

/** The text and what it reads as: each level of escapes is read once and its places are carried back (K33). */
const findIn = (text: string, table: Table): readonly FoundSecret[] => {
  let all = scan(text, table, false);
  let origin = (at: number): number => at;
  let level = text;
  for (let depth = 0; depth < DEEPEST_ESCAPE; depth += 1) {
    const decoded = decodeText(level);
    if (!decoded) break;
    const outer = origin;
    origin = (at) => outer(decoded.sourceOf(at));
    level = decoded.text;
    const inside = scan(level, table, true);
    if (inside) all = [...(all ?? []), ...inside.map(({ ref, start, end }) => ({ ref, start: origin(start), end: origin(end) }))];
  }
  if (!all) return NONE;
  const found: { ref: string; start: number; end: number }[] = [];
  for (const one of all.sort((a, b) => a.start - b.start || b.end - a.end)) addTo(found, one);
  return found;
};

const begunIn = (text: string, { filter, forms }: Table): number => {
  const search = new FormSearch(text, forms);
  for (let at = Math.max(0, text.length - forms.longest + 1); at < text.length; at += 1) {
    if (text.length - at >= MIN_MASKED && (filter[hashOf(text.slice(at, at + MIN_MASKED))]! & WHOLE) === 0) continue;
    if (search.isBegunAt(at)) return at;
  }
  return text.length;
};

/** An escape that the end of the text cuts. */
const CUT_ESCAPE = /(?:%[0-9a-f]?|\\|\\x[0-9a-f]?|\\u[0-9a-f{]{0,7}|&[#0-9a-z]{0,9})$/i;

const unfinishedIn = (text: string, table: Table): number => {
  let at = begunIn(text, table);
  const last = text.slice(-16);
  const whole = text.slice(0, text.length - (CUT_ESCAPE.exec(last)?.[0].length ?? 0));
  const decoded = decodeText(whole);
  for (const [read, sourceOf] of decoded ? [[decoded.text, decoded.sourceOf] as const] : whole.length < text.length ? [[whole, (i: number) => i] as const] : []) {
    const begun = begunIn(read, table);
    if (begun < read.length) at = Math.min(at, sourceOf(begun));
  }
  if (at === text.length) return at;
  // a value that is whole already is not to be cut by the beginning of another one
  return findIn(text, table).find(({ start, end }) => start < at && at < end)?.start ?? at;
};

/**
 * The one privacy filter for known values (A25): used by the log and by the call line. Linear in the text (see FormSearch), once as it
 * is and once for each level of escapes in it; the table is built when the
 * array `known` returns is another one, so `known` keeps it while nothing changes. Values under four characters are left alone. `cache`: shared by the
 * maskers of the same values.
 */
export const createMasker = (known: () => readonly KnownSecret[], cache: FormCache = new FormCache()): Masker => {
  let source: readonly KnownSecret[] | null = null;
  let table: Table | null = null;
  const current = (): Table | null => {
    const now = known();
    if (now !== source) {
      source = now;
      table = now.length === 0 ? null : buildTable(now, cache);
      cache.keep(now.map(({ value }) => value));
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
