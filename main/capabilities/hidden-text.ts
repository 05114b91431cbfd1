export type HiddenKind = 'bidi' | 'zero_width' | 'tag_characters' | 'ansi' | 'control' | 'invisible' | 'variation_selectors' | 'not_text';

export interface HiddenText {
  readonly kind: HiddenKind;
  readonly count: number;
  /** of the first ones: `U+202E at 12`, in UTF-16 units from 0 */
  readonly places: readonly string[];
  /** what tag characters or variation selectors spell, when they spell something */
  readonly decoded?: string;
}

const SUSPECT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\p{Surrogate}/u;
const ALL_SUSPECTS = new RegExp(SUSPECT.source, 'gu');
/** Emoji with joiners, selectors and, for the three flags of Unicode that have them, tags: they stay unflagged. */
const EMOJI = /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}|[#*0-9]\ufe0f?\u20e3|\p{Extended_Pictographic}[\ufe0e\ufe0f]?\p{Emoji_Modifier}?(?:\u200d\p{Extended_Pictographic}[\ufe0e\ufe0f]?\p{Emoji_Modifier}?)*/gu;
/** Joiners belong to the spelling of these scripts. */
const JOINING = /\p{Script=Arabic}|\p{Script=Syriac}|\p{Script=Mongolian}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Gujarati}|\p{Script=Gurmukhi}|\p{Script=Kannada}|\p{Script=Malayalam}|\p{Script=Oriya}|\p{Script=Sinhala}|\p{Script=Tamil}|\p{Script=Telugu}|\p{Script=Khmer}|\p{Script=Myanmar}|\p{Script=Tibetan}/u;
const BIDI_MARK = /[\u200e\u200f\u061c]/;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
/** A terminal's control sequences, whole: the letters after the escape are part of them. */
const TERMINAL = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?/gu;
const MAX_PLACES = 5;

const kindOf = (codePoint: number): HiddenKind => {
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return 'not_text';
  if (codePoint === 0x1b || codePoint === 0x9b) return 'ansi';
  if (codePoint < 0x20 || (codePoint >= 0x7f && codePoint <= 0x9f)) return 'control';
  if (codePoint === 0x61c || codePoint === 0x200e || codePoint === 0x200f || (codePoint >= 0x202a && codePoint <= 0x202e) || (codePoint >= 0x2066 && codePoint <= 0x2069)) return 'bidi';
  if ((codePoint >= 0x200b && codePoint <= 0x200d) || codePoint === 0x2060 || codePoint === 0xfeff) return 'zero_width';
  if (codePoint >= 0xe0000 && codePoint <= 0xe007f) return 'tag_characters';
  if ((codePoint >= 0xfe00 && codePoint <= 0xfe0f) || (codePoint >= 0xe0100 && codePoint <= 0xe01ef)) return 'variation_selectors';
  return 'invisible';
};

/** The byte that one variation selector can carry (a known way to smuggle text), or the letter a tag stands for. */
const carried = (codePoint: number): number | null => {
  if (codePoint >= 0xe0020 && codePoint <= 0xe007e) return codePoint - 0xe0000;
  if (codePoint >= 0xfe00 && codePoint <= 0xfe0f) return codePoint - 0xfe00;
  if (codePoint >= 0xe0100 && codePoint <= 0xe01ef) return codePoint - 0xe0100 + 16;
  return null;
};

/** Whether the place is inside an emoji; asked in ascending order, so that long texts take one walk. */
const inEmoji = (text: string): ((index: number) => boolean) => {
  const emoji = text.matchAll(EMOJI);
  let from = -1;
  let to = -1;
  return (index) => {
    while (to <= index) {
      const next = emoji.next();
      if (next.done) return false;
      from = next.value.index;
      to = from + next.value[0].length;
    }
    return index >= from;
  };
};

const before = (text: string, index: number): string => {
  const low = text.charCodeAt(index - 1);
  return low >= 0xdc00 && low <= 0xdfff && index > 1 ? text.slice(index - 2, index) : text.slice(index - 1, index);
};

/** A character without a shape of its own that belongs to the spelling where it stands. */
const belongsToScript = (text: string, index: number, codePoint: number): boolean => {
  if (index === 0) return false;
  const previous = before(text, index);
  const next = text.slice(index + (codePoint > 0xffff ? 2 : 1));
  if (codePoint === 0x200c || codePoint === 0x200d) return JOINING.test(previous) && next !== '';
  if (codePoint >= 0x180b && codePoint <= 0x180f) return /\p{Script=Mongolian}/u.test(previous);
  if (codePoint >= 0xe0100 && codePoint <= 0xe01ef) return /\p{Script=Han}/u.test(previous);
  // marks that order one neighbour in text that runs from right to left; one at a time, since a row of them carries bits
  if (codePoint === 0x200e || codePoint === 0x200f || codePoint === 0x61c) return !BIDI_MARK.test(previous) && !BIDI_MARK.test(next.slice(0, 1)) && RIGHT_TO_LEFT.test(text.slice(Math.max(0, index - 4), index + 5));
  return false;
};

/** Characters that a reader does not see or that move what is seen (S11). Valid emoji and joiners of living scripts are not among them. */
export const findHiddenText = (text: string): readonly HiddenText[] => {
  if (!SUSPECT.test(text)) return [];
  const emoji = inEmoji(text);
  const found = new Map<HiddenKind, { count: number; places: string[]; bytes: number[] }>();
  for (const match of text.matchAll(ALL_SUSPECTS)) {
    const codePoint = match[0].codePointAt(0)!;
    if (emoji(match.index) || belongsToScript(text, match.index, codePoint)) continue;
    const kind = kindOf(codePoint);
    const entry = found.get(kind) ?? { count: 0, places: [], bytes: [] };
    found.set(kind, entry);
    entry.count += 1;
    if (entry.places.length < MAX_PLACES) entry.places.push(`U+${codePoint.toString(16).toUpperCase().padStart(4, '0')} at ${match.index}`);
    const byte = carried(codePoint);
    if (byte !== null && entry.bytes.length < 2_000) entry.bytes.push(byte);
  }
  return [...found].map(([kind, { count, places, bytes }]) => {
    const decoded = new TextDecoder().decode(Uint8Array.from(bytes));
    return { kind, count, places, ...(/^[\P{Cc}\n\t]{2,}$/u.test(decoded) ? { decoded } : {}) };
  });
};

/**
 * The text as a model is shown it: without what a reader does not see (S11, C098). Ends of lines of other systems become line feeds, a lone half of a
 * surrogate pair becomes U+FFFD. Valid emoji and joiners of living scripts stay. Equal to the text where there is nothing to leave out.
 */
export const withoutHiddenText = (text: string): string => {
  if (!SUSPECT.test(text)) return text;
  const plain = text.replace(TERMINAL, '');
  const emoji = inEmoji(plain);
  return plain.replace(ALL_SUSPECTS, (found: string, index: number) => {
    const codePoint = found.codePointAt(0)!;
    if (emoji(index) || belongsToScript(plain, index, codePoint)) return found;
    if (codePoint === 0x2028 || codePoint === 0x2029 || codePoint === 0x85) return '\n';
    return codePoint >= 0xd800 && codePoint <= 0xdfff ? '\ufffd' : '';
  });
};
