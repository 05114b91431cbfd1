import { StringDecoder } from 'node:string_decoder';

/** A bare carriage return redraws a progress line: its last state counts. */
const lastRedraw = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line).split('\r').at(-1) ?? '';

/** How much of an endless line waits for what follows, so that a secret which is not whole yet is not cut. */
const HELD_BACK = 8 * 1024;

/** Cuts stderr into lines for people: never fails, never holds more than `capChars` of an unfinished line. */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onLine: (text: string) => void;
  readonly #capChars: number;
  readonly #mask: ((text: string) => string) | undefined;
  #rest = '';

  /** `mask` hides known secrets: a line over the cap is then never cut inside one. */
  constructor(onLine: (text: string) => void, capChars = 64 * 1024, mask?: (text: string) => string) {
    this.#onLine = onLine;
    this.#capChars = capChars;
    this.#mask = mask;
  }

  /** The line that waits for its end, in its last redraw. */
  get unfinished(): string {
    return lastRedraw(this.#rest);
  }

  push(chunk: Buffer): void {
    const text = this.#rest + this.#decoder.write(chunk);
    const lines = text.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#emit(line);
    // what is drawn over is not kept; a return at the end may belong to a line break
    const redrawn = this.#rest.lastIndexOf('\r', this.#rest.length - 2);
    if (redrawn >= 0) this.#rest = this.#rest.slice(redrawn + 1);
    if (this.#rest.length > this.#capChars) {
      // once masked, no whole secret is left to cut, and one that is still coming stands in what is held back
      const masked = this.#mask?.(this.#rest) ?? this.#rest;
      const at = this.#mask === undefined ? masked.length : Math.max(0, masked.length - HELD_BACK);
      this.#emit(masked.slice(0, at));
      this.#rest = masked.slice(at);
    }
  }

  end(): void {
    const rest = this.#rest + this.#decoder.end();
    this.#rest = '';
    if (rest !== '') this.#emit(rest);
  }

  #emit(line: string): void {
    const shown = lastRedraw(line);
    if (shown !== '') this.#onLine(shown);
  }
}
