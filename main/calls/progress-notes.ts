import type { CallProgress } from '../../shared/call.ts';
import type { Clock } from '../clock.ts';
import type { PrivacyFilter } from '../evidence/privacy-filter.ts';
import type { WireProgress } from '../servers/wire-outcome.ts';

const PAUSE_MS = 5_000;
const MOST_NOTES = 20;
const TELL_EVERY_MS = 250;
const LONGEST_WORDS = 200;

export interface ProgressNotesDeps {
  readonly clock: Clock;
  readonly filter: Pick<PrivacyFilter, 'text'>;
  /** a row of evidence */
  readonly write: (data: Readonly<Record<string, unknown>>) => void;
  /** the windows */
  readonly tell: (progress: CallProgress) => void;
}

/**
 * Progress of one call. As evidence: the first report, then at most one in five seconds and twenty in all (F23). For windows: the latest report, at most four in
 * a second, the last one included. The words are the server's own.
 */
export class ProgressNotes {
  readonly #deps: ProgressNotesDeps;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #toldAt = Number.NEGATIVE_INFINITY;
  #written = 0;
  #seen = 0;
  #latest: WireProgress | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(deps: ProgressNotesDeps) {
    this.#deps = deps;
  }

  add(report: WireProgress): void {
    const { clock, write } = this.#deps;
    this.#seen += 1;
    this.#latest = report;
    const now = clock.monotonic();
    const since = now - this.#toldAt;
    if (since >= TELL_EVERY_MS) this.#tell();
    else this.#timer ??= setTimeout(() => this.#tell(), TELL_EVERY_MS - since).unref();
    if (this.#written >= MOST_NOTES || now - this.#writtenAt < PAUSE_MS) return;
    this.#writtenAt = now;
    this.#written += 1;
    write({ ...this.#shape(report) });
  }

  /** The call is over: nothing is told any more. */
  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#latest = null;
  }

  #tell(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#latest === null) return;
    this.#toldAt = this.#deps.clock.monotonic();
    this.#deps.tell(this.#shape(this.#latest));
  }

  #shape(report: WireProgress): CallProgress {
    const number = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
    const words = typeof report.message === 'string' ? this.#deps.filter.text(report.message).slice(0, LONGEST_WORDS).toWellFormed() : undefined;
    return { progress: number(report.progress), total: number(report.total), message: words, reports: this.#seen };
  }
}
