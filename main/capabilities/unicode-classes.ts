import table from './unicode-classes.json' with { type: 'json' };

/** Inclusive code points, ascending, apart from each other. */
export type Ranges = readonly (readonly [number, number])[];

/**
 * The reviewed ranges of Unicode properties: one table for what a model is shown and for what guards, so that both mean the same whatever version of
 * Unicode an engine has. Source: Unicode Character Database (UnicodeData, Scripts, PropList), the version named in the table; a test compares every code point.
 */
export const UNICODE_VERSION: string = table.unicode;
const ENCODED: Readonly<Record<string, string>> = table.classes;
const MAX = 0x10ffff;

const LONG_NAMES: Readonly<Record<string, string>> = {
  Letter: 'L', Cased_Letter: 'LC', Uppercase_Letter: 'Lu', Lowercase_Letter: 'Ll', Titlecase_Letter: 'Lt', Modifier_Letter: 'Lm', Other_Letter: 'Lo',
  Mark: 'M', Combining_Mark: 'M', Nonspacing_Mark: 'Mn', Spacing_Mark: 'Mc', Enclosing_Mark: 'Me', Number: 'N', Decimal_Number: 'Nd', digit: 'Nd', Letter_Number: 'Nl', Other_Number: 'No',
  Punctuation: 'P', punct: 'P', Connector_Punctuation: 'Pc', Dash_Punctuation: 'Pd', Open_Punctuation: 'Ps', Close_Punctuation: 'Pe', Initial_Punctuation: 'Pi', Final_Punctuation: 'Pf', Other_Punctuation: 'Po',
  Symbol: 'S', Math_Symbol: 'Sm', Currency_Symbol: 'Sc', Modifier_Symbol: 'Sk', Other_Symbol: 'So', Separator: 'Z', Space_Separator: 'Zs', Line_Separator: 'Zl', Paragraph_Separator: 'Zp',
  Other: 'C', Control: 'Cc', cntrl: 'Cc', Format: 'Cf', Private_Use: 'Co', Surrogate: 'Cs', Unassigned: 'Cn',
  Alpha: 'Alphabetic', space: 'White_Space', Upper: 'Uppercase', Lower: 'Lowercase', IDS: 'ID_Start', IDC: 'ID_Continue', EPres: 'Emoji_Presentation', ExtPict: 'Extended_Pictographic', Ideo: 'Ideographic', AHex: 'ASCII_Hex_Digit', Hex: 'Hex_Digit',
};
const SCRIPT_CODES: Readonly<Record<string, string>> = {
  Latn: 'Latin', Grek: 'Greek', Cyrl: 'Cyrillic', Armn: 'Armenian', Hebr: 'Hebrew', Arab: 'Arabic', Deva: 'Devanagari', Beng: 'Bengali', Taml: 'Tamil', Telu: 'Telugu', Laoo: 'Lao', Tibt: 'Tibetan', Geor: 'Georgian',
  Hang: 'Hangul', Ethi: 'Ethiopic', Khmr: 'Khmer', Mong: 'Mongolian', Hira: 'Hiragana', Kana: 'Katakana', Bopo: 'Bopomofo', Hani: 'Han', Zyyy: 'Common', Zinh: 'Inherited', Qaai: 'Inherited',
};
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  L: ['Lu', 'Ll', 'Lt', 'Lm', 'Lo'], LC: ['Lu', 'Ll', 'Lt'], M: ['Mn', 'Mc', 'Me'], N: ['Nd', 'Nl', 'No'], P: ['Pc', 'Pd', 'Ps', 'Pe', 'Pi', 'Pf', 'Po'], S: ['Sm', 'Sc', 'Sk', 'So'], Z: ['Zs', 'Zl', 'Zp'],
};
const ASSIGNED = ['Lu', 'Ll', 'Lt', 'Lm', 'Lo', 'Mn', 'Mc', 'Me', 'Nd', 'Nl', 'No', 'Pc', 'Pd', 'Ps', 'Pe', 'Pi', 'Pf', 'Po', 'Sm', 'Sc', 'Sk', 'So', 'Zs', 'Zl', 'Zp', 'Cc', 'Cf', 'Co', 'Cs'];

/** `gap+length` pairs in base 36, each gap from the end of the range before. */
const decode = (encoded: string): Ranges => {
  let last = 0;
  return encoded.split(' ').map((pair) => {
    const [gap = '', length = '0'] = pair.split('+');
    const start = last + parseInt(gap, 36);
    last = start + parseInt(length, 36);
    return [start, last] as const;
  });
};

const union = (sets: readonly Ranges[]): Ranges => {
  const out: [number, number][] = [];
  for (const [from, to] of sets.flat().sort((a, b) => a[0] - b[0])) {
    const before = out.at(-1);
    if (before && from <= before[1] + 1) before[1] = Math.max(before[1], to);
    else out.push([from, to]);
  }
  return out;
};

export const complement = (ranges: Ranges): Ranges => {
  const out: [number, number][] = [];
  let next = 0;
  for (const [from, to] of ranges) {
    if (from > next) out.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= MAX) out.push([next, MAX]);
  return out;
};

const rangesOfKey = (key: string): Ranges | null => {
  if (key === 'Any') return [[0, MAX]];
  if (key === 'ASCII') return [[0, 0x7f]];
  if (key === 'Assigned') return union(ASSIGNED.map((name) => decode(ENCODED[name]!)));
  if (key === 'Cn') return complement(union(ASSIGNED.map((name) => decode(ENCODED[name]!))));
  if (key === 'C') return complement(union(ASSIGNED.filter((name) => !name.startsWith('C')).map((name) => decode(ENCODED[name]!))));
  const group = Object.hasOwn(GROUPS, key) ? GROUPS[key] : undefined;
  if (group) return union(group.map((name) => decode(ENCODED[name]!)));
  return Object.hasOwn(ENCODED, key) ? decode(ENCODED[key]!) : null;
};

/** The ranges of `\p{name}` or `\p{key=name}`; null where the table has none. */
export const unicodeRanges = (key: string | undefined, name: string): Ranges | null => {
  if (key === 'Script' || key === 'sc') return rangesOfKey(`sc=${Object.hasOwn(SCRIPT_CODES, name) ? SCRIPT_CODES[name] : name}`);
  if (key !== undefined && key !== 'General_Category' && key !== 'gc') return null;
  return rangesOfKey(Object.hasOwn(LONG_NAMES, name) ? LONG_NAMES[name]! : name);
};
