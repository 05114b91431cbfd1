/** What a reader would not see, or would misread, in text that a server wrote. */
export type TextSegment =
  | { readonly kind: 'text'; readonly text: string }
  /** an invisible or direction-changing character, shown as its code point */
  | { readonly kind: 'hidden'; readonly text: string; readonly shown: string; readonly name: HiddenName }
  /** a letter of another script inside a Latin word: shown as it is, marked */
  | { readonly kind: 'lookalike'; readonly text: string; readonly shown: string }
  /** a run of blank lines or spaces long enough to push text out of sight */
  | { readonly kind: 'padding'; readonly text: string; readonly lines: number; readonly spaces: number };

export type HiddenName = 'control' | 'ansi' | 'direction' | 'zero_width' | 'tag' | 'filler' | 'variation' | 'separator' | 'surrogate' | 'marks' | 'private' | 'space';

const ANSI = String.raw`\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]{0,2000}(?:\u0007|\u001b\\)|\u001b[@-Z\\-_]|\u009b[0-?]*[ -/]*[@-~]`;
/** Flags of regions are spelled with tags after a black flag and end with a cancel tag; nothing else uses tags. */
const TAG_FLAG = String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{2,6}\u{e007f}`;
const EMOJI = String.raw`(?:\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[#*0-9]\ufe0f\u20e3)`;
const EMOJI_SEQUENCE = String.raw`${EMOJI}(?:\ufe0f|\p{Emoji_Modifier})*(?:\u200d${EMOJI}(?:\ufe0f|\p{Emoji_Modifier})*)*`;
/** Joiners are spelling in these scripts, between two of their letters or marks. */
const JOINING = String.raw`[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]`;
const JOINED_WORD = String.raw`${JOINING}[\p{M}]*[\u200c\u200d](?=${JOINING})`;
const IDEOGRAPHIC_VARIANT = String.raw`\p{Unified_Ideograph}[\u{e0100}-\u{e01ef}]`;
const MARKS = String.raw`\p{M}{5,}`;
const INVISIBLE = String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\u{e000}-\u{f8ff}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\u{f0000}-\u{10ffff}\u2800]|\p{Surrogate}|[\u00a0\u2000-\u200a\u202f\u205f](?=[\u00a0\u2000-\u200a\u202f\u205f])`;
const PADDING = String.raw`(?:[ \t\u3000\u00a0]*\r?\n){5,}|[ \t\u3000\u00a0]{40,}`;
const MIXED_WORD = String.raw`(?=[\p{L}\p{M}]*\p{Script=Latin})(?=[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}])[\p{L}\p{M}]+`;

const TOKEN = new RegExp(
  [`(?<ansi>${ANSI})`, `(?<keep>${TAG_FLAG}|${EMOJI_SEQUENCE}|${JOINED_WORD}|${IDEOGRAPHIC_VARIANT}|\\r\\n)`, `(?<padding>${PADDING})`, `(?<marks>${MARKS})`, `(?<hidden>${INVISIBLE})`, `(?<mixed>(?<![\\p{L}\\p{M}])${MIXED_WORD})`].join('|'),
  'gu',
);
/** Most texts hold none of these and need no closer look. */
const NEEDS_A_LOOK = /[^\n\t\x20-\x7e\u3001-\u303f\u3041-\u30ff\u4e00-\u9fff\uff01-\uff60]|[ \t]{40}|(?:\n[ \t]*){5}/;
const FOREIGN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]+/gu;

export const codePoint = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

const nameOf = (character: string): HiddenName => {
  const c = character.codePointAt(0) ?? 0;
  if (c < 0x20 || (c >= 0x7f && c <= 0x9f)) return 'control';
  if (c === 0x61c || c === 0x200e || c === 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069)) return 'direction';
  if ((c >= 0xe0000 && c <= 0xe007f)) return 'tag';
  if ((c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xe0100 && c <= 0xe01ef) || (c >= 0x180b && c <= 0x180f)) return 'variation';
  if (c === 0x2028 || c === 0x2029) return 'separator';
  if (c >= 0xd800 && c <= 0xdfff) return 'surrogate';
  if ((c >= 0xe000 && c <= 0xf8ff) || c >= 0xf0000) return 'private';
  if (c === 0xa0 || (c >= 0x2000 && c <= 0x200a) || c === 0x202f || c === 0x205f) return 'space';
  if ((c >= 0x200b && c <= 0x200d) || c === 0x2060 || c === 0xfeff) return 'zero_width';
  return 'filler';
};

const printable = (text: string): string => [...text].map((c) => (c.codePointAt(0)! < 0x20 || (c.codePointAt(0)! >= 0x7f && c.codePointAt(0)! <= 0x9f) ? codePoint(c) : c)).join('');

/** Cuts text into what reads as it stands and what has to be pointed at. Line feeds and tabs are ordinary. */
export const splitHidden = (text: string): TextSegment[] => {
  if (!NEEDS_A_LOOK.test(text)) return text === '' ? [] : [{ kind: 'text', text }];
  const out: TextSegment[] = [];
  let from = 0;
  const plain = (to: number): void => {
    if (to > from) append(out, text.slice(from, to));
  };
  for (const match of text.matchAll(TOKEN)) {
    const groups = match.groups ?? {};
    plain(match.index);
    from = match.index + match[0].length;
    if (groups['keep'] !== undefined) append(out, match[0]);
    else if (groups['ansi'] !== undefined) out.push({ kind: 'hidden', text: match[0], shown: printable(match[0]).replaceAll('U+001B', 'ESC').replaceAll('U+009B', 'CSI'), name: 'ansi' });
    else if (groups['padding'] !== undefined) out.push({ kind: 'padding', text: match[0], lines: match[0].split('\n').length - 1, spaces: match[0].includes('\n') ? 0 : match[0].length });
    else if (groups['marks'] !== undefined) out.push({ kind: 'hidden', text: match[0], shown: `U+0300…×${[...match[0]].length}`, name: 'marks' });
    else if (groups['mixed'] !== undefined) pushMixed(out, match[0]);
    else out.push({ kind: 'hidden', text: match[0], shown: codePoint(match[0]), name: nameOf(match[0]) });
  }
  plain(text.length);
  return out;
};

const append = (out: TextSegment[], text: string): void => {
  const last = out.at(-1);
  if (last?.kind === 'text') out[out.length - 1] = { kind: 'text', text: last.text + text };
  else out.push({ kind: 'text', text });
};

const pushMixed = (out: TextSegment[], word: string): void => {
  let from = 0;
  for (const match of word.matchAll(FOREIGN)) {
    if (match.index > from) append(out, word.slice(from, match.index));
    out.push({ kind: 'lookalike', text: match[0], shown: [...match[0]].map(codePoint).join(' ') });
    from = match.index + match[0].length;
  }
  if (from < word.length) append(out, word.slice(from));
};

/** How many places need pointing at. */
export const countHidden = (segments: readonly TextSegment[]): number => segments.filter((s) => s.kind !== 'text').length;

/** The same as one plain string, for labels and names where no mark can stand. */
export const escapeHidden = (text: string): string =>
  splitHidden(text).map((s) => (s.kind === 'hidden' ? `⟨${s.shown}⟩` : s.kind === 'padding' ? (s.lines > 0 ? '\n' : ' ') : s.text)).join('');
