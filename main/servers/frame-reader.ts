import { FRAME_CAP_BYTES, JUNK_CAP_BYTES, KEPT_END_BYTES, PASSED_CAP_BYTES } from './frame-caps.ts';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BOM = [0xef, 0xbb, 0xbf];

/** A line over the cap that was read past: its size and its two ends. */
export interface PassedFrame {
  readonly sizeBytes: number;
  readonly head: Buffer;
  readonly tail: Buffer;
}

export interface FrameReaderOptions {
  readonly capBytes?: number;
  readonly passedCapBytes?: number;
  readonly onFrame: (bytes: Buffer) => void;
  /** a message over the cap ended; nothing of it was kept but its ends */
  readonly onPassed?: (frame: PassedFrame) => void;
  /** nothing is read after this */
  readonly onTooLarge: (sizeBytes: number) => void;
}

interface Passing {
  sizeBytes: number;
  readonly head: Buffer;
  tail: Buffer;
}

/** A copy of the first bytes of parts. */
export const firstBytes = (parts: readonly Buffer[], length: number): Buffer => {
  let have = 0;
  const needed = parts.filter((part) => (have += part.length) - part.length < length);
  return Buffer.from(Buffer.concat(needed).subarray(0, length));
};

const beginsAsMessage = (bytes: Buffer): boolean => {
  for (const byte of bytes.subarray(0, KEPT_END_BYTES)) {
    if (byte === 0x7b || byte === 0x5b) return true;
    if (byte !== 0x20 && byte !== 0x09 && !BOM.includes(byte)) return false;
  }
  return false;
};

/**
 * Cuts a byte stream into lines. Bytes are kept as they came (a UTF-8 sequence may be split over chunks) and joined once per line.
 * CRLF and a leading BOM are taken off; empty lines are dropped. A message over the cap is read past and told at its end; a line that is no
 * message, or has no end, is reported once, and nothing is read after it (F05). Many legal messages in one chunk are all accepted (F06).
 */
export class FrameReader {
  readonly #capBytes: number;
  readonly #passedCapBytes: number;
  readonly #options: FrameReaderOptions;
  #parts: Buffer[] = [];
  #held = 0;
  #first = true;
  #stopped = false;
  /** of the line that is read past */
  #passing: Passing | null = null;

  constructor(options: FrameReaderOptions) {
    this.#capBytes = options.capBytes ?? FRAME_CAP_BYTES;
    this.#passedCapBytes = options.onPassed === undefined ? this.#capBytes : Math.max(this.#capBytes, options.passedCapBytes ?? PASSED_CAP_BYTES);
    this.#options = options;
  }

  /** Bytes of an unfinished line; bounded by the cap. */
  get heldBytes(): number {
    return this.#held;
  }

  push(chunk: Buffer): void {
    let from = 0;
    while (!this.#stopped) {
      const end = chunk.indexOf(NEWLINE, from);
      const piece = end < 0 ? chunk.subarray(from) : chunk.subarray(from, end);
      if (this.#passing === null && this.#held + piece.length > this.#limit(piece) && !this.#startPassing(piece)) return this.#refuse(this.#held + piece.length);
      if (this.#passing !== null) {
        if (!this.#pass(this.#passing, piece, end >= 0)) return;
      } else if (end < 0) {
        if (piece.length > 0) {
          this.#parts.push(piece);
          this.#held += piece.length;
        }
      } else this.#finish(piece);
      if (end < 0) return;
      from = end + 1;
    }
  }

  /** Half a line before the end is no message (F03): dropped, its size returned. */
  end(): number {
    const lost = this.#passing?.sizeBytes ?? this.#held;
    this.#parts = [];
    this.#held = 0;
    this.#passing = null;
    return lost;
  }

  #limit(piece: Buffer): number {
    // asked only where it matters: small lines are the path of every call
    if (this.#held + piece.length <= JUNK_CAP_BYTES) return this.#capBytes;
    return beginsAsMessage(this.#parts[0] ?? piece) ? this.#capBytes : Math.min(this.#capBytes, JUNK_CAP_BYTES);
  }

  #startPassing(piece: Buffer): boolean {
    const first = this.#parts[0] ?? piece;
    if (this.#passedCapBytes === this.#capBytes || !beginsAsMessage(first)) return false;
    const head = firstBytes([...this.#parts, piece], KEPT_END_BYTES);
    this.#passing = { sizeBytes: this.#held, head, tail: Buffer.alloc(0) };
    this.#parts = [];
    this.#held = 0;
    return true;
  }

  /** False when no more is read. */
  #pass(passing: Passing, piece: Buffer, ends: boolean): boolean {
    passing.sizeBytes += piece.length;
    if (passing.sizeBytes > this.#passedCapBytes) {
      this.#refuse(passing.sizeBytes);
      return false;
    }
    if (piece.length > 0) passing.tail = Buffer.from(Buffer.concat([passing.tail, piece.subarray(-KEPT_END_BYTES)]).subarray(-KEPT_END_BYTES));
    if (ends) {
      this.#passing = null;
      this.#first = false;
      this.#options.onPassed?.(passing);
    }
    return true;
  }

  #finish(last: Buffer): void {
    let line = last;
    if (this.#parts.length > 0) {
      this.#parts.push(last);
      line = Buffer.concat(this.#parts, this.#held + last.length);
      this.#parts = [];
      this.#held = 0;
    }
    if (this.#first) {
      this.#first = false;
      if (line.length >= 3 && BOM.every((byte, i) => line[i] === byte)) line = line.subarray(3);
    }
    if (line.length > 0 && line[line.length - 1] === RETURN) line = line.subarray(0, line.length - 1);
    if (line.length > 0) this.#options.onFrame(line);
  }

  #refuse(sizeBytes: number): void {
    this.#stopped = true;
    this.#parts = [];
    this.#held = 0;
    this.#passing = null;
    this.#options.onTooLarge(sizeBytes);
  }
}
