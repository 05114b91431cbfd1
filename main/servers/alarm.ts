/** One timer that is set anew or cleared as a whole; what it is for is said by who sets it. */
export class Alarm {
  #timer: NodeJS.Timeout | null = null;

  get isSet(): boolean {
    return this.#timer !== null;
  }

  /** Runs `then` once, after `ms`, unless it is set anew or cleared before. */
  set(ms: number, then: () => void): void {
    this.clear();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      then();
    }, ms);
  }

  clear(): void {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
  }
}
