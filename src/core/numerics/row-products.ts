import type { Matrix } from './matrix';
import { rowsTimesVector } from './rows-times-vector';
import { reserve, sharedKernels, type SimdKernels } from './simd-kernels';

/** Below this many numbers copying the rows costs more than the faster product saves. */
const MIN_NUMBERS = 32_768;
/** Whose rows stand in the shared memory now. */
let owner: symbol | null = null;

/**
 * Products of one matrix with many vectors, float64 throughout. Where the rows came from float32, the kernel reads those
 * (half the memory traffic) and divides by the rows' lengths. The matrix must not change meanwhile.
 */
export class RowProducts {
  private readonly token = Symbol('rows');
  private readonly kernels: SimdKernels | null;
  private readonly stride: number;
  private readonly paddedRows: number;

  constructor(private readonly matrix: Matrix) {
    const { rows, columns, source } = matrix;
    this.stride = Math.ceil(columns / 4) * 4;
    this.paddedRows = Math.ceil(rows / 4) * 4;
    this.kernels = source && rows * columns >= MIN_NUMBERS ? sharedKernels('rows') : null;
  }

  /** out[i] = row i · q. */
  times(q: Float64Array, out: Float64Array): Float64Array {
    const { matrix, kernels, stride, paddedRows } = this;
    const buffer = kernels && this.load(kernels);
    if (!kernels || !buffer || !matrix.source) return rowsTimesVector(matrix, q, out);
    const qAt = 4 * paddedRows * stride;
    const outAt = qAt + 8 * stride;
    new Float64Array(buffer, qAt, matrix.columns).set(q);
    const bytes = 4 * stride;
    for (let i = 0, at = 0; i < paddedRows; i += 4, at += 4 * bytes) {
      kernels.floatRows(at, at + bytes, at + 2 * bytes, at + 3 * bytes, qAt, outAt, outAt + 8 * i);
    }
    const products = new Float64Array(buffer, outAt, matrix.rows);
    const { lengths } = matrix.source;
    for (let i = 0; i < matrix.rows; i++) out[i] = lengths[i]! > 0 ? products[i]! / lengths[i]! : 0;
    return out;
  }

  private load(kernels: SimdKernels): ArrayBuffer | null {
    const { matrix: { rows, columns, source }, stride, paddedRows } = this;
    const buffer = reserve(kernels, 4 * paddedRows * stride + 8 * stride + 8 * paddedRows);
    if (!buffer || owner === this.token) return buffer;
    const floats = new Float32Array(buffer, 0, paddedRows * stride + 2 * stride);
    floats.fill(0, stride === columns ? rows * stride : 0);
    for (let i = 0; i < rows; i++) floats.set(source!.data.subarray(i * columns, (i + 1) * columns), i * stride);
    owner = this.token;
    return buffer;
  }
}
