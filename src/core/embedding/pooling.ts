/** float32 of v / ‖v‖ with the length in float64; a zero vector stays zero. */
export function unitVector(vector: Float64Array): Float32Array {
  let squares = 0;
  for (const x of vector) squares += x * x;
  const length = Math.sqrt(squares);
  return length > 0 ? Float32Array.from(vector, (x) => x / length) : new Float32Array(vector.length);
}

/** Mean of window means with their position counts as weights, then unit length (embedding.md §2). */
export class WindowPool {
  private readonly sum: Float64Array;
  private positions = 0;

  constructor(dim: number) {
    this.sum = new Float64Array(dim);
  }

  /** `mean`: the model's mean over `positions` positions, `[CLS]` and `[SEP]` included. */
  add(mean: Float32Array, positions: number): void {
    if (mean.length !== this.sum.length) throw new RangeError(`Expected a vector of ${this.sum.length} numbers, found ${mean.length}.`);
    for (let i = 0; i < mean.length; i++) this.sum[i] = (this.sum[i] ?? 0) + (mean[i] ?? 0) * positions;
    this.positions += positions;
  }

  /** Unit vector; the zero vector when nothing was added. */
  finish(): Float32Array {
    return this.positions === 0 ? new Float32Array(this.sum.length) : unitVector(this.sum.map((x) => x / this.positions));
  }
}
