import { gramMatrix } from '../numerics/gram-matrix';
import type { Matrix } from '../numerics/matrix';
import { symmetricEigenvalues } from '../numerics/symmetric-eigenvalues';
import { transpose } from '../numerics/transpose';
import { liveRows } from './live-rows';

/**
 * Eckart–Young ceiling: no b blocks (nor any b directions) can cover more than Σ_{k ≤ b} λ_k(G) / n of the rows
 * (gem.md §4). Entry b − 1 for b = 1…count, uncentred.
 */
export function coverageCeiling(rows: Matrix, count: number, gram = (): Float64Array => gramMatrix(rows)): number[] {
  const { rows: n, columns: d } = rows;
  const values = n <= d
    ? symmetricEigenvalues(gram(), n)
    : symmetricEigenvalues(gramMatrix(transpose(rows)), d);
  const live = Math.max(1, liveRows(rows).length);
  const out: number[] = [];
  let sum = 0;
  for (let b = 0; b < count; b++) {
    sum += Math.max(0, values[b] ?? 0);
    out.push(Math.min(1, sum / live));
  }
  return out;
}
