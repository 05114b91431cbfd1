/** Runs one job at a time. Whoever asks while it runs makes it run once more; so the last wish is always seen. */
export class Driver {
  readonly #job: () => Promise<void>;
  #running: Promise<void> | null = null;
  #asked = false;

  /** `job` must not throw. */
  constructor(job: () => Promise<void>) {
    this.#job = job;
  }

  get isIdle(): boolean {
    return this.#running === null;
  }

  ask(): void {
    this.#asked = true;
    if (this.#running !== null) return;
    this.#asked = false;
    this.#running = this.#job().finally(() => {
      this.#running = null;
      if (this.#asked) this.ask();
    });
  }

  /** Resolves when nothing runs and nothing was asked meanwhile. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }
}
