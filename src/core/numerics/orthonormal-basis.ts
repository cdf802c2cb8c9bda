import { dot } from './dot';
import { rowsTimesVector } from './rows-times-vector';

const FIRST_ROWS = 16;

/** An orthonormal basis that grows by Gram–Schmidt; vectors stand in one row-major block, so that four are used at a time. */
export class OrthonormalBasis {
  /** Number of vectors. */
  size = 0;
  private data: Float64Array;
  private products = new Float64Array(FIRST_ROWS);

  /** `dimension`: length of each vector. */
  constructor(private readonly dimension: number) {
    this.data = new Float64Array(FIRST_ROWS * dimension);
  }

  /** Vector k, sharing memory until the next `add`. */
  vector(k: number): Float64Array {
    return this.data.subarray(k * this.dimension, (k + 1) * this.dimension);
  }

  /** ‖Qᵀ v‖²: the share of a unit vector that lies in the span. */
  share(vector: Float64Array): number {
    const products = this.componentsOf(vector);
    let sum = 0;
    for (let k = 0; k < this.size; k++) sum += products[k]! ** 2;
    return sum;
  }

  /**
   * Adds the direction of `vector` that is new, and returns it. Two passes ("twice is enough", Kahan and Parlett): one
   * loses orthogonality when little is left.
   */
  add(vector: Float64Array): Float64Array {
    this.ensureRoom();
    const q = this.vector(this.size);
    q.set(vector);
    for (let pass = 0; pass < 2; pass++) this.subtractSpan(q, this.componentsOf(q));
    const length = Math.sqrt(dot(q, q));
    for (let k = 0; k < q.length; k++) q[k] = q[k]! / length;
    this.size++;
    return q;
  }

  private componentsOf(vector: Float64Array): Float64Array {
    return rowsTimesVector({ rows: this.size, columns: this.dimension, data: this.data }, vector, this.products);
  }

  private subtractSpan(q: Float64Array, c: Float64Array): void {
    const d = this.dimension;
    const { data } = this;
    let b = 0;
    for (; b + 3 < this.size; b += 4) {
      const c0 = c[b]!, c1 = c[b + 1]!, c2 = c[b + 2]!, c3 = c[b + 3]!;
      const p0 = b * d, p1 = p0 + d, p2 = p1 + d, p3 = p2 + d;
      for (let k = 0; k < d; k++) q[k] = q[k]! - (c0 * data[p0 + k]! + c1 * data[p1 + k]! + (c2 * data[p2 + k]! + c3 * data[p3 + k]!));
    }
    for (; b < this.size; b++) {
      for (let k = 0, p = b * d; k < d; k++) q[k] = q[k]! - c[b]! * data[p + k]!;
    }
  }

  private ensureRoom(): void {
    if ((this.size + 1) * this.dimension <= this.data.length) return;
    const rows = 2 * Math.max(FIRST_ROWS, this.size);
    const data = new Float64Array(rows * this.dimension);
    data.set(this.data);
    this.data = data;
    this.products = new Float64Array(rows);
  }
}
