/** Order in which the texts of a request are computed: what is looked at first, then the rest as given; it can change while running. */
export class WorkOrder {
  private readonly waiting: Set<number>;
  private front: number[] = [];

  /** `indices`: what has to be computed, in default order. */
  constructor(indices: Iterable<number>, first: ArrayLike<number> = []) {
    this.waiting = new Set(indices);
    this.prioritise(first);
  }

  /** These come next, in this order, before earlier priorities; indices that are done or unknown are skipped. */
  prioritise(first: ArrayLike<number>): void {
    this.front = [...Array.from(first), ...this.front].filter((index) => this.waiting.has(index));
  }

  /** Removes and returns the next index; undefined = nothing left. */
  take(): number | undefined {
    for (let index = this.front.shift(); index !== undefined; index = this.front.shift()) {
      if (this.waiting.delete(index)) return index;
    }
    for (const index of this.waiting) {
      this.waiting.delete(index);
      return index;
    }
    return undefined;
  }

  /** The next `most` indices, fewer at the end. */
  takeMany(most: number): number[] {
    const batch: number[] = [];
    while (batch.length < most) {
      const index = this.take();
      if (index === undefined) break;
      batch.push(index);
    }
    return batch;
  }
}
