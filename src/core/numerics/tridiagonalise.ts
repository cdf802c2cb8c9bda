import { reserve, sharedKernels } from './simd-kernels';

/** T = Qᵀ A Q, Q = H(n−1) … H(1): `diagonal[i]` = T(i, i), `offDiagonal[i]` = T(i, i − 1) (entry 0 unused). */
export interface Tridiagonal {
  diagonal: Float64Array;
  offDiagonal: Float64Array;
  /** Householder vectors: row k (from k · stride) holds step k's in columns 0…k−1. H(k) = I − factors[k] · v vᵀ. */
  reflectors: Float64Array;
  stride: number;
  factors: Float64Array;
}

/** Below this size the copy into the kernel's memory is not worth it. */
const MIN_SIZE = 24;

/** The matrix and the vectors of a step, as views of one buffer; every part starts at an even index. */
interface Workspace {
  a: Float64Array;
  stride: number;
  /** The pending update is A ← A − u wᵀ − w uᵀ; v is this step's reflector, y its product with A. */
  u: Float64Array;
  w: Float64Array;
  v: Float64Array;
  y: Float64Array;
  /** The two rows' own products, from a pair. */
  sums: Float64Array;
}

/** Applies the pending update to columns 0…i−1 of rows i and i + 1 (i even), adds to y, sets sums. */
type ReducePair = (i: number) => void;

/**
 * Householder reduction of a symmetric n × n matrix (row-major, lower triangle read; the input is not changed). Rows are
 * eliminated from the last; the rank-2 update of one step and the matrix-vector product of the next are one pass over
 * the lower triangle, two rows at a time, so each number is loaded and stored once a step: n³ / 6 numbers touched.
 */
export function tridiagonalise(matrix: Float64Array, n: number): Tridiagonal {
  const stride = n + (n % 2);
  const { space, pair } = workspace(n, stride);
  const { a, u, w, v, y } = space;
  for (let i = 0; i < n; i++) a.set(matrix.subarray(i * n, (i + 1) * n), i * stride);
  const diagonal = new Float64Array(n);
  const offDiagonal = new Float64Array(n);
  const factors = new Float64Array(n);
  for (let k = n - 1; k >= 1; k--) {
    const row = a.subarray(k * stride, k * stride + k);
    const uk = u[k]!;
    const wk = w[k]!;
    for (let j = 0; j < k; j++) row[j] = row[j]! - uk * w[j]! - wk * u[j]!;
    diagonal[k] = a[k * stride + k]! - 2 * uk * wk;
    const factor = reflect(row, k, offDiagonal);
    factors[k] = factor;
    v.set(row);
    product(space, k, pair);
    // The next update: w = factor · (y − ½ factor (vᵀy) v).
    let vy = 0;
    for (let j = 0; j < k; j++) vy += v[j]! * y[j]!;
    const half = (factor * vy) / 2;
    for (let j = 0; j < k; j++) w[j] = factor * (y[j]! - half * v[j]!);
    u.set(row);
  }
  if (n > 0) diagonal[0] = a[0]!;
  return { diagonal, offDiagonal, reflectors: a.slice(), stride, factors };
}

function workspace(n: number, stride: number): { space: Workspace; pair: ReducePair } {
  const total = n * stride + 4 * stride + 2;
  const kernels = n >= MIN_SIZE ? sharedKernels('reduce') : null;
  const buffer = kernels && reserve(kernels, 8 * total);
  const all = buffer ? new Float64Array(buffer, 0, total).fill(0) : new Float64Array(total);
  const part = (index: number, length = stride): Float64Array => all.subarray(n * stride + index * stride, n * stride + index * stride + length);
  const space: Workspace = { a: all.subarray(0, n * stride), stride, u: part(0), w: part(1), v: part(2), y: part(3), sums: part(4, 2) };
  if (!kernels || !buffer) return { space, pair: plainPair(space) };
  const { u, w, v } = space;
  const [uAt, wAt, vAt, yAt, sumsAt] = [space.u, space.w, space.v, space.y, space.sums].map((view) => view.byteOffset) as [number, number, number, number, number];
  const pair: ReducePair = (i) => {
    const at = 8 * i * stride;
    kernels.reducePair(at, at + 8 * stride, wAt, uAt, vAt, yAt, at + 8 * i, sumsAt, u[i]!, w[i]!, v[i]!, u[i + 1]!, w[i + 1]!, v[i + 1]!);
  };
  return { space, pair };
}

function plainPair({ a, stride, u, w, v, y, sums }: Workspace): ReducePair {
  return (i) => {
    const p0 = i * stride;
    const p1 = p0 + stride;
    const u0 = u[i]!, w0 = w[i]!, v0 = v[i]!;
    const u1 = u[i + 1]!, w1 = w[i + 1]!, v1 = v[i + 1]!;
    let s0 = 0;
    let s1 = 0;
    for (let j = 0; j < i; j++) {
      const uj = u[j]!, wj = w[j]!, vj = v[j]!;
      const x0 = a[p0 + j]! - u0 * wj - w0 * uj;
      const x1 = a[p1 + j]! - u1 * wj - w1 * uj;
      a[p0 + j] = x0;
      a[p1 + j] = x1;
      s0 += x0 * vj;
      s1 += x1 * vj;
      y[j] = y[j]! + x0 * v0 + x1 * v1;
    }
    sums[0] = s0;
    sums[1] = s1;
  };
}

/** y = A v over the leading k × k part, applying the pending update to A on the way. */
function product({ a, stride, u, w, v, y, sums }: Workspace, k: number, pair: ReducePair): void {
  const updated = (i: number, j: number): number => (a[i * stride + j] = a[i * stride + j]! - u[i]! * w[j]! - w[i]! * u[j]!);
  const even = k - (k % 2);
  for (let i = 0; i < even; i += 2) {
    pair(i);
    const vi = v[i]!;
    const vNext = v[i + 1]!;
    const corner = updated(i + 1, i);
    y[i] = sums[0]! + updated(i, i) * vi + corner * vNext;
    y[i + 1] = sums[1]! + corner * vi + updated(i + 1, i + 1) * vNext;
  }
  if (even === k) return;
  // The last row has no partner.
  const i = k - 1;
  const p = i * stride;
  const ui = u[i]!, wi = w[i]!, vi = v[i]!;
  let sum = 0;
  for (let j = 0; j < i; j++) {
    const x = a[p + j]! - ui * w[j]! - wi * u[j]!;
    a[p + j] = x;
    sum += x * v[j]!;
    y[j] = y[j]! + x * vi;
  }
  y[i] = sum + updated(i, i) * vi;
}

/** Turns `row` (length k) into the Householder vector that maps it onto its last entry; returns its factor. */
function reflect(row: Float64Array, k: number, offDiagonal: Float64Array): number {
  let scale = 0;
  for (let j = 0; j < k - 1; j++) scale = Math.max(scale, Math.abs(row[j]!));
  const last = row[k - 1]!;
  if (scale === 0) {
    offDiagonal[k] = last;
    row.fill(0);
    return 0;
  }
  scale = Math.max(scale, Math.abs(last));
  let sum = 0;
  for (let j = 0; j < k; j++) sum += (row[j]! / scale) ** 2;
  const norm = Math.sqrt(sum) * scale;
  const beta = last > 0 ? -norm : norm;
  offDiagonal[k] = beta;
  // v = (row − beta e) / (last − beta): last entry 1, factor = (beta − last) / beta.
  const inverse = 1 / (last - beta);
  for (let j = 0; j < k - 1; j++) row[j] = row[j]! * inverse;
  row[k - 1] = 1;
  return (beta - last) / beta;
}
