/** What stands around a line break when a long token is wrapped by a program: indentation, quotes, signs of continuation. */
const DECORATION = new Set([...' \t"\'`,+|>#*\\'].map((c) => c.charCodeAt(0)));
/** Characters of one gap that are looked at, so that hostile text stays linear. */
const LONGEST_GAP = 96;
const BACKSLASH = 0x5c;

const isBreak = (code: number): boolean => code === 0x0a || code === 0x0d || code === 0;

/** Length of the line break that begins at `at`: as it is, escaped (`\n`, `\\n`, `\u000a`) or percent-encoded; else 0. */
const breakFrom = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  if (isBreak(code)) return 1;
  if (code === BACKSLASH) {
    let end = at + 1;
    while (end < at + 8 && text.charCodeAt(end) === BACKSLASH) end += 1;
    if (text[end] === 'n' || text[end] === 'r') return end + 1 - at;
    return /^u000[ad]$/i.test(text.slice(end, end + 5)) ? end + 5 - at : 0;
  }
  return code === 0x25 && /^%0[ad]$/i.test(text.slice(at, at + 3)) ? 3 : 0;
};

/** The same for the line break that ends before `end`. */
const breakUpTo = (text: string, end: number): number => {
  if (isBreak(text.charCodeAt(end - 1))) return 1;
  if (/^%0[ad]$/i.test(text.slice(Math.max(0, end - 3), end))) return 3;
  const letters = /^\\u000[ad]$/i.test(text.slice(Math.max(0, end - 6), end)) ? 5 : /^\\[nr]$/.test(text.slice(Math.max(0, end - 2), end)) ? 1 : 0;
  return letters === 0 ? 0 : letters + 1;
};

/** Where the text goes on with `want` after a line break and its decoration; -1 when nothing of the kind stands at `at`. `broken`: the break was read already. */
export const afterGap = (text: string, at: number, want: number, broken: boolean): number => {
  let seen = broken;
  for (let i = at; i < text.length && i < at + LONGEST_GAP; ) {
    if (seen && text.charCodeAt(i) === want) return i;
    const length = breakFrom(text, i);
    if (length > 0) seen = true;
    else if (!DECORATION.has(text.charCodeAt(i))) return -1;
    i += Math.max(1, length);
  }
  return -1;
};

/** The end of what stands before a gap that ends at `end`, where its last character is `want`; else -1. */
export const beforeGap = (text: string, end: number, want: number, broken: boolean): number => {
  let seen = broken;
  for (let i = end; i > 0 && i > end - LONGEST_GAP; ) {
    const length = breakUpTo(text, i);
    if (seen && length === 0 && text.charCodeAt(i - 1) === want) return i;
    if (length > 0) seen = true;
    else if (!DECORATION.has(text.charCodeAt(i - 1))) return -1;
    i -= Math.max(1, length);
  }
  return -1;
};

/** True when nothing but decoration stands between `at` and the end of the line, of the text, or an ellipsis. */
export const endsLine = (text: string, at: number): boolean => {
  for (let i = at; i < at + LONGEST_GAP; i += 1) {
    if (i >= text.length || breakFrom(text, i) > 0 || text[i] === '…' || text.startsWith('...', i)) return true;
    if (!DECORATION.has(text.charCodeAt(i))) return false;
  }
  return false;
};

/** The same towards the beginning of the line. */
export const beginsLine = (text: string, at: number): boolean => {
  for (let i = at; i > at - LONGEST_GAP; i -= 1) {
    if (i <= 0 || breakUpTo(text, i) > 0 || text[i - 1] === '…' || text.slice(Math.max(0, i - 3), i) === '...') return true;
    if (!DECORATION.has(text.charCodeAt(i - 1))) return false;
  }
  return false;
};
