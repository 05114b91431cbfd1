import { complement, unicodeRanges, type Ranges } from './unicode-classes.ts';

const MAX_SOURCE_CHARS = 4_000;

/** ECMA-262 WhiteSpace and LineTerminator; other engines' \s is another set. */
export const SPACE_RANGES: Ranges = [[9, 13], [32, 32], [0xa0, 0xa0], [0x1680, 0x1680], [0x2000, 0x200a], [0x2028, 0x2029], [0x202f, 0x202f], [0x205f, 0x205f], [0x3000, 0x3000], [0xfeff, 0xfeff]];
export const LINE_ENDS: Ranges = [[10, 10], [13, 13], [0x2028, 0x2029]];

const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12 };

/** How another notation writes the parts of a pattern. */
export interface PatternPrinter {
  readonly char: (codePoint: number, inClass: boolean) => string;
  /** `\d`, `\D`, `\w`, `\W`, `\s`, `\S` inside a class */
  readonly shorthand: (letter: string) => string;
  /** the same outside of one */
  readonly shorthandAlone: (letter: string) => string;
  /** ranges, as they stand inside a class */
  readonly ranges: (ranges: Ranges) => string;
  readonly anyButLineEnd: string;
  readonly any: string;
  readonly nothing: string;
  readonly start: string;
  readonly end: string;
}

export type PatternTranslation = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** Thrown inside the translation only; becomes the reason. */
class Unsupported extends Error {}

type Atom = { readonly kind: 'char'; readonly codePoint: number } | { readonly kind: 'set'; readonly inClass: string; readonly alone: string } | { readonly kind: 'assertion'; readonly text: string };

class Translator {
  readonly #source: string;
  readonly #unicode: boolean;
  readonly #print: PatternPrinter;
  #at = 0;
  constructor(source: string, unicode: boolean, print: PatternPrinter) {
    this.#source = source;
    this.#unicode = unicode;
    this.#print = print;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    if (match) this.#at += match[0].length;
    return match;
  }

  #codePoint(): number {
    const codePoint = this.#source.codePointAt(this.#at)!;
    this.#at += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  }

  #charAtom(codePoint: number): Atom {
    if (!this.#unicode && codePoint >= 0xd800 && codePoint <= 0xdfff) throw new Unsupported('surrogate halves outside Unicode mode');
    return { kind: 'char', codePoint };
  }

