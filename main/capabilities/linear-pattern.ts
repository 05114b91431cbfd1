import { RE2JS } from 're2js';
import { LINE_ENDS, SPACE_RANGES, translateEcmaPattern, type PatternPrinter } from './ecma-pattern.ts';
import { complement, type Ranges } from './unicode-classes.ts';

/** Largest compiled program of one pattern, in instructions; a bigger one is not worth its time in the host. */
const MAX_PROGRAM_SIZE = 4_000;

const char = (codePoint: number): string =>
  (codePoint >= 48 && codePoint <= 57) || (codePoint >= 65 && codePoint <= 90) || (codePoint >= 97 && codePoint <= 122)
    ? String.fromCodePoint(codePoint)
    : `\\x{${codePoint.toString(16)}}`;
const ranges = (all: Ranges): string => all.map(([from, to]) => (from === to ? char(from) : `${char(from)}-${char(to)}`)).join('');
const shorthand = (letter: string): string => (letter === 's' ? ranges(SPACE_RANGES) : letter === 'S' ? ranges(complement(SPACE_RANGES)) : `\\${letter}`);

/** RE2's notation. */
const RE2: PatternPrinter = {
  char,
  shorthand,
  shorthandAlone: (letter) => (letter === 's' || letter === 'S' ? `[${shorthand(letter)}]` : `\\${letter}`),
  ranges,
  anyButLineEnd: `[^${ranges(LINE_ENDS)}]`,
  any: '(?s:.)',
  nothing: '[^\\x{0}-\\x{10ffff}]',
  start: '\\A',
  end: '\\z',
};

export interface LinearPattern {
  readonly test: (text: string) => boolean;
  /** instructions of its program: time is in proportion to this and the text */
  readonly size: number;
  readonly toString: () => string;
}
export type LinearPatternResult = { readonly ok: true; readonly pattern: LinearPattern } | { readonly ok: false; readonly reason: string };

/** A matcher whose time is linear in the text (S03). */
export const linearPattern = (source: string): LinearPatternResult => {
  const translated = translateEcmaPattern(source, RE2);
  if (!translated.ok) return translated;
  try {
    const re2 = RE2JS.compile(translated.text);
    const size = re2.programSize();
    if (size > MAX_PROGRAM_SIZE) return { ok: false, reason: 'the pattern expands too far' };
    return { ok: true, pattern: { test: (text) => re2.test(text), size, toString: () => source } };
  } catch (error) {
    return { ok: false, reason: `the linear engine refuses the pattern: ${error instanceof Error ? error.message : String(error)}` };
  }
};
