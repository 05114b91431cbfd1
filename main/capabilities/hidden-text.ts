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
/** Emoji with joiners, selectors and, for some flags, tags: they stay unflagged. */
const EMOJI = /\u{1f3f4}[\u{e0020}-\u{e007e}]+\u{e007f}|[#*0-9]\ufe0f?\u20e3|\p{Extended_Pictographic}[\ufe0e\ufe0f]?\p{Emoji_Modifier}?(?:\u200d\p{Extended_Pictographic}[\ufe0e\ufe0f]?\p{Emoji_Modifier}?)*/gu;
/** Joiners belong to the spelling of these scripts. */
const JOINING = /\p{Script=Arabic}|\p{Script=Syriac}|\p{Script=Mongolian}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Gujarati}|\p{Script=Gurmukhi}|\p{Script=Kannada}|\p{Script=Malayalam}|\p{Script=Oriya}|\p{Script=Sinhala}|\p{Script=Tamil}|\p{Script=Telugu}|\p{Script=Khmer}|\p{Script=Myanmar}|\p{Script=Tibetan}/u;
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

const inEmoji = (text: string): ((index: number) => boolean) => {
  const spans = [...text.matchAll(EMOJI)].map((match) => [match.index, match.index + match[0].length] as const);
  return (index) => spans.some(([from, to]) => index >= from && index < to);
};

const joinsScript = (text: string, index: number, codePoint: number): boolean =>
  (codePoint === 0x200c || codePoint === 0x200d) && index > 0 && JOINING.test(String.fromCodePoint(text.codePointAt(index - 1)!)) && index + 1 < text.length;

/** Characters that a reader does not see or that move what is seen (S11). Valid emoji and joiners of living scripts are not among them. */
export const findHiddenText = (text: string): readonly HiddenText[] => {
  if (!SUSPECT.test(text)) return [];
  const emoji = inEmoji(text);
  const found = new Map<HiddenKind, { count: number; places: string[]; bytes: number[] }>();
  for (const match of text.matchAll(ALL_SUSPECTS)) {
    const codePoint = match[0].codePointAt(0)!;
    if (emoji(match.index) || joinsScript(text, match.index, codePoint)) continue;
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
