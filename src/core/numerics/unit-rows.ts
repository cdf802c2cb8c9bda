import { dot } from './dot';
import { assertShape, type Matrix } from './matrix';

/** Float32 rows → float64 rows divided by their float64 length; a zero row stays zero (embedding.md §3). */
export function unitRows(vectors: Float32Array, rows: number, columns: number): Matrix {
  assertShape('unitRows', vectors.length, rows, columns);
  const data = new Float64Array(vectors);
  const lengths = new Float64Array(rows);
  for (let i = 0; i < rows; i++) lengths[i] = scaleToUnit(data.subarray(i * columns, (i + 1) * columns));
  return { rows, columns, data, source: { data: vectors, lengths } };
}

/** One float32 vector → float64 of unit length; zero stays zero. */
export function unitVector(vector: Float32Array): Float64Array {
  const unit = new Float64Array(vector);
  scaleToUnit(unit);
  return unit;
}

/** In place; returns the length before. */
function scaleToUnit(row: Float64Array): number {
  const length = Math.sqrt(dot(row, row));
  if (length > 0) for (let k = 0; k < row.length; k++) row[k] = row[k]! / length;
  return length;
}
