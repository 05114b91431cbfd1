/** A picture, sound or document of a result, as the bytes say, not as the server does. */
export interface MediaPart {
  /** JSON Pointer of the block in the stored result */
  readonly part: string;
  /** by the first bytes; null: none that is known */
  readonly mediaType: string | null;
  /** the server's word */
  readonly declared: string;
  /** decoded */
  readonly sizeBytes: number;
  /** larger side, where it could be read */
  readonly pixels: number | null;
  /** base64 in the standard alphabet; null where it is none, or more than MOST_MEDIA_BYTES */
  readonly data: string | null;
}

/** What is carried towards a model at most, decoded; what a route takes is less. */
export const MOST_MEDIA_BYTES = 8 * 1_048_576;
/** Decoded bytes of the beginning that tell type and size. */
const HEAD_BYTES = 65_536;

const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to);

/** Media type by magic bytes (WHATWG MIME Sniffing, sections 6.1 to 6.3; PDF by ISO 32000), or null. */
export const sniffMedia = (bytes: Buffer): string | null => {
  if (bytes.length < 4) return null;
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'image/png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (/^GIF8[79]a/.test(ascii(bytes, 0, 6))) return 'image/gif';
  if (ascii(bytes, 0, 4) === 'RIFF') return ({ WEBP: 'image/webp', WAVE: 'audio/wav' } as Readonly<Record<string, string>>)[ascii(bytes, 8, 12)] ?? null;
  if (ascii(bytes, 0, 2) === 'BM' && bytes.length > 26) return 'image/bmp';
  if (ascii(bytes, 0, 4) === 'II*\0' || ascii(bytes, 0, 4) === 'MM\0*') return 'image/tiff';
  if (ascii(bytes, 0, 5) === '%PDF-') return 'application/pdf';
  if (ascii(bytes, 0, 4) === 'OggS') return 'audio/ogg';
  if (ascii(bytes, 0, 4) === 'fLaC') return 'audio/flac';
  if (ascii(bytes, 0, 3) === 'ID3' || (bytes[0] === 0xff && (bytes[1]! & 0xe6) === 0xe2)) return 'audio/mpeg';
  if (ascii(bytes, 4, 8) === 'ftyp') return /^(?:M4A|M4B)/.test(ascii(bytes, 8, 12)) ? 'audio/mp4' : /^(?:avif|avis)/.test(ascii(bytes, 8, 12)) ? 'image/avif' : 'video/mp4';
  if (bytes.readUInt32BE(0) === 0x1a45dfa3) return 'video/webm';
  return null;
};

const jpegPixels = (bytes: Buffer): number | null => {
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1]!;
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) return Math.max(bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7));
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
};

