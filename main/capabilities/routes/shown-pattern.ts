import { compiles, LINE_ENDS, translateEcmaPattern, type PatternPrinter } from '../ecma-pattern.ts';
import type { Ranges } from '../unicode-classes.ts';

/** A pattern longer than this costs a model more than it tells it. */
const MAX_SHOWN_CHARS = 1_500;

/** Every engine met behind a model reads these alike. */
const plainChar = (codePoint: number, inClass: boolean): string => {
  const char = String.fromCodePoint(codePoint);
  if (/^[\p{L}\p{N}]$/u.test(char) || codePoint > 0xffff) return char;
  if (codePoint > 0x20 && codePoint < 0x7f) return (inClass ? /[\\\]^[-]/ : /[\\^$.*+?()[\]{}|/]/).test(char) ? `\\${char}` : char;
  return codePoint === 0x20 ? ' ' : `\\u${codePoint.toString(16).padStart(4, '0')}`;
};
const ranges = (all: Ranges): string => all.map(([from, to]) => (from === to ? plainChar(from, true) : `${plainChar(from, true)}-${plainChar(to, true)}`)).join('');

const SHOWN: PatternPrinter = {
  char: plainChar,
  shorthand: (letter) => `\\${letter}`,
  shorthandAlone: (letter) => `\\${letter}`,
  ranges,
  anyButLineEnd: `[^${ranges(LINE_ENDS)}]`,
  any: '[\\s\\S]',
  nothing: '[^\\s\\S]',
  start: '^',
  end: '$',
};

/** Look-around, references back, Unicode properties and escapes of one engine only, named groups; outside and inside of classes alike. */
const NOT_EVERYWHERE = /\(\?<?[=!]|\(\?<|\\[1-9k]|\\[pP]\{|\\u\{|\\c|\(\?[a-z-]+:/;

const hasBareBracketInClass = (source: string): boolean => {
  let inClass = false;
  for (let i = 0; i < source.length; i += 1) {
    const char = source[i];
    if (char === '\\') i += 1;
    else if (char === '[' && inClass) return true;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
  }
  return false;
};

/** True for a pattern that every engine behind a model reads, and reads alike. */
export const isPortablePattern = (source: string): boolean => !NOT_EVERYWHERE.test(source) && compiles(source, 'u') && !hasBareBracketInClass(source) && source.length <= MAX_SHOWN_CHARS;

export type ShownPattern = { readonly ok: true; readonly pattern: string; readonly changed: boolean; readonly ranges: boolean } | { readonly ok: false; readonly reason: string };

/** A server's pattern in the notation that all routes read, with the same meaning; or why it has none. Classes are the ranges that guard, too (unicode-classes). */
export const shownPattern = (source: string): ShownPattern => {
  if (isPortablePattern(source)) return { ok: true, pattern: source, changed: false, ranges: false };
  const translated = translateEcmaPattern(source, SHOWN);
  if (!translated.ok) return translated;
  if (!isPortablePattern(translated.text)) return { ok: false, reason: translated.text.length > MAX_SHOWN_CHARS ? 'its ranges are longer than a model is shown' : 'it has no form that every engine reads' };
  return { ok: true, pattern: translated.text, changed: true, ranges: /\\[pP]\{/.test(source) };
};
