/** Work of one connection, one piece after the other: while a large frame is read elsewhere, what came after it waits. */
export class InOrder {
  readonly #waiting: { readonly sizeBytes: number; readonly work: () => void | Promise<void> }[] = [];
  readonly #onHeld: (sizeBytes: number) => void;
  #heldBytes = 0;
  #running: Promise<void> | null = null;

  /** `onHeld`: how many bytes wait now. */
  constructor(onHeld: (sizeBytes: number) => void) {
    this.#onHeld = onHeld;
  }

  get isIdle(): boolean {
    return this.#running === null;
  }

  /** `work` must not throw. */
  add(sizeBytes: number, work: () => void | Promise<void>): void {
    this.#waiting.push({ sizeBytes, work });
    this.#heldBytes += sizeBytes;
    this.#onHeld(this.#heldBytes);
    this.#running ??= this.#run();
  }

  /** When nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async #run(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      await next.work();
      this.#heldBytes -= next.sizeBytes;
      this.#onHeld(this.#heldBytes);
    }
    this.#running = null;
  }
}
