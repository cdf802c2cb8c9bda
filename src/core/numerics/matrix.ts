import { ContextscopeError } from '../base/errors';

/** Dense row-major float64 matrix: entry (i, k) at `data[i * columns + k]`. */
export interface Matrix {
  rows: number;
  columns: number;
  data: Float64Array;
  /** The float32 rows these are, divided by their lengths; absent when they came from nowhere else. */
  source?: { data: Float32Array; lengths: Float64Array };
}

/** Throws 'bad-argument' with both numbers when `length` is not rows × columns. */
export function assertShape(what: string, length: number, rows: number, columns: number): void {
  if (length !== rows * columns) {
    throw new ContextscopeError('bad-argument', `${what}: ${length} numbers do not make ${rows} × ${columns}.`);
  }
}

/** The first `rows` rows, sharing memory: the history at an earlier checkpoint. */
export function firstRows(matrix: Matrix, rows: number): Matrix {
  const { columns, data, source } = matrix;
  return {
    rows, columns, data: data.subarray(0, rows * columns),
    ...(source ? { source: { data: source.data.subarray(0, rows * columns), lengths: source.lengths.subarray(0, rows) } } : {}),
  };
}

/** Row `i`, sharing memory. */
export function rowOf(matrix: Matrix, i: number): Float64Array {
  return matrix.data.subarray(i * matrix.columns, (i + 1) * matrix.columns);
}
