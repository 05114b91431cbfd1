import type { LogLine } from '../../shared/server.ts';
import { LogRing } from './log-ring.ts';

const FLUSH_EVERY_MS = 200;
const LINES_IN_EVENT = 100;

/** A server's log: a ring, and events to the windows at a bounded rate, a repetition as the line it repeats with its count; a window that missed lines reads them from the ring. */
export class ServerLog {
  readonly ring = new LogRing();
  readonly #now: () => number;
  readonly #emit: (lines: LogLine[], droppedLines: number) => void;
  #waiting: LogLine[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(now: () => number, emit: (lines: LogLine[], droppedLines: number) => void) {
    this.#now = now;
    this.#emit = emit;
  }

  add(source: LogLine['source'], text: string): void {
    const line = this.ring.push(this.#now(), source, text);
    if (this.#waiting.at(-1)?.seq === line.seq) this.#waiting.pop();
    this.#waiting.push(line);
    if (this.#waiting.length > LINES_IN_EVENT) this.#waiting.shift();
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      const lines = this.#waiting;
      this.#waiting = [];
      this.#emit(lines, this.ring.droppedLines);
    }, FLUSH_EVERY_MS).unref();
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
