import { assertShape } from './matrix';
import { tridiagonalEigenvalues } from './tridiagonal-eigenvalues';
import { tridiagonalise, type Tridiagonal } from './tridiagonalise';

/** All eigenvalues of a symmetric n × n matrix, largest first. Values only: no eigenvector is formed. O(n³). */
export function symmetricEigenvalues(matrix: Float64Array, n: number): Float64Array {
  assertShape('symmetricEigenvalues', matrix.length, n, n);
  const { diagonal, offDiagonal } = tridiagonalise(matrix, n);
  tridiagonalEigenvalues(diagonal, offDiagonal);
  return diagonal.sort().reverse();
}

export interface EigenProjections { values: Float64Array; /** components[v][k] = u_kᵀ vectors[v] (sign of u_k arbitrary). */ components: Float64Array[] }

/** Eigenvalues, largest first, with the components of the given vectors along the eigenvectors: O(n²) a vector more. */
export function eigenProjections(matrix: Float64Array, n: number, vectors: readonly Float64Array[]): EigenProjections {
  assertShape('eigenProjections', matrix.length, n, n);
  const t = tridiagonalise(matrix, n);
  const riders = vectors.map((vector) => reflectVector(t, Float64Array.from(vector)));
  tridiagonalEigenvalues(t.diagonal, t.offDiagonal, riders);
  const order = Array.from(t.diagonal.keys()).sort((i, j) => t.diagonal[j]! - t.diagonal[i]!);
  return {
    values: Float64Array.from(order, (i) => t.diagonal[i]!),
    components: riders.map((rider) => Float64Array.from(order, (i) => rider[i]!)),
  };
}

/** Qᵀ x in place, Q = H(n−1) … H(1) of the reduction. */
function reflectVector(t: Tridiagonal, x: Float64Array): Float64Array {
  const n = x.length;
  for (let k = n - 1; k >= 1; k--) {
    const v = t.reflectors.subarray(k * t.stride, k * t.stride + k);
    let s = 0;
    for (let j = 0; j < k; j++) s += v[j]! * x[j]!;
    s *= t.factors[k]!;
    for (let j = 0; j < k; j++) x[j] = x[j]! - s * v[j]!;
  }
  return x;
}
