import { centreGram } from './centre-gram';
import { centredRows } from './column-means';
import { gramMatrix } from './gram-matrix';
import type { Matrix } from './matrix';
import { rowsTimesVector } from './rows-times-vector';
import { leadingEigenvectors } from './leading-eigenvectors';
import { transpose } from './transpose';
import { rowOf } from './matrix';

/**
 * First two principal coordinates of every row (row-major, n × 2): PCA through the smaller of the Gram and scatter
 * matrices. The sign of an axis is fixed by making its largest coordinate positive. `gram` (X Xᵀ) is asked only where it is smaller.
 */
export function principalMap(rows: Matrix, gram = (): Float64Array => gramMatrix(rows)): Float64Array {
  const { rows: n, columns: d } = rows;
  const out = new Float64Array(2 * n);
  if (n === 0) return out;
  const byBlock = n <= d;
  const centred = centredRows(rows);
  const size = byBlock ? n : d;
  const matrix = byBlock ? centreGram(gram(), n) : gramMatrix(transpose(centred));
  const { values, vectors } = leadingEigenvectors(matrix, size, Math.min(2, size));
  for (let axis = 0; axis < vectors.rows; axis++) {
    const vector = rowOf(vectors, axis);
    const coordinates = byBlock
      ? vector.map((x) => x * Math.sqrt(Math.max(0, values[axis]!)))
      : rowsTimesVector(centred, vector, new Float64Array(n));
    let largest = 0;
    for (const x of coordinates) if (Math.abs(x) > Math.abs(largest) * (1 + 1e-9)) largest = x;
    for (let i = 0; i < n; i++) out[2 * i + axis] = largest < 0 ? -coordinates[i]! : coordinates[i]!;
  }
  return out;
}
