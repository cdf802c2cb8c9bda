import type { Matrix } from './matrix';

/** Mean of the rows (d numbers); zeros when there are none. */
export function columnMeans({ rows, columns, data }: Matrix): Float64Array {
  const mean = new Float64Array(columns);
  for (let i = 0, p = 0; i < rows; i++) for (let k = 0; k < columns; k++) mean[k] = mean[k]! + data[p++]!;
  if (rows > 0) for (let k = 0; k < columns; k++) mean[k] = mean[k]! / rows;
  return mean;
}

/** A copy of the matrix with the mean of the rows subtracted from each row. */
export function centredRows(matrix: Matrix): Matrix {
  const mean = columnMeans(matrix);
  const { rows, columns } = matrix;
  const data = new Float64Array(matrix.data.length);
  for (let i = 0, p = 0; i < rows; i++) for (let k = 0; k < columns; k++, p++) data[p] = matrix.data[p]! - mean[k]!;
  return { rows, columns, data };
}
