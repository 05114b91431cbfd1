import { carriesExactly } from '../exact-number.ts';

/** A number as it was written, and the other one that reading it gives (not finite where no double is so large). `place`: JSON Pointer. */
export interface SourceNumber {
  readonly place: string;
  readonly text: string;
  readonly read: number;
}

/** A run of 16 digits and points, or an exponent of two digits: without either, a double keeps every number of the text. */
const SUSPICIOUS = /[0-9][0-9.]{15}|[0-9][eE][+-]?[0-9]{2}/;

/** Cheap test on JSON text; false means that `sourceNumbers` would find nothing. */
export const mayHoldSourceNumbers = (text: string): boolean => SUSPICIOUS.test(text);

/** Digits of a text of a number that are kept; a longer one is shortened and says so. */
const LONGEST_NUMBER = 200;
/** More are not kept: the first ones make the point. */
const MOST_NUMBERS = 1_000;
/** So many are looked at, with those that a later value of the same name takes the place of. */
const MOST_SEEN = 10_000;
/** 17 significant digits tell every double from its neighbours: a fraction with no more was written from a double, and comes back as that double. */
const DIGITS_OF_A_DOUBLE = 17;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const isNumberStart = (code: number): boolean => code === 0x2d || (code >= 0x30 && code <= 0x39);
const NUMBER = /-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

const significantDigits = (token: string): number => token.replace(/[eE].*$/, '').replace(/[-.]/g, '').replace(/^0+/, '').length;

/** Whether reading it gives another number than was written. Integers are compared digit by digit. */
const isChanged = (token: string): boolean => {
  if (token.length < 16 && !/[eE]/.test(token)) return false;
  if (carriesExactly(token)) return false;
  const value = Number(token);
  if (!Number.isFinite(value)) return true;
  if (value !== 0 && !Number.isInteger(value) && significantDigits(token) <= DIGITS_OF_A_DOUBLE) return Math.abs(value) < 2.2250738585072014e-308;
  return true;
};

const step = (key: string | number): string => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The end of the string that begins at `from`: the index of its closing quote. */
const endOfString = (text: string, from: number): number => {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
};

/**
 * The numbers of a JSON text that a double does not carry as they were written (9007199254740993, 20 decimals), in order, with their
 * pointers. Of a name that stands twice in one object the last value counts. The text has been parsed before: it is JSON, and its depth is
 * bounded. One pass, no copies but for what is found.
 */
export const sourceNumbers = (text: string): readonly SourceNumber[] => {
  const found = new Set<SourceNumber>();
  let seen = 0;
  const path: (string | number)[] = [];
  /** for each open bracket: whether it is an object whose next string is a name */
  const isObject: boolean[] = [];
  /** for each open bracket: what was found below each name */
  const named: (Map<string | number, SourceNumber[]> | undefined)[] = [];
  const keep = (number: SourceNumber): void => {
    found.add(number);
    for (const [depth, name] of path.entries()) {
      const below = (named[depth] ??= new Map<string | number, SourceNumber[]>()).get(name);
      if (below === undefined) named[depth].set(name, [number]);
      else below.push(number);
    }
  };
  let expectsName = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (expectsName) {
        const name = text.slice(at + 1, end);
        // unpaired surrogates are mended in what is read: two names may become one
        const read = (name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name).toWellFormed();
        path[path.length - 1] = read;
        const replaced = named[path.length - 1]?.get(read);
        if (replaced !== undefined) {
          for (const number of replaced) found.delete(number);
          named[path.length - 1]!.delete(read);
        }
        expectsName = false;
      }
      at = end;
    } else if (code === 0x7b || code === 0x5b) {
      isObject.push(code === 0x7b);
      path.push(code === 0x7b ? '' : 0);
      expectsName = code === 0x7b;
    } else if (code === 0x7d || code === 0x5d) {
      isObject.pop();
      path.pop();
      named.length = Math.min(named.length, path.length);
      expectsName = false;
    } else if (code === 0x2c) {
      if (isObject.at(-1) === true) expectsName = true;
      else path[path.length - 1] = (path.at(-1) as number) + 1;
    } else if (isNumberStart(code)) {
      NUMBER.lastIndex = at;
      const token = NUMBER.exec(text)?.[0] ?? '-';
      if (found.size < MOST_NUMBERS && seen < MOST_SEEN && isChanged(token)) {
        seen++;
        keep({ place: path.map(step).join(''), text: token.length > LONGEST_NUMBER ? `${token.slice(0, LONGEST_NUMBER)}... (${token.length} characters)` : token, read: Number(token) });
      }
      at += token.length - 1;
    }
  }
  return [...found];
};

/** Those below one member, with pointers from there. */
export const below = (numbers: readonly SourceNumber[], pointer: string): readonly SourceNumber[] =>
  numbers.filter(({ place }) => place.startsWith(`${pointer}/`)).map((number) => ({ ...number, place: number.place.slice(pointer.length) }));
