import type { Log } from '../log.ts';
import { writeEnvironmentFacts, type EnvironmentFacts } from './environment-facts.ts';

const SETTLE_MS = 300;

/** Keeps the facts file true while servers come and go; changes within 300 ms are one write. */
export class EnvironmentFactsFile {
  readonly #path: string;
  readonly #log: Log;
  readonly #facts: () => EnvironmentFacts;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, log: Log, facts: () => EnvironmentFacts) {
    this.#path = path;
    this.#log = log;
    this.#facts = facts;
  }

  refresh(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.write();
    }, SETTLE_MS).unref();
  }

  write(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      const written = await writeEnvironmentFacts(this.#path, this.#facts());
      if (!written.ok) this.#log.warn('environment facts were not written', { code: written.error.code });
    });
    return this.#writing;
  }

  async close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#writing;
  }
}
