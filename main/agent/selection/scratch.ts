/** Room for the ranking of one request after another, by slot: nothing is made on the way, and what one used is cleared for the next. */
export class Scratch {
  score = new Float64Array(0);
  covered = new Float64Array(0);
  parts = new Float64Array(0);
  direct = new Float64Array(0);
  near = new Float64Array(0);
  /** found by one term */
  here = new Int32Array(0);
  /** found by any, in the order in which they were */
  found = new Int32Array(0);
  isFound = new Uint8Array(0);
  foundCount = 0;
  readonly #clauses: Float64Array[] = [];

  /** Makes room for so many slots, all zero. */
  begin(slots: number): void {
    if (this.score.length < slots) {
      const room = Math.max(64, slots + (slots >>> 1));
      for (const name of ['score', 'covered', 'parts', 'direct', 'near'] as const) this[name] = new Float64Array(room);
      for (const name of ['here', 'found'] as const) this[name] = new Int32Array(room);
      this.isFound = new Uint8Array(room);
      this.#clauses.length = 0;
    } else {
      for (let at = 0; at < this.foundCount; at += 1) {
        const slot = this.found[at]!;
        this.score[slot] = 0;
        this.covered[slot] = 0;
        this.parts[slot] = 0;
        this.isFound[slot] = 0;
        for (const clause of this.#clauses) clause[slot] = 0;
      }
    }
    this.foundCount = 0;
  }

  clause(at: number): Float64Array {
    return (this.#clauses[at] ??= new Float64Array(this.score.length));
  }
}
