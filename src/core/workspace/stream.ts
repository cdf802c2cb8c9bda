/**
 * The visible stream: slots in chronological order, each showing at most one block, linked so that walking skips what is
 * gone. Costs by slot give the length of any prefix, which is what a provider's cache can reuse.
 */
import { Fenwick } from './fenwick';

export class Stream {
  /** Slot → block it shows; -1 = nothing. */
  private shown = new Int32Array(256).fill(-1);
  private previous = new Int32Array(256).fill(-1);
  private following = new Int32Array(256).fill(-1);
  /** What the slot showed in the last rendering: block and marker, as one number; 0 = nothing. */
  private rendered = new Int32Array(256);
  private touched: number[] = [];
  private readonly costs = new Fenwick(256);
  private first = -1;
  private last = -1;

  /** First slot that shows something; -1 = none. */
  get head(): number {
    return this.first;
  }

  get tail(): number {
    return this.last;
  }

  after(slot: number): number {
    return this.following[slot] ?? -1;
  }

  /** Slot to the left that shows something; ask only for a slot that shows something itself. */
  before(slot: number): number {
    return this.previous[slot] ?? -1;
  }

  at(slot: number): number {
    return this.shown[slot] ?? -1;
  }

  ensure(slots: number): void {
    if (slots <= this.shown.length) return;
    const capacity = Math.max(slots, this.shown.length * 2);
    const grow = (old: Int32Array, fill: number): Int32Array<ArrayBuffer> => {
      const larger = new Int32Array(capacity).fill(fill);
      larger.set(old);
      return larger;
    };
    this.shown = grow(this.shown, -1);
    this.previous = grow(this.previous, -1);
    this.following = grow(this.following, -1);
    this.rendered = grow(this.rendered, 0);
  }

  show(slot: number, item: number): void {
    // A slot that was visible before remembers its left neighbour; the chain of such memories leads to a visible one.
    let left = slot > this.last ? this.last : (this.previous[slot] ?? -1);
    while (left >= 0 && this.at(left) < 0) left = this.previous[left] ?? -1;
    let right = left < 0 ? this.first : this.after(left);
    while (right >= 0 && right < slot) {
      left = right;
      right = this.after(right);
    }
    this.shown[slot] = item;
    this.previous[slot] = left;
    this.following[slot] = right;
    if (left < 0) this.first = slot;
    else this.following[left] = slot;
    if (right < 0) this.last = slot;
    else this.previous[right] = slot;
    this.touched.push(slot);
  }

  hide(slot: number): void {
    const left = this.previous[slot] ?? -1;
    const right = this.after(slot);
    if (left < 0) this.first = right;
    else this.following[left] = right;
    if (right < 0) this.last = left;
    else this.previous[right] = left;
    this.shown[slot] = -1;
    this.touched.push(slot);
  }

  /** Tokens of the stream behind a slot. */
  costAfter(slot: number): number {
    return this.costs.before(Infinity) - this.costs.before(slot + 1);
  }

  /** The rendering of a slot changed though it shows the same block. */
  touch(slot: number): void {
    this.touched.push(slot);
  }

  addCost(slot: number, delta: number): void {
    this.costs.add(slot, delta);
  }

  /**
   * Ends a rendering: tokens of the stream before the first slot that differs from the rendering before. `markerOf` tells
   * how a block is wrapped (0 = not at all).
   */
  commonPrefix(markerOf: (item: number) => number): number {
    let firstChange = Infinity;
    for (const slot of this.touched) {
      const item = this.at(slot);
      const now = item < 0 ? 0 : (item + 1) * 2 + markerOf(item);
      if (now === this.rendered[slot]) continue;
      this.rendered[slot] = now;
      if (slot < firstChange) firstChange = slot;
    }
    this.touched = [];
    return this.costs.before(firstChange);
  }
}