/** The larger side in pixels, from the header alone: PNG 11.2.2, GIF 18, WebP (VP8X, VP8, VP8L), JPEG B.2.2. */
const pixelsOf = (bytes: Buffer, mediaType: string | null): number | null => {
  if (mediaType === 'image/png' && bytes.length >= 24) return Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
  if (mediaType === 'image/gif' && bytes.length >= 10) return Math.max(bytes.readUInt16LE(6), bytes.readUInt16LE(8));
  if (mediaType === 'image/jpeg') return jpegPixels(bytes);
  if (mediaType !== 'image/webp' || bytes.length < 30) return null;
  const form = ascii(bytes, 12, 16);
  if (form === 'VP8X') return Math.max(bytes.readUIntLE(24, 3), bytes.readUIntLE(27, 3)) + 1;
  if (form === 'VP8 ') return Math.max(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  const packed = bytes.readUInt32LE(21);
  return Math.max(packed & 0x3fff, (packed >> 14) & 0x3fff) + 1;
};

/** Without the padding at the end; a pattern would try it at every place of a text of nothing else. */
const withoutPadding = (text: string): string => {
  let end = text.length;
  while (end > 0 && text[end - 1] === '=') end -= 1;
  return text.slice(0, end);
};

/** base64 in the standard alphabet without line breaks, also from the URL alphabet and from a data URI; null where it is none (RFC 4648, 4 and 5). */
const plainBase64 = (text: string): string | null => {
  const bare = withoutPadding(text.replace(/^data:[^,]{0,200},/, '').replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/'));
  if (bare.length % 4 === 1 || !/^[A-Za-z0-9+/]*$/.test(bare)) return null;
  return bare + '='.repeat((4 - (bare.length % 4)) % 4);
};

const decodedBytes = (base64: string): number => Math.floor((withoutPadding(base64).length * 3) / 4);

/** What the base64 text of one block is. Decodes its beginning only. */
export const readMedia = (text: string, declared: string, part: string): MediaPart => {
  const data = plainBase64(text);
  if (data === null || data === '') return { part, mediaType: null, declared, sizeBytes: decodedBytes(text), pixels: null, data: null };
  const head = Buffer.from(data.slice(0, Math.ceil(HEAD_BYTES / 3) * 4), 'base64');
  const mediaType = sniffMedia(head);
  const sizeBytes = decodedBytes(data);
  return { part, mediaType, declared, sizeBytes, pixels: pixelsOf(head, mediaType), data: sizeBytes > MOST_MEDIA_BYTES ? null : data };
};

/** base64 this long is told by its size, in structured values and inside texts. */
const LONG = 1_024;
const LONG_IN_TEXT = 4_096;
const IS_BASE64 = /^(?:data:[^,\s]{0,200},)?[A-Za-z0-9+/_-]+={0,2}$/;
/** The same in lines, as mail carries it. */
const IS_LINES = /^(?:data:[^,\s]{0,200},)?[A-Za-z0-9+/_\r\n-]+={0,2}[\r\n]{0,2}$/;

/** Words, DNA and hex are long runs of such letters too; data that fills whole bytes shows capitals, small letters and digits early. */
const looksBinary = (text: string): boolean => {
  const head = text.slice(0, 600).replace(/^data:[^,]*,/, '');
  return text.startsWith('data:') || (/[a-f]/.test(head) && /[G-Z]/.test(head) && /[g-z]/.test(head) && /[0-9]/.test(head));
};

/** A structured value of zero bytes alone, as an empty picture or file is. In a text it may be words. */
const isZeros = (text: string): boolean => /^A{600}$/.test(text.slice(0, 600));

export const sizeNote = (text: string): string => `[base64, ${decodedBytes(text.replace(/^data:[^,]*,/, ''))} bytes, not shown]`;

/** A structured text that is base64 data as a whole. `amongMedia`: it is the data member of something with a media type, where lines and rare letters are taken for it, too. */
export const isLongBase64 = (text: string, amongMedia: boolean): boolean => text.length > LONG && (amongMedia ? IS_LINES.test(text) : IS_BASE64.test(text) && (looksBinary(text) || isZeros(text)));

const isLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x2f && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x5f;
const PREFIX = /data:[a-z0-9.+/-]{0,100};base64,$/i;
const LONGEST_PREFIX = 120;
const PADDING = 0x3d;

/** The first run of at least LONG_IN_TEXT letters of base64 from here on. Looked for by hand: a pattern over a run of some megabytes overflows the engine's stack. */
const nextRun = (text: string, from: number): { readonly start: number; readonly end: number } | null => {
  for (let start = from; start + LONG_IN_TEXT <= text.length; ) {
    let back = start + LONG_IN_TEXT - 1;
    while (back >= start && isLetter(text.charCodeAt(back))) back -= 1;
    if (back >= start) {
      start = back + 1;
      continue;
    }
    let end = start + LONG_IN_TEXT;
    while (end < text.length && isLetter(text.charCodeAt(end))) end += 1;
    for (let padded = 0; padded < 2 && text.charCodeAt(end) === PADDING; padded += 1) end += 1;
    return { start, end };
  }
  return null;
};

/** A text with the long base64 runs in it told by their size. */
export const withoutBase64Runs = (text: string): string => {
  const parts: string[] = [];
  let copied = 0;
  for (let run = nextRun(text, 0); run !== null; run = nextRun(text, run.end)) {
    const prefix = PREFIX.exec(text.slice(Math.max(copied, run.start - LONGEST_PREFIX), run.start))?.[0] ?? '';
    const whole = prefix + text.slice(run.start, run.end);
    if (!looksBinary(whole)) continue;
    parts.push(text.slice(copied, run.start - prefix.length), sizeNote(whole));
    copied = run.end;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(copied);
};
