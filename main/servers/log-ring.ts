import type { LogLine } from '../../shared/server.ts';

export const LOG_LINES_CAP = 2000;
export const LOG_BYTES_CAP = 512 * 1024;
/** One line of a server's log; longer ones are cut and say so. */
export const LOG_LINE_CAP = 8 * 1024;

/**
 * The last lines of a server: capped by lines and by bytes, with a count of what was dropped, so that a flood costs no memory and is not hidden (C010, F24).
 * `seq` grows by one with each line and never repeats within a run of the host.
 */
export class LogRing {
  readonly #lines: (LogLine | undefined)[] = [];
  readonly #linesCap: number;
  readonly #bytesCap: number;
  #head = 0;
  #bytes = 0;
  #nextSeq = 1;
  #dropped = 0;

  constructor(options: { readonly linesCap?: number; readonly bytesCap?: number } = {}) {
    this.#linesCap = options.linesCap ?? LOG_LINES_CAP;
    this.#bytesCap = options.bytesCap ?? LOG_BYTES_CAP;
  }

  get nextSeq(): number {
    return this.#nextSeq;
  }

  get droppedLines(): number {
    return this.#dropped;
  }

  get heldBytes(): number {
    return this.#bytes;
  }

  push(at: number, source: LogLine['source'], text: string): LogLine {
    const cut = text.length > LOG_LINE_CAP ? `${text.slice(0, LOG_LINE_CAP)}… (${text.length - LOG_LINE_CAP} more characters)` : text;
    const line: LogLine = { seq: this.#nextSeq++, at, source, text: cut.toWellFormed() };
    this.#lines.push(line);
    this.#bytes += line.text.length;
    while (this.#lines.length - this.#head > this.#linesCap || this.#bytes > this.#bytesCap) {
      this.#bytes -= this.#lines[this.#head]!.text.length;
      this.#lines[this.#head] = undefined;
      this.#head++;
      this.#dropped++;
    }
    if (this.#head > this.#linesCap) {
      this.#lines.splice(0, this.#head);
      this.#head = 0;
    }
    return line;
  }

  after(seq = 0): { readonly lines: LogLine[]; readonly droppedLines: number; readonly nextSeq: number } {
    const lines = this.#lines.slice(this.#head).filter((line): line is LogLine => line !== undefined && line.seq > seq);
    return { lines, droppedLines: this.#dropped, nextSeq: this.#nextSeq };
  }

  /** The last `count` lines of a source from `fromSeq` on, oldest first. */
  last(count: number, source: LogLine['source'], fromSeq = 0): string[] {
    const found: string[] = [];
    for (let i = this.#lines.length - 1; i >= this.#head && found.length < count; i--) {
      const line = this.#lines[i]!;
      if (line.seq < fromSeq) break;
      if (line.source === source) found.unshift(line.text);
    }
    return found;
  }
}
