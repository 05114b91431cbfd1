import { err, ok, type Result } from '../../shared/result.ts';
import type { IconRefusal } from './icon-refusal.ts';

export const MAX_ICON_PIXELS = 1024;

export interface ImageHeader {
  readonly kind: 'png' | 'jpeg';
  readonly width: number;
  readonly height: number;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Width and height of the one IHDR, which has to come first (PNG, section 5.6); a second one is refused. */
const pngHeader = (bytes: Buffer): Omit<ImageHeader, 'kind'> | null => {
  let size: { width: number; height: number } | null = null;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if ((type === 'IHDR') !== (size === null) || at + 12 + length > bytes.length) return null;
    if (type === 'IHDR') {
      if (length !== 13) return null;
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    }
    if (type === 'IEND') return size;
    at += 12 + length;
  }
  return null;
};

const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** The size in the frame header (ITU T.81, B.2.2), found by going from marker to marker; a second frame is refused. */
const jpegHeader = (bytes: Buffer): Omit<ImageHeader, 'kind'> | null => {
  let size: { width: number; height: number } | null = null;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) {
      at += 1;
      continue;
    }
    const marker = bytes[at + 1]!;
    if (marker === 0xd9) break;
    // fill bytes, stuffed bytes and markers without a length
    if (marker === 0xff || marker === 0x00 || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return null;
    if (isFrame(marker)) {
      if (size !== null || at + 9 > bytes.length) return null;
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    at += 2 + length;
  }
  return size;
};

/** What the picture says it is, read before anything is decoded: PNG or JPEG by its first bytes, and not more pixels than are decoded. */
export const readImageHeader = (bytes: Buffer): Result<ImageHeader, IconRefusal> => {
  const kind = bytes.subarray(0, 8).equals(PNG) ? 'png' : bytes.length > 3 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff ? 'jpeg' : null;
  if (kind === null) return err('not_png_or_jpeg');
  const size = kind === 'png' ? pngHeader(bytes) : jpegHeader(bytes);
  if (size === null || size.width === 0 || size.height === 0) return err('not_decoded');
  return size.width > MAX_ICON_PIXELS || size.height > MAX_ICON_PIXELS ? err('too_many_pixels') : ok({ kind, ...size });
};
