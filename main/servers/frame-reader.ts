
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** 16 MiB for one message (F05); many legal messages in one chunk are all accepted (F06). */
export const FRAME_CAP_BYTES = 16 * 1024 * 1024;

/**
 * Cuts a byte stream into lines. Bytes are kept as they came (a UTF-8 sequence may be split over chunks) and joined once per line.
 * CRLF and a leading BOM are taken off; empty lines are dropped. A line over the cap is reported once, and nothing is read after it.
 */
export class FrameReader {
  readonly #capBytes: number;
  readonly #onFrame: (bytes: Buffer) => void;
  readonly #onTooLarge: (sizeBytes: number) => void;
  #parts: Buffer[] = [];
  #held = 0;
  #first = true;
  #stopped = false;

  constructor(options: { readonly capBytes?: number; readonly onFrame: (bytes: Buffer) => void; readonly onTooLarge: (sizeBytes: number) => void }) {
    this.#capBytes = options.capBytes ?? FRAME_CAP_BYTES;
    this.#onFrame = options.onFrame;
    this.#onTooLarge = options.onTooLarge;
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
      if (this.#held + piece.length > this.#capBytes) return this.#refuse(this.#held + piece.length);
      if (end < 0) {
        if (piece.length > 0) {
          this.#parts.push(piece);
          this.#held += piece.length;
        }
        return;
      }
      this.#finish(piece);
      from = end + 1;
    }
  }

  /** Half a line before the end is no message (F03): dropped, its size returned. */
  end(): number {
    const lost = this.#held;
    this.#parts = [];
    this.#held = 0;
    return lost;
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
      if (line.length >= 3 && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf) line = line.subarray(3);
    }
    if (line.length > 0 && line[line.length - 1] === RETURN) line = line.subarray(0, line.length - 1);
    if (line.length > 0) this.#onFrame(line);
  }

  #refuse(sizeBytes: number): void {
    this.#stopped = true;
    this.#parts = [];
    this.#held = 0;
    this.#onTooLarge(sizeBytes);
  }
}
