/** Prefix sums under point updates, O(log n) each; the array doubles when an index beyond its end is touched. */
export class Fenwick {
  private tree: Float64Array;
  private leaf: Float64Array;

  constructor(capacity = 256) {
    this.tree = new Float64Array(capacity + 1);
    this.leaf = new Float64Array(capacity);
  }

  add(index: number, delta: number): void {
    if (delta === 0) return;
    if (index >= this.leaf.length) this.grow(index + 1);
    this.leaf[index] = (this.leaf[index] ?? 0) + delta;
    const tree = this.tree;
    for (let i = index + 1; i < tree.length; i += i & -i) tree[i] = (tree[i] ?? 0) + delta;
  }

  /** Sum of entries [0, end). */
  before(end: number): number {
    const tree = this.tree;
    let sum = 0;
    for (let i = Math.min(Math.max(0, end), this.leaf.length); i > 0; i -= i & -i) sum += tree[i] ?? 0;
    return sum;
  }

  private grow(needed: number): void {
    const capacity = Math.max(needed, this.leaf.length * 2);
    const leaf = new Float64Array(capacity);
    leaf.set(this.leaf);
    const tree = new Float64Array(capacity + 1);
    for (let i = 1; i <= capacity; i++) {
      tree[i] = (tree[i] ?? 0) + (leaf[i - 1] ?? 0);
      const parent = i + (i & -i);
      if (parent <= capacity) tree[parent] = (tree[parent] ?? 0) + (tree[i] ?? 0);
    }
    this.leaf = leaf;
    this.tree = tree;
  }
}
