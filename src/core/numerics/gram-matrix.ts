import type { Matrix } from './matrix';
import { reserve, sharedKernels, type SimdKernels } from './simd-kernels';

/** Below this many rows the copy into the kernel's memory is not worth it. */
const MIN_ROWS = 32;

/**
 * X Xᵀ of a row-major n × d matrix: n × n, both triangles filled, float64; O(n² d / 2) time.
 */
export function gramMatrix(matrix: Matrix): Float64Array {
  const g = new Float64Array(matrix.rows ** 2);
  const kernels = matrix.rows >= MIN_ROWS ? sharedKernels('gram') : null;
  if (!kernels || !gramByKernel(kernels, matrix, g)) gramPlain(matrix, g);
  const n = matrix.rows;
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) g[j * n + i] = g[i * n + j]!;
  return g;
}

/** Lower triangle in 2 × 4 tiles; rows padded to a multiple of 4, columns to one of 2. False where memory is refused. */
function gramByKernel(kernels: SimdKernels, { rows: n, columns: d, data: x }: Matrix, g: Float64Array): boolean {
  const stride = d + (d % 2);
  const padded = Math.ceil(n / 4) * 4;
  const outAt = 8 * padded * stride;
  const buffer = reserve(kernels, outAt + 64);
  if (!buffer) return false;
  const copy = new Float64Array(buffer, 0, padded * stride);
  copy.fill(0);
  if (stride === d) copy.set(x);
  else for (let i = 0; i < n; i++) copy.set(x.subarray(i * d, (i + 1) * d), i * stride);
  const out = new Float64Array(buffer, outAt, 8);
  const bytes = 8 * stride;
  for (let i = 0; i < n; i += 2) {
    const a = i * bytes;
    for (let j = 0; j <= i + 1; j += 4) {
      const b = j * bytes;
      kernels.dotTile(a, a + bytes, b, b + bytes, b + 2 * bytes, b + 3 * bytes, a + bytes, outAt);
      for (let p = 0; p < 2 && i + p < n; p++) {
        for (let q = 0; q < 4 && j + q <= i + p; q++) g[(i + p) * n + j + q] = out[4 * p + q]!;
      }
    }
  }
  return true;
}

/** The same in a 4 × 4 register tile. */
function gramPlain({ rows: n, columns: d, data: x }: Matrix, g: Float64Array): void {
  const whole = n - (n % 4);
  for (let i = 0; i < whole; i += 4) {
    for (let j = 0; j <= i; j += 4) tile(x, d, i, j, g, n);
  }
  for (let i = whole; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let s = 0;
      for (let k = 0, a = i * d, b = j * d; k < d; k++) s += x[a + k]! * x[b + k]!;
      g[i * n + j] = s;
    }
  }
}

function tile(x: Float64Array, d: number, i: number, j: number, g: Float64Array, n: number): void {
  let s00 = 0, s01 = 0, s02 = 0, s03 = 0, s10 = 0, s11 = 0, s12 = 0, s13 = 0;
  let s20 = 0, s21 = 0, s22 = 0, s23 = 0, s30 = 0, s31 = 0, s32 = 0, s33 = 0;
  let p0 = i * d, p1 = p0 + d, p2 = p1 + d, p3 = p2 + d;
  let q0 = j * d, q1 = q0 + d, q2 = q1 + d, q3 = q2 + d;
  for (let k = 0; k < d; k++) {
    const a0 = x[p0++]!, a1 = x[p1++]!, a2 = x[p2++]!, a3 = x[p3++]!;
    const b0 = x[q0++]!, b1 = x[q1++]!, b2 = x[q2++]!, b3 = x[q3++]!;
    s00 += a0 * b0; s01 += a0 * b1; s02 += a0 * b2; s03 += a0 * b3;
    s10 += a1 * b0; s11 += a1 * b1; s12 += a1 * b2; s13 += a1 * b3;
    s20 += a2 * b0; s21 += a2 * b1; s22 += a2 * b2; s23 += a2 * b3;
    s30 += a3 * b0; s31 += a3 * b1; s32 += a3 * b2; s33 += a3 * b3;
  }
  let o = i * n + j;
  g[o] = s00; g[o + 1] = s01; g[o + 2] = s02; g[o + 3] = s03;
  o += n;
  g[o] = s10; g[o + 1] = s11; g[o + 2] = s12; g[o + 3] = s13;
  o += n;
  g[o] = s20; g[o + 1] = s21; g[o + 2] = s22; g[o + 3] = s23;
  o += n;
  g[o] = s30; g[o + 1] = s31; g[o + 2] = s32; g[o + 3] = s33;
}
