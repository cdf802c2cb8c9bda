/** T = Qᵀ A Q: `diagonal[i]` = T(i, i), `offDiagonal[i]` = T(i, i − 1) (entry 0 unused). */
export interface Tridiagonal {
  diagonal: Float64Array;
  offDiagonal: Float64Array;
  /** Householder vectors v (row k holds step k's in columns 0…k−1) and factors: H = I − factor · v vᵀ. */
  reflectors: Float64Array;
  factors: Float64Array;
}

/**
 * Householder reduction of a symmetric n × n matrix (row-major, lower triangle read; the input is not changed).
 * Rows are eliminated from the last; the rank-2 update of one step and the matrix-vector product of the next are one
 * pass over the lower triangle, so each number is loaded and stored once a step. O(n³ / 6) numbers touched.
 */
export function tridiagonalise(matrix: Float64Array, n: number): Tridiagonal {
  const a = Float64Array.from(matrix);
  const diagonal = new Float64Array(n);
  const offDiagonal = new Float64Array(n);
  const factors = new Float64Array(n);
  const y = new Float64Array(n);
  const w = new Float64Array(n);
  // The pending update A ← A − v wᵀ − w vᵀ of the step before; v stands in row `previous`.
  let previous = -1;
  for (let k = n - 1; k >= 1; k--) {
    const row = a.subarray(k * n, k * n + k);
    if (previous >= 0) {
      const v = a.subarray(previous * n, previous * n + previous);
      const vk = v[k]!;
      const wk = w[k]!;
      for (let j = 0; j < k; j++) row[j] = row[j]! - vk * w[j]! - wk * v[j]!;
      diagonal[k] = a[k * n + k]! - 2 * vk * wk;
    } else {
      diagonal[k] = a[k * n + k]!;
    }
    const factor = reflect(row, k, offDiagonal);
    factors[k] = factor;
    product(a, n, k, previous, w, row, y);
    previous = k;
    // w = factor · (y − ½ factor (vᵀy) v)
    let vy = 0;
    for (let j = 0; j < k; j++) vy += row[j]! * y[j]!;
    const half = (factor * vy) / 2;
    for (let j = 0; j < k; j++) w[j] = factor * (y[j]! - half * row[j]!);
  }
  if (n > 0) diagonal[0] = a[0]!;
  return { diagonal, offDiagonal, reflectors: a, factors };
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
  // v = (row − beta e) / (last − beta): last entry 1, factor = (beta − last) / beta
  const inverse = 1 / (last - beta);
  for (let j = 0; j < k - 1; j++) row[j] = row[j]! * inverse;
  row[k - 1] = 1;
  return (beta - last) / beta;
}

/** y = A v over the leading k × k part, applying the pending rank-2 update to A on the way. */
function product(a: Float64Array, n: number, k: number, previous: number, w: Float64Array, v: Float64Array, y: Float64Array): void {
  if (previous < 0) {
    for (let i = 0; i < k; i++) {
      const p = i * n;
      const vi = v[i]!;
      let sum = 0;
      for (let j = 0; j < i; j++) {
        const x = a[p + j]!;
        sum += x * v[j]!;
        y[j] = y[j]! + x * vi;
      }
      y[i] = sum + a[p + i]! * vi;
    }
    return;
  }
  const u = a.subarray(previous * n, previous * n + previous);
  for (let i = 0; i < k; i++) {
    const p = i * n;
    const vi = v[i]!;
    const ui = u[i]!;
    const wi = w[i]!;
    let sum = 0;
    for (let j = 0; j < i; j++) {
      const x = a[p + j]! - ui * w[j]! - wi * u[j]!;
      a[p + j] = x;
      sum += x * v[j]!;
      y[j] = y[j]! + x * vi;
    }
    const x = a[p + i]! - 2 * ui * wi;
    a[p + i] = x;
    y[i] = sum + x * vi;
  }
}
