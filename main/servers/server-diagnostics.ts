import type { ServerDetail } from '../../shared/server.ts';

const JUNK_SAMPLES = 20;
const ANOMALIES_KEPT = 50;
/** After so many breaches of the protocol the server is called faulty once (F07). */
export const ANOMALIES_FAULTY = 100;

/** Counts and first samples of what a server does that it should not; bounded. */
export class ServerDiagnostics {
  #junkLines = 0;
  readonly #junkSamples: string[] = [];
  readonly #anomalies: { at: number; what: string }[] = [];
  #anomalyCount = 0;
  #restarts = 0;

  junk(text: string): void {
    this.#junkLines++;
    if (this.#junkSamples.length < JUNK_SAMPLES) this.#junkSamples.push(text.slice(0, 500).toWellFormed());
  }

  /** Returns the count so far. */
  anomaly(at: number, what: string): number {
    this.#anomalies.push({ at, what: what.slice(0, 300).toWellFormed() });
    if (this.#anomalies.length > ANOMALIES_KEPT) this.#anomalies.shift();
    return ++this.#anomalyCount;
  }

  restarted(): void {
    this.#restarts++;
  }

  view(stderrDroppedLines: number): ServerDetail['diagnostics'] {
    return { junkLines: this.#junkLines, junkSamples: [...this.#junkSamples], stderrDroppedLines, anomalies: [...this.#anomalies], restarts: this.#restarts };
  }
}
