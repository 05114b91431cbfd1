const MAY_DECODE = /%[0-9a-f]{2}|\\[^]|&(?:#|amp;|lt;|gt;|quot;|apos;)/i;
/** Alternatives begin with different characters and none has an unbounded part: linear. Zeros before an entity's number: up to seven. */
const ESCAPE = /(?:%[0-9a-f]{2}|\\x[0-9a-f]{2})|\\u(?:[0-9a-f]{4}|\{0{0,4}[0-9a-f]{1,6}\})|\\[^ux]|&(?:#0{0,7}[0-9]{1,7};|#x0{0,7}[0-9a-f]{1,6};|amp;|lt;|gt;|quot;|apos;)/gi;
const NAMED: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" };
const LETTERS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

const ofCodePoint = (code: number): string | null => (code <= 0x10ffff ? String.fromCodePoint(code) : null);

const decodeOne = (escape: string): string | null => {
  const second = escape[1]!;
  if (escape[0] === '&') {
    if (second !== '#') return NAMED[escape.toLowerCase()] ?? null;
    return ofCodePoint(/^&#x/i.test(escape) ? Number.parseInt(escape.slice(3), 16) : Number.parseInt(escape.slice(2), 10));
  }
  if (second === 'u' && escape.length > 2) return ofCodePoint(Number.parseInt(escape.replace(/[{}]/g, '').slice(2), 16));
  return LETTERS[second] ?? second;
};

/** Bytes after a lead byte of UTF-8 (RFC 3629). */
const followers = (byte: number): number => (byte < 0xc2 || byte > 0xf4 ? 0 : byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1);

export interface DecodedText {
  readonly text: string;
  /** Where a character of `text` begins in the source; its length for the end. */
  sourceOf(at: number): number;
}

/**
 * The text with each escape read once, whichever family each is of: percent-encoding (RFC 3986), `\x`, `\u` and the short escapes of JSON and
 * JavaScript, entities of HTML. So a value is met whatever its writer chose to escape. Null when there is none. One pass; what does not read as an
 * escape stays.
 */
export const decodeText = (source: string): DecodedText | null => {
  if (!MAY_DECODE.test(source)) return null;
  let text = '';
  let from = 0;
  const ats: number[] = [0];
  const sources: number[] = [0];
  const put = (decoded: string, start: number, end: number): void => {
    text += source.slice(from, start);
    ats.push(text.length);
    sources.push(start);
    text += decoded;
    ats.push(text.length);
    sources.push(end);
    from = end;
  };
  let bytes: number[] = [];
  let begun = 0;
  let want = 0;
  let ended = -1;
  for (const found of source.matchAll(ESCAPE)) {
    const escape = found[0];
    const start = found.index;
    const end = start + escape.length;
    const isByte = escape[0] === '%' || /^\\x../i.test(escape);
    if (!isByte) {
      want = 0;
      const decoded = decodeOne(escape);
      if (decoded !== null) put(decoded, start, end);
      continue;
    }
    const byte = Number.parseInt(escape.slice(-2), 16);
    if (want > 0 && start === ended && (byte & 0xc0) === 0x80) {
      bytes.push(byte);
      ended = end;
      want -= 1;
      if (want === 0) put(Buffer.from(bytes).toString('utf8'), begun, end);
      continue;
    }
    want = byte < 0x80 ? 0 : followers(byte);
    if (byte < 0x80) put(String.fromCharCode(byte), start, end);
    bytes = [byte];
    begun = start;
    ended = end;
  }
  if (ats.length === 1) return null;
  text += source.slice(from);
  return {
    text,
    sourceOf: (at) => {
      let low = 0;
      for (let high = ats.length - 1; low < high; ) {
        const middle = (low + high + 1) >> 1;
        if (ats[middle]! <= at) low = middle;
        else high = middle - 1;
      }
      return Math.min(sources[low]! + at - ats[low]!, sources[low + 1] ?? source.length);
    },
  };
};
