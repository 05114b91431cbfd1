import { StringDecoder } from 'node:string_decoder';
import type { Masker } from '../secrets/mask.ts';

/** A bare carriage return redraws a progress line: its last state counts. */
const lastRedraw = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line).split('\r').at(-1) ?? '';

/** Cuts stderr into lines for people: never fails, never holds more than `capChars` of an unfinished line. */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onLine: (text: string) => void;
  readonly #capChars: number;
  readonly #unfinishedAt: (text: string) => number;
  #rest = '';

  /** `secrets` knows where a known value may have begun that is not whole yet: no line is cut or shown inside one. */
  constructor(onLine: (text: string) => void, capChars = 64 * 1024, secrets?: Pick<Masker, 'unfinishedAt'>) {
    this.#onLine = onLine;
    this.#capChars = capChars;
    this.#unfinishedAt = (text) => secrets?.unfinishedAt(text) ?? text.length;
  }

  /** The line that waits for its end, in its last redraw, up to where a known secret may have begun. */
  get unfinished(): string {
    return lastRedraw(this.#rest.slice(0, this.#unfinishedAt(this.#rest)));
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
      // a secret longer than the cap cannot wait for its end
      const at = this.#unfinishedAt(this.#rest) || this.#rest.length;
      this.#emit(this.#rest.slice(0, at));
      this.#rest = this.#rest.slice(at);
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
