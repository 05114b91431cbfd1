/** Where a term stands: slots of tools, ascending, and its weight in each. */
export class Posting {
  slots = new Int32Array(4);
  weights = new Float64Array(4);
  length = 0;
  /** tools that still have it */
  live = 0;

  add(slot: number, weight: number): void {
    if (this.length === this.slots.length) {
      const [slots, weights] = [this.slots, this.weights];
      this.slots = new Int32Array(this.length * 2);
      this.weights = new Float64Array(this.length * 2);
      this.slots.set(slots);
      this.weights.set(weights);
    }
    this.slots[this.length] = slot;
    this.weights[this.length] = weight;
    this.length += 1;
    this.live += 1;
  }

  /** `place`: the new slot of each, -1 where its tool is gone. */
  move(place: Int32Array): void {
    let to = 0;
    for (let at = 0; at < this.length; at += 1) {
      const next = place[this.slots[at]!]!;
      if (next < 0) continue;
      this.slots[to] = next;
      this.weights[to] = this.weights[at]!;
      to += 1;
    }
    this.length = to;
  }
}
