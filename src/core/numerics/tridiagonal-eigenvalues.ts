import { ContextscopeError } from '../base/errors';

const MAX_SWEEPS = 60;

/**
 * Eigenvalues of a symmetric tridiagonal matrix by implicit QL (Wilkinson shift; after EISPACK tql1/tql2). Overwrites
 * `d` with the eigenvalues, in no order; destroys `e` (e[i] couples i − 1 and i; e[0] unused). Each vector in `riders`
 * takes the same rotations as a row of the eigenvector matrix: it ends as its components along the eigenvectors.
 * Throws 'internal' if an eigenvalue does not converge.
 */
export function tridiagonalEigenvalues(d: Float64Array, e: Float64Array, riders: readonly Float64Array[] = []): void {
  const n = d.length;
  for (let i = 1; i < n; i++) e[i - 1] = e[i]!;
  if (n > 0) e[n - 1] = 0;
  for (let l = 0; l < n; l++) {
    for (let sweep = 0; ; sweep++) {
      let m = l;
      for (; m < n - 1; m++) {
        if (Math.abs(e[m]!) <= Number.EPSILON * (Math.abs(d[m]!) + Math.abs(d[m + 1]!))) break;
      }
      if (m === l) break;
      if (sweep === MAX_SWEEPS) throw new ContextscopeError('internal', `Eigenvalue ${l} of ${n} did not converge in ${MAX_SWEEPS} sweeps.`);
      sweepOnce(d, e, l, m, riders);
    }
  }
}

function sweepOnce(d: Float64Array, e: Float64Array, l: number, m: number, riders: readonly Float64Array[]): void {
  let g = (d[l + 1]! - d[l]!) / (2 * e[l]!);
  let r = Math.sqrt(g * g + 1);
  g = d[m]! - d[l]! + e[l]! / (g + (g >= 0 ? r : -r));
  let s = 1;
  let c = 1;
  let p = 0;
  for (let i = m - 1; i >= l; i--) {
    const f = s * e[i]!;
    const b = c * e[i]!;
    r = Math.sqrt(f * f + g * g);
    e[i + 1] = r;
    if (r === 0) {
      // Underflow: the matrix splits here.
      d[i + 1] = d[i + 1]! - p;
      e[m] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1]! - p;
    const t = (d[i]! - g) * s + 2 * c * b;
    p = s * t;
    d[i + 1] = g + p;
    g = c * t - b;
    for (const z of riders) {
      const next = z[i + 1]!;
      const here = z[i]!;
      z[i + 1] = s * here + c * next;
      z[i] = c * here - s * next;
    }
  }
  d[l] = d[l]! - p;
  e[l] = g;
  e[m] = 0;
}
