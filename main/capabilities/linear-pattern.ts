import { RE2JS } from 're2js';

/** Largest compiled program of one pattern, in instructions; a bigger one is not worth its time in the host. */
const MAX_PROGRAM_SIZE = 4_000;
const MAX_SOURCE_CHARS = 4_000;

export type Translation = { readonly ok: true; readonly re2: string } | { readonly ok: false; readonly reason: string };

const char = (codePoint: number): string =>
  (codePoint >= 48 && codePoint <= 57) || (codePoint >= 65 && codePoint <= 90) || (codePoint >= 97 && codePoint <= 122)
    ? String.fromCodePoint(codePoint)
    : `\\x{${codePoint.toString(16)}}`;

/** ECMA-262 WhiteSpace and LineTerminator, as ranges; RE2's own \s is ASCII only. */
const SPACE_RANGES = [[9, 13], [32, 32], [0xa0, 0xa0], [0x1680, 0x1680], [0x2000, 0x200a], [0x2028, 0x2029], [0x202f, 0x202f], [0x205f, 0x205f], [0x3000, 0x3000], [0xfeff, 0xfeff]] as const;
const SPACE = SPACE_RANGES.map(([a, b]) => `${char(a)}-${char(b)}`).join('');
const NOT_SPACE = [...SPACE_RANGES, [0x110000, 0x110000] as const].map(([a], i) => `${char(i === 0 ? 0 : SPACE_RANGES[i - 1]![1] + 1)}-${char(a - 1)}`).join('');
const ANY_BUT_LINE_END = `[^${char(10)}${char(13)}${char(0x2028)}${char(0x2029)}]`;

const LONG_CATEGORIES: Readonly<Record<string, string>> = {
  Letter: 'L', Cased_Letter: 'LC', Uppercase_Letter: 'Lu', Lowercase_Letter: 'Ll', Titlecase_Letter: 'Lt', Modifier_Letter: 'Lm', Other_Letter: 'Lo',
  Mark: 'M', Nonspacing_Mark: 'Mn', Spacing_Mark: 'Mc', Enclosing_Mark: 'Me', Number: 'N', Decimal_Number: 'Nd', Letter_Number: 'Nl', Other_Number: 'No',
  Punctuation: 'P', Connector_Punctuation: 'Pc', Dash_Punctuation: 'Pd', Open_Punctuation: 'Ps', Close_Punctuation: 'Pe', Initial_Punctuation: 'Pi', Final_Punctuation: 'Pf', Other_Punctuation: 'Po',
  Symbol: 'S', Math_Symbol: 'Sm', Currency_Symbol: 'Sc', Modifier_Symbol: 'Sk', Other_Symbol: 'So', Separator: 'Z', Space_Separator: 'Zs', Line_Separator: 'Zl', Paragraph_Separator: 'Zp',
  Other: 'C', Control: 'Cc', Format: 'Cf', Private_Use: 'Co',
};

const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12 };

/** Thrown inside the translation only; becomes the reason. */
class Unsupported extends Error {}

type Atom = { readonly kind: 'char'; readonly codePoint: number } | { readonly kind: 'set'; readonly inClass: string; readonly alone: string } | { readonly kind: 'assertion'; readonly text: string };

class Translator {
  readonly #source: string;
  readonly #unicode: boolean;
  #at = 0;
  constructor(source: string, unicode: boolean) {
    this.#source = source;
    this.#unicode = unicode;
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
    const set = this.#take(/[dDwW]/y);
    if (set) return { kind: 'set', inClass: `\\${set[0]}`, alone: `\\${set[0]}` };
    const space = this.#take(/[sS]/y);
    if (space) return space[0] === 's' ? { kind: 'set', inClass: SPACE, alone: `[${SPACE}]` } : { kind: 'set', inClass: NOT_SPACE, alone: `[^${SPACE}]` };
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
    if (key !== undefined && !['Script', 'sc', 'General_Category', 'gc'].includes(key)) throw new Unsupported(`the Unicode property ${key}`);
    const short = key === 'Script' || key === 'sc' ? name : (LONG_CATEGORIES[name] ?? name);
    const text = `\\${sign}{${short}}`;
    return { kind: 'set', inClass: text, alone: text };
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
          body += `${char(first.codePoint)}-${char(last.codePoint)}`;
          continue;
        }
        this.#at = before;
      }
      body += first.kind === 'char' ? char(first.codePoint) : first.kind === 'set' ? first.inClass : '';
    }
    if (body === '') return negated ? '(?s:.)' : '[^\\x{0}-\\x{10ffff}]';
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
      else if (this.#take(/\^/y)) out += '\\A';
      else if (this.#take(/\$/y)) out += '\\z';
      else if (this.#take(/\./y)) out += ANY_BUT_LINE_END;
      else {
        const atom = this.#take(/\\/y) ? this.#escape(false) : this.#charAtom(this.#codePoint());
        out += atom.kind === 'char' ? char(atom.codePoint) : atom.kind === 'set' ? atom.alone : atom.text;
      }
    }
    return out;
  }
}

const compiles = (source: string, flags: string): boolean => {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
};

/** An ECMA-262 pattern (with `u`, else without: S06) in RE2's language, or why it has none. The meaning is kept exactly. */
export const translatePattern = (source: string): Translation => {
  if (source.length > MAX_SOURCE_CHARS) return { ok: false, reason: `the pattern is longer than ${MAX_SOURCE_CHARS} characters` };
  const unicode = compiles(source, 'u');
  if (!unicode && !compiles(source, '')) return { ok: false, reason: 'not a valid regular expression' };
  try {
    return { ok: true, re2: new Translator(source, unicode).run() };
  } catch (error) {
    if (error instanceof Unsupported) return { ok: false, reason: `the pattern uses ${error.message}, which cannot be matched in linear time` };
    throw error;
  }
};

export interface LinearPattern {
  readonly test: (text: string) => boolean;
  readonly toString: () => string;
}
export type LinearPatternResult = { readonly ok: true; readonly pattern: LinearPattern } | { readonly ok: false; readonly reason: string };

/** A matcher whose time is linear in the text (S03). */
export const linearPattern = (source: string): LinearPatternResult => {
  const translated = translatePattern(source);
  if (!translated.ok) return translated;
  try {
    const re2 = RE2JS.compile(translated.re2);
    if (re2.programSize() > MAX_PROGRAM_SIZE) return { ok: false, reason: 'the pattern expands too far' };
    return { ok: true, pattern: { test: (text) => re2.test(text), toString: () => source } };
  } catch (error) {
    return { ok: false, reason: `the linear engine refuses the pattern: ${error instanceof Error ? error.message : String(error)}` };
  }
};
