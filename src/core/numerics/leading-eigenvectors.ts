import { dot } from './dot';
import { assertShape, rowOf, type Matrix } from './matrix';
import { RandomStream } from './random-stream';
import { tridiagonalEigenvalues } from './tridiagonal-eigenvalues';
import { tridiagonalise, type Tridiagonal } from './tridiagonalise';

/** Passes of inverse iteration: two reach rounding error, the third is for start vectors that are nearly orthogonal. */
const PASSES = 3;

/**
 * The `count` largest eigenvalues of a symmetric n × n matrix with unit eigenvectors (row k of `vectors`). Inverse
 * iteration on the tridiagonal form, reflected back: O(n²) a vector beside the O(n³) reduction. `count` may depend on
 * all eigenvalues (largest first).
 */
export function leadingEigenvectors(matrix: Float64Array, n: number, count: number | ((values: Float64Array) => number)): { values: Float64Array; vectors: Matrix } {
  assertShape('leadingEigenvectors', matrix.length, n, n);
  const t = tridiagonalise(matrix, n);
  const all = Float64Array.from(t.diagonal);
  tridiagonalEigenvalues(all, Float64Array.from(t.offDiagonal));
  all.sort().reverse();
  const take = Math.min(typeof count === 'number' ? count : count(all), n);
  const vectors: Matrix = { rows: take, columns: n, data: new Float64Array(take * n) };
  const scale = Math.max(Math.abs(all[0] ?? 0), Math.abs(all[n - 1] ?? 0));
  const stream = new RandomStream(1);
  for (let k = 0; k < take; k++) {
    const x = rowOf(vectors, k);
    for (let i = 0; i < n; i++) x[i] = stream.uniform() + 0.5;
    for (let pass = 0; pass < PASSES; pass++) {
      solveShifted(t, all[k]!, scale, x);
      // Equal eigenvalues would all give the same vector.
      for (let other = 0; other < k; other++) {
        const y = rowOf(vectors, other);
        const s = dot(x, y);
        for (let i = 0; i < n; i++) x[i] = x[i]! - s * y[i]!;
      }
      const length = Math.sqrt(dot(x, x));
      for (let i = 0; i < n; i++) x[i] = x[i]! / length;
    }
  }
  for (let k = 0; k < take; k++) reflectBack(t, rowOf(vectors, k));
  return { values: all.slice(0, take), vectors };
}

/** x ← (T − λ I)⁻¹ x by Gaussian elimination with row exchanges; a zero pivot becomes rounding-sized. */
function solveShifted(t: Tridiagonal, lambda: number, scale: number, x: Float64Array): void {
  const n = x.length;
  const tiny = Number.EPSILON * (scale || 1);
  const main = t.diagonal.map((d) => d - lambda);
  const upper = new Float64Array(n);
  const second = new Float64Array(n);
  for (let i = 0; i + 1 < n; i++) upper[i] = t.offDiagonal[i + 1]!;
  for (let i = 0; i + 1 < n; i++) {
    const below = t.offDiagonal[i + 1]!;
    if (Math.abs(below) > Math.abs(main[i]!)) {
      const factor = main[i]! / below;
      const [nextMain, nextUpper] = [main[i + 1]!, upper[i + 1]!];
      main[i + 1] = upper[i]! - factor * nextMain;
      upper[i + 1] = -factor * nextUpper;
      main[i] = below;
      upper[i] = nextMain;
      second[i] = nextUpper;
      [x[i], x[i + 1]] = [x[i + 1]!, x[i]! - factor * x[i + 1]!];
    } else {
      if (Math.abs(main[i]!) < tiny) main[i] = tiny;
      const factor = below / main[i]!;
      main[i + 1] = main[i + 1]! - factor * upper[i]!;
      x[i + 1] = x[i + 1]! - factor * x[i]!;
    }
  }
  if (n > 0 && Math.abs(main[n - 1]!) < tiny) main[n - 1] = tiny;
  let largest = 0;
  for (let i = n - 1; i >= 0; i--) {
    const right = (i + 1 < n ? upper[i]! * x[i + 1]! : 0) + (i + 2 < n ? second[i]! * x[i + 2]! : 0);
    x[i] = (x[i]! - right) / main[i]!;
    largest = Math.max(largest, Math.abs(x[i]!));
  }
  if (largest > 0) for (let i = 0; i < n; i++) x[i] = x[i]! / largest;
}

/** x ← Q x, Q = H(n−1) … H(1). */
function reflectBack(t: Tridiagonal, x: Float64Array): void {
  const n = x.length;
  for (let k = 1; k < n; k++) {
    const v = t.reflectors.subarray(k * t.stride, k * t.stride + k);
    let s = 0;
    for (let j = 0; j < k; j++) s += v[j]! * x[j]!;
    s *= t.factors[k]!;
    for (let j = 0; j < k; j++) x[j] = x[j]! - s * v[j]!;
  }
}
