/** Choice: the largest block first, the oldest on ties, among those that have been in the stream long enough. */
import { ItemHeap } from '../../item-heap';
import type { Workspace } from '../../workspace';

export class LargestFirst {
  private readonly heap = new ItemHeap();
  /** Too young so far, in order of birth. */
  private readonly waiting: number[] = [];
  private firstWaiting = 0;

  /** `sizeOf`: the size as the chooser sees it; its true tokens unless said otherwise. */
  constructor(private readonly ws: Workspace, private readonly sizeOf: (item: number) => number = (item) => ws.columns.tokens.get(item)) {}

  add(item: number): void {
    this.waiting.push(item);
  }

  /** The size of a block that is old enough has changed. */
  reconsider(item: number): void {
    this.heap.push(item, this.sizeOf(item));
  }

  /** The largest free block of at least `minAge` steps and `minTokens` tokens, taken out of the choice; -1 = none. */
  take(minAge: number, minTokens: number): number {
    const { ws } = this;
    for (; this.firstWaiting < this.waiting.length; this.firstWaiting++) {
      const item = this.waiting[this.firstWaiting] ?? 0;
      if (ws.columns.bornStep.get(item) > ws.step - minAge) break;
      this.heap.push(item, this.sizeOf(item));
    }
    const kept: number[] = [];
    let found = -1;
    while (found < 0 && this.heap.topWeight >= minTokens) {
      const item = this.heap.pop();
      // Pinned or protected ones may become free again; what has left the stream has left the choice.
      if (ws.isFree(item)) found = item;
      else if (ws.isVisible(item)) kept.push(item);
    }
    for (const item of kept) this.heap.push(item, this.sizeOf(item));
    return found;
  }
}
