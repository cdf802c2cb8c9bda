import { dot } from '../numerics/dot';
import { rowOf, type Matrix } from '../numerics/matrix';
import { OrthonormalBasis } from '../numerics/orthonormal-basis';
import { RowProducts } from '../numerics/row-products';
import { RESIDUAL_FLOOR } from './constants';
import { liveRows } from './live-rows';

/**
 * The span of a growing set of rows: orthonormal basis, and the squared residual of every row against it (gem.md §3).
 * Rows are of unit length or zero, and must not change meanwhile. O(n d) time for each direction added.
 */
export class Span {
  readonly live: readonly number[];
  /** r_i = ‖x_i‖² − ‖Qᵀ x_i‖², never below 0. */
  readonly residuals: Float64Array;
  readonly basis: OrthonormalBasis;
  private readonly products: RowProducts;
  private readonly out: Float64Array;

  constructor(private readonly rows: Matrix) {
    this.basis = new OrthonormalBasis(rows.columns);
    this.live = liveRows(rows);
    this.residuals = new Float64Array(rows.rows);
    this.out = new Float64Array(rows.rows);
    this.products = new RowProducts(rows);
    for (const i of this.live) this.residuals[i] = dot(rowOf(rows, i), rowOf(rows, i));
  }

  /** Adds row j's direction; a row within the span changes nothing. */
  add(j: number): void {
    if (!(this.residuals[j]! > RESIDUAL_FLOOR)) return;
    const q = this.basis.add(rowOf(this.rows, j));
    const p = this.products.times(q, this.out);
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
