import type { LogLine } from '../../shared/server.ts';

export const LOG_LINES_CAP = 2000;
export const LOG_BYTES_CAP = 512 * 1024;
/** One line of a server's log; longer ones are cut and say so. */
export const LOG_LINE_CAP = 8 * 1024;

/** Of each start: its first lines, and the first that speak of a failure, stay when a flood pushes out what follows. */
const FIRST_LINES = 50;
const FAILURE_LINES = 50;
/** Of all that stays so, over several starts. */
const KEPT_LINES = 200;
const KEPT_BYTES = 96 * 1024;
/** What is looked at of a line for that: its words stand at its beginning. */
const LOOKED_AT = 400;
const FAILURE = /\b(error|err!|fatal|panic(ked)?|exception|traceback|critical|emerg(ency)?|fail(ed|ure)?|refused|denied|unhandled|segfault|cannot|could not)\b|[a-z]Error\b|错误|失败|异常/i;

interface Held {
  line: LogLine;
  readonly start: number;
  readonly keep: boolean;
}

/**
 * The lines of a server: the latest, capped by lines and by bytes, and before them the first lines and the first failures of its starts, with a count of what
 * was dropped, so that a flood costs no memory, hides nothing that tells why, and is not hidden itself (C010, C115, F24). Equal lines in succession are one with
 * a count. `seq` grows by one with each line that is no repetition and never repeats within a run of the host.
 */
export class LogRing {
  readonly #kept: Held[] = [];
  readonly #lines: (Held | undefined)[] = [];
  readonly #linesCap: number;
  readonly #bytesCap: number;
  readonly #keptCap: number;
  #head = 0;
  #bytes = 0;
  #keptBytes = 0;
  #nextSeq = 1;
  #dropped = 0;
  #start = 0;
  #firstLeft = FIRST_LINES;
  #failuresLeft = FAILURE_LINES;

  constructor(options: { readonly linesCap?: number; readonly bytesCap?: number; readonly keptCap?: number } = {}) {
    this.#linesCap = options.linesCap ?? LOG_LINES_CAP;
    this.#bytesCap = options.bytesCap ?? LOG_BYTES_CAP;
    this.#keptCap = options.keptCap ?? KEPT_LINES;
  }

  get nextSeq(): number {
    return this.#nextSeq;
  }

  /** Lines that came and are not held, each repetition counted. */
  get droppedLines(): number {
    return this.#dropped;
  }

  /** Characters of all that is held. */
  get heldBytes(): number {
    return this.#bytes + this.#keptBytes;
  }

  /** The server is started: its first lines count from here. */
  begin(): void {
    this.#start++;
    this.#firstLeft = FIRST_LINES;
    this.#failuresLeft = FAILURE_LINES;
  }

  /** The line as it is held: a repetition of the last one is that line, with its count and the time of the latest. */
  push(at: number, source: LogLine['source'], text: string): LogLine {
    const cut = (text.length > LOG_LINE_CAP ? `${text.slice(0, LOG_LINE_CAP)}… (${text.length - LOG_LINE_CAP} more characters)` : text).toWellFormed();
    const last = this.#lines.at(-1);
    if (last && last.start === this.#start && last.line.source === source && last.line.text === cut) {
      last.line = { ...last.line, count: (last.line.count ?? 1) + 1, lastAt: at };
      return last.line;
    }
    const line: LogLine = { seq: this.#nextSeq++, at, source, text: cut };
    this.#lines.push({ line, start: this.#start, keep: this.#worthKeeping(cut) });
    this.#bytes += cut.length;
    while (this.#lines.length - this.#head > this.#linesCap || this.#bytes > this.#bytesCap) this.#shift();
    if (this.#head > this.#linesCap) {
      this.#lines.splice(0, this.#head);
      this.#head = 0;
    }
    return line;
  }

  after(seq = 0): { readonly lines: LogLine[]; readonly droppedLines: number; readonly nextSeq: number } {
    const lines = [...this.#kept, ...this.#lines.slice(this.#head)].flatMap((held) => (held !== undefined && held.line.seq > seq ? [held.line] : []));
    return { lines, droppedLines: this.#dropped, nextSeq: this.#nextSeq };
  }

  /** The last `count` lines of a source from `fromSeq` on, oldest first. */
  last(count: number, source: LogLine['source'], fromSeq = 0): string[] {
    const found: string[] = [];
    for (let i = this.#lines.length - 1; i >= this.#head && found.length < count; i--) {
      const { line } = this.#lines[i]!;
      if (line.seq < fromSeq) break;
      if (line.source === source) found.unshift(line.text);
    }
    return found;
  }

  #worthKeeping(text: string): boolean {
    if (this.#firstLeft > 0) {
      this.#firstLeft--;
      return true;
    }
    if (this.#failuresLeft === 0 || !FAILURE.test(text.slice(0, LOOKED_AT))) return false;
    this.#failuresLeft--;
    return true;
  }

  #shift(): void {
    const held = this.#lines[this.#head]!;
    this.#lines[this.#head++] = undefined;
    this.#bytes -= held.line.text.length;
    if (!held.keep || this.#keptCap === 0) return this.#drop(held);
    this.#kept.push(held);
    this.#keptBytes += held.line.text.length;
    while (this.#kept.length > this.#keptCap || this.#keptBytes > Math.min(KEPT_BYTES, this.#bytesCap)) {
      // of an earlier start the oldest goes; within one start its first lines tell most
      const [gone] = this.#kept.splice(this.#kept[0]!.start < this.#start ? 0 : this.#kept.length - 1, 1);
      this.#keptBytes -= gone!.line.text.length;
      this.#drop(gone!);
    }
  }

  #drop({ line }: Held): void {
    this.#dropped += line.count ?? 1;
  }
}