  /** After a backslash. */
  #escape(inClass: boolean): Atom {
    const set = this.#take(/[dDwWsS]/y);
    if (set) return { kind: 'set', inClass: this.#print.shorthand(set[0]), alone: this.#print.shorthandAlone(set[0]) };
    const edge = this.#take(/[bB]/y);
    if (edge) return inClass ? this.#charAtom(edge[0] === 'b' ? 8 : 66) : { kind: 'assertion', text: `\\${edge[0]}` };
    const control = this.#take(/[nrtvf]/y);
    if (control) return this.#charAtom(CONTROLS[control[0]]!);
    if (this.#take(/0(?![0-9])/y)) return this.#charAtom(0);
    if (this.#take(/[0-9]|k(?=<)/y)) throw new Unsupported('a back-reference');
    const letter = this.#take(/c([A-Za-z])/y);
    if (letter) return this.#charAtom(letter[1]!.charCodeAt(0) % 32);
    const pair = this.#take(/u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/y);
    if (pair) return { kind: 'char', codePoint: String.fromCharCode(parseInt(pair[1]!, 16), parseInt(pair[2]!, 16)).codePointAt(0)! };
    const hex = this.#take(/x([0-9a-fA-F]{2})/y) ?? this.#take(/u([0-9a-fA-F]{4})/y) ?? (this.#unicode ? this.#take(/u\{([0-9a-fA-F]+)\}/y) : null);
    if (hex) return this.#charAtom(parseInt(hex[1]!, 16));
    const property = this.#take(/([pP])\{(?:([A-Za-z_]+)=)?([A-Za-z0-9_]+)\}/y);
    if (property) return this.#property(property[1]!, property[2], property[3]!);
    return this.#charAtom(this.#codePoint());
  }

  #property(sign: string, key: string | undefined, name: string): Atom {
    if (!this.#unicode) throw new Unsupported('a Unicode property outside Unicode mode');
    const ranges = unicodeRanges(key, name);
    if (ranges === null) throw new Unsupported(`the Unicode property ${key === undefined ? '' : `${key}=`}${name}`);
    const text = this.#print.ranges(sign === 'P' ? complement(ranges) : ranges);
    return { kind: 'set', inClass: text, alone: `[${text}]` };
  }

  #class(): string {
    const negated = this.#take(/\^/y) !== null;
    let body = '';
    for (;;) {
      if (this.#take(/\]/y)) break;
      const first = this.#take(/\\/y) ? this.#escape(true) : this.#charAtom(this.#codePoint());
      if (first.kind === 'char' && this.#source[this.#at] === '-' && this.#source[this.#at + 1] !== ']') {
        const before = this.#at;
        this.#at += 1;
        const last = this.#take(/\\/y) ? this.#escape(true) : this.#charAtom(this.#codePoint());
        if (last.kind === 'char') {
          body += `${this.#print.char(first.codePoint, true)}-${this.#print.char(last.codePoint, true)}`;
          continue;
        }
        this.#at = before;
      }
      body += first.kind === 'char' ? this.#print.char(first.codePoint, true) : first.kind === 'set' ? first.inClass : '';
    }
    if (body === '') return negated ? this.#print.any : this.#print.nothing;
    return `[${negated ? '^' : ''}${body}]`;
  }

  #group(): string {
    if (this.#take(/\?:/y)) return '(?:';
    if (this.#take(/\?<?[=!]/y)) throw new Unsupported('look-around');
    if (this.#take(/\?<[^>]*>/y)) return '(?:';
    if (this.#take(/\?/y)) throw new Unsupported('a modifier group');
    return '(?:';
  }

  run(): string {
    let out = '';
    while (this.#at < this.#source.length) {
      const plain = this.#take(/[)|*+?]/y);
      const repeat = plain ? null : this.#take(/\{(\d+)(?:,(\d*))?\}/y);
      if (plain) out += plain[0];
      else if (repeat) {
        if (Math.max(Number(repeat[1]), Number(repeat[2] ?? 0)) > 1000) throw new Unsupported('a repetition of more than 1,000');
        out += repeat[0];
      } else if (this.#take(/\(/y)) out += this.#group();
      else if (this.#take(/\[/y)) out += this.#class();
      else if (this.#take(/\^/y)) out += this.#print.start;
      else if (this.#take(/\$/y)) out += this.#print.end;
      else if (this.#take(/\./y)) out += this.#print.anyButLineEnd;
      else {
        const atom = this.#take(/\\/y) ? this.#escape(false) : this.#charAtom(this.#codePoint());
        out += atom.kind === 'char' ? this.#print.char(atom.codePoint, false) : atom.kind === 'set' ? atom.alone : atom.text;
      }
    }
    return out;
  }
}

/** Whether this engine reads it with these flags. */
export const compiles = (source: string, flags: string): boolean => {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
};

/** An ECMA-262 pattern (with `u`, else without: S06) in another notation, or why it has none there. The meaning is kept exactly. */
export const translateEcmaPattern = (source: string, print: PatternPrinter): PatternTranslation => {
  if (source.length > MAX_SOURCE_CHARS) return { ok: false, reason: `the pattern is longer than ${MAX_SOURCE_CHARS} characters` };
  const unicode = compiles(source, 'u');
  if (!unicode && !compiles(source, '')) return { ok: false, reason: 'not a valid regular expression' };
  try {
    return { ok: true, text: new Translator(source, unicode, print).run() };
  } catch (error) {
    if (error instanceof Unsupported) return { ok: false, reason: `the pattern uses ${error.message}, which cannot be matched in linear time` };
    throw error;
  }
};
