import { gramMatrix } from '../numerics/gram-matrix';
import { dot } from '../numerics/dot';
import { rowOf, type Matrix } from '../numerics/matrix';
import { RowProducts } from '../numerics/row-products';
import { transpose } from '../numerics/transpose';

/** Rows a dimension up to which pairs are less work. */
const PAIRS_TO = 3;

/**
 * Σ_i (x_i · x_j)² for every j: the score of the first pick from nothing, where all residuals are 1 (gem.md §8).
 * Through pairs of rows (n² d / 2 products) or the scatter matrix (3 n d² / 2), whichever is less work: O(n d min(n, d)).
 */
export function alignmentWithAll(rows: Matrix): Float64Array {
  const { rows: n, columns: d } = rows;
  const out = new Float64Array(n);
  if (n <= PAIRS_TO * d) {
    const gram: Matrix = { rows: n, columns: n, data: gramMatrix(rows) };
    for (let j = 0; j < n; j++) out[j] = dot(rowOf(gram, j), rowOf(gram, j));
    return out;
  }
  // x_jᵀ S x_j as Σ_k (X s_k)_j x_jk, so that the rows pass the kernel once a column of S instead of S once a row.
  const scatter: Matrix = { rows: d, columns: d, data: gramMatrix(transpose(rows)) };
  const products = new RowProducts(rows);
  const images = new Float64Array(n);
  for (let k = 0; k < d; k++) {
    products.times(rowOf(scatter, k), images);
    for (let j = 0, at = k; j < n; j++, at += d) out[j] = out[j]! + images[j]! * rows.data[at]!;
  }
  return out;
}
