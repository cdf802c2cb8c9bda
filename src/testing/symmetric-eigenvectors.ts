import { EigenvalueDecomposition, Matrix as MlMatrix } from 'ml-matrix';
import { assertShape, type Matrix } from '../core/numerics/matrix';

export interface SymmetricEigen { values: Float64Array; /** Row k = unit eigenvector of values[k]. */ vectors: Matrix }

/** Eigenvalues, largest first, with eigenvectors, through ml-matrix: a second opinion on our own. */
export function symmetricEigenvectors(matrix: Float64Array, n: number): SymmetricEigen {
  assertShape('symmetricEigenvectors', matrix.length, n, n);
  if (n === 0) return { values: new Float64Array(0), vectors: { rows: 0, columns: 0, data: new Float64Array(0) } };
  const decomposition = new EigenvalueDecomposition(MlMatrix.from1DArray(n, n, matrix), { assumeSymmetric: true });
  const ascending = decomposition.realEigenvalues;
  const columns = decomposition.eigenvectorMatrix;
  const values = new Float64Array(n);
  const data = new Float64Array(n * n);
  for (let k = 0; k < n; k++) {
    values[k] = ascending[n - 1 - k]!;
    for (let i = 0; i < n; i++) data[k * n + i] = columns.get(i, n - 1 - k);
  }
  return { values, vectors: { rows: n, columns: n, data } };
}
