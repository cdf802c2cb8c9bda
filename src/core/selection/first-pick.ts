import { gramMatrix } from '../numerics/gram-matrix';
import { dot } from '../numerics/dot';
import { rowOf, type Matrix } from '../numerics/matrix';
import { rowsTimesVector } from '../numerics/rows-times-vector';
import { transpose } from '../numerics/transpose';

/**
 * Σ_i (x_i · x_j)² for every j: the score of the first pick from nothing, where all residuals are 1 (gem.md §8).
 * Through the scatter matrix (d × d) or pairs of rows, whichever is less work: O(n d min(n, d)).
 */
export function alignmentWithAll(rows: Matrix): Float64Array {
  const { rows: n, columns: d } = rows;
  const out = new Float64Array(n);
  if (n <= d) {
    const products = new Float64Array(n);
    for (let j = 0; j < n; j++) {
      rowsTimesVector(rows, rowOf(rows, j), products);
      out[j] = dot(products, products);
    }
    return out;
  }
  const scatter: Matrix = { rows: d, columns: d, data: gramMatrix(transpose(rows)) };
  const image = new Float64Array(d);
  for (let j = 0; j < n; j++) {
    const row = rowOf(rows, j);
    out[j] = dot(rowsTimesVector(scatter, row, image), row);
  }
  return out;
}
