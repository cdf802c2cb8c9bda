import { dot } from '../numerics/dot';
import { rowOf, type Matrix } from '../numerics/matrix';
import { rowsTimesVector } from '../numerics/rows-times-vector';
import { RESIDUAL_FLOOR } from './constants';
import { liveRows } from './live-rows';

/**
 * The span of a growing set of rows: orthonormal basis, and the squared residual of every row against it (gem.md §3).
 * Rows are of unit length or zero. O(n d) time for each direction added.
 */
export class Span {
  readonly live: readonly number[];
  /** r_i = ‖x_i‖² − ‖Qᵀ x_i‖², never below 0. */
  readonly residuals: Float64Array;
  readonly basis: Float64Array[] = [];
  private readonly products: Float64Array;

  constructor(private readonly rows: Matrix) {
    this.live = liveRows(rows);
    this.residuals = new Float64Array(rows.rows);
    this.products = new Float64Array(rows.rows);
    for (const i of this.live) this.residuals[i] = dot(rowOf(rows, i), rowOf(rows, i));
  }

  /** Adds row j's direction; a row within the span changes nothing. */
  add(j: number): void {
    if (!(this.residuals[j]! > RESIDUAL_FLOOR)) return;
    const q = Float64Array.from(rowOf(this.rows, j));
    // Twice is enough (Kahan, Parlett): one pass loses orthogonality when the residual is small.
    for (let pass = 0; pass < 2; pass++) for (const b of this.basis) subtract(q, b, dot(q, b));
    const length = Math.sqrt(dot(q, q));
    for (let k = 0; k < q.length; k++) q[k] = q[k]! / length;
    this.basis.push(q);
    const p = rowsTimesVector(this.rows, q, this.products);
    const r = this.residuals;
    for (let i = 0; i < p.length; i++) {
      const next = r[i]! - p[i]! * p[i]!;
      r[i] = next > 0 ? next : 0;
    }
    r[j] = 0;
  }

  /** E = mean of 1 − r over the live rows (A.3); 0 when there are none. */
  coverage(): number {
    return coverageOf(this.residuals, this.live);
  }
}

export function coverageOf(residuals: Float64Array, live: readonly number[]): number {
  let sum = 0;
  for (const i of live) sum += 1 - residuals[i]!;
  return live.length > 0 ? sum / live.length : 0;
}

/** ‖Qᵀ v‖²: the share of a unit vector that lies in the span of an orthonormal basis. */
export function projectionShare(basis: readonly Float64Array[], vector: Float64Array): number {
  let sum = 0;
  for (const q of basis) sum += dot(q, vector) ** 2;
  return sum;
}

function subtract(q: Float64Array, b: Float64Array, factor: number): void {
  for (let k = 0; k < q.length; k++) q[k] = q[k]! - factor * b[k]!;
}
