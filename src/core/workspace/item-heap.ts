/** Items by weight, heaviest first, the lower index on ties. Entries may be stale: the caller checks what it pops. */
export class ItemHeap {
  private readonly items: number[] = [];
  private readonly weights: number[] = [];

  get size(): number {
    return this.items.length;
  }

  /** Weight of the heaviest entry; -1 when empty. */
  get topWeight(): number {
    return this.weights[0] ?? -1;
  }

  push(item: number, weight: number): void {
    let at = this.items.push(item) - 1;
    this.weights.push(weight);
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (!this.heavier(at, up)) return;
      this.swap(at, up);
      at = up;
    }
  }

  /** Removes and returns the heaviest item, or -1. */
  pop(): number {
    const top = this.items[0];
    if (top === undefined) return -1;
    const last = this.items.length - 1;
    this.swap(0, last);
    this.items.pop();
    this.weights.pop();
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= last) return top;
      const right = left + 1;
      const best = right < last && this.heavier(right, left) ? right : left;
      if (!this.heavier(best, at)) return top;
      this.swap(best, at);
      at = best;
    }
  }

  private heavier(a: number, b: number): boolean {
    const difference = (this.weights[a] ?? 0) - (this.weights[b] ?? 0);
    return difference > 0 || (difference === 0 && (this.items[a] ?? 0) < (this.items[b] ?? 0));
  }

  private swap(a: number, b: number): void {
    const item = this.items[a] ?? 0;
    const weight = this.weights[a] ?? 0;
    this.items[a] = this.items[b] ?? 0;
    this.weights[a] = this.weights[b] ?? 0;
    this.items[b] = item;
    this.weights[b] = weight;
  }
}
