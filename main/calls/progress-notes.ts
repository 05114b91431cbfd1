import type { Clock } from '../clock.ts';
import type { PrivacyFilter } from '../evidence/privacy-filter.ts';
import type { WireProgress } from '../servers/wire-outcome.ts';

const PAUSE_MS = 5_000;
const MOST_NOTES = 20;
const LONGEST_WORDS = 200;

/** Progress as evidence: the first report, then at most one in five seconds and twenty in all (F23). The words are the server's own. */
export class ProgressNotes {
  readonly #clock: Clock;
  readonly #filter: Pick<PrivacyFilter, 'text'>;
  readonly #write: (data: Readonly<Record<string, unknown>>) => void;
  #last = Number.NEGATIVE_INFINITY;
  #written = 0;
  #seen = 0;

  constructor(clock: Clock, filter: Pick<PrivacyFilter, 'text'>, write: (data: Readonly<Record<string, unknown>>) => void) {
    this.#clock = clock;
    this.#filter = filter;
    this.#write = write;
  }

  add(report: WireProgress): void {
    this.#seen += 1;
    const now = this.#clock.monotonic();
    if (this.#written >= MOST_NOTES || now - this.#last < PAUSE_MS) return;
    this.#last = now;
    this.#written += 1;
    const number = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
    const words = typeof report.message === 'string' ? this.#filter.text(report.message).slice(0, LONGEST_WORDS).toWellFormed() : undefined;
    this.#write({ progress: number(report.progress), total: number(report.total), message: words, reports: this.#seen });
  }
}
