import { bestIndex } from '../numerics/best-index';
import { transpose } from '../numerics/transpose';
import { dot } from '../numerics/dot';
import { gramMatrix } from '../numerics/gram-matrix';
import type { Matrix } from '../numerics/matrix';
import { RowProducts } from '../numerics/row-products';
import { rowsTimesVector } from '../numerics/rows-times-vector';
import { RESIDUAL_FLOOR } from './constants';
import type { Completion } from './completion';
import { alignmentWithAll } from './first-pick';
import { Span } from './span';
import type { Pick } from './types';

/**
 * Largest-gain completion to `capacity` blocks without an n × n matrix, for long runs. The gain of j is x_jᵀ S x_j / r_j with
 * S = Eᵀ E the residuals' scatter (d × d); after a direction q, S ← (I − qqᵀ) S (I − qqᵀ) and x_jᵀ S x_j changes by two
 * products: O(n d) a pick. Less exact than the Gram path where residuals are near the floor (about 1e-14 / r).
 */
export function completeByGain(rows: Matrix, start: readonly number[], capacity: number): Completion {
  const { rows: n, columns: d } = rows;
  const span = new Span(rows);
  const scatter: Matrix = { rows: d, columns: d, data: gramMatrix(transpose(rows)) };
  const weight = alignmentWithAll(rows);
  const products = new RowProducts(rows);
  const image = new Float64Array(d);
  const along = new Float64Array(n);
  const across = new Float64Array(n);
  const kept: number[] = [];
  const open = new Set(span.live);
  const add = (j: number): void => {
    kept.push(j);
    open.delete(j);
    const before = span.basis.size;
    span.add(j);
    if (span.basis.size === before) return;
    const q = span.basis.vector(before);
    rowsTimesVector(scatter, q, image);
    const energy = dot(q, image);
    products.times(q, along);
    products.times(image, across);
    for (let i = 0; i < n; i++) weight[i] = weight[i]! - 2 * across[i]! * along[i]! + energy * along[i]! ** 2;
    for (let k = 0, p = 0; k < d; k++) {
      for (let l = 0; l < d; l++, p++) scatter.data[p] = scatter.data[p]! - image[k]! * q[l]! - q[k]! * image[l]! + energy * q[k]! * q[l]!;
    }
  };
  for (const j of [...start].sort((a, b) => a - b)) add(j);
  const coverageStart = span.coverage();
  const picks: Pick[] = [];
  const gain = new Float64Array(n);
  while (kept.length < capacity) {
    const candidates = [...open].filter((i) => span.residuals[i]! > RESIDUAL_FLOOR);
    if (candidates.length === 0) break;
    for (const i of candidates) gain[i] = weight[i]! / span.residuals[i]!;
    const index = bestIndex(gain, candidates);
    const residual = span.residuals[index]!;
    add(index);
    picks.push({ index, residual, coverage: span.coverage() });
  }
  return {
    kept, picks, coverageStart, coverage: span.coverage(), residuals: span.residuals, rank: span.basis.size,
    stop: kept.length >= capacity ? 'capacity' : 'exhausted',
  };
}
