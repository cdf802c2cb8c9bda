import type { Matrix } from './matrix';

/** Columns become rows (a copy). */
export function transpose({ rows, columns, data }: Matrix): Matrix {
  const out = new Float64Array(data.length);
  for (let i = 0, p = 0; i < rows; i++) for (let k = 0; k < columns; k++) out[k * rows + i] = data[p++]!;
  return { rows: columns, columns: rows, data: out };
}
