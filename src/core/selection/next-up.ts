/** Which blocks the completion would take next, and why (gem.md §4, §8): the ranking by residual after the kept set. */
import { dot } from '../numerics/dot';
import { rowOf, type Matrix } from '../numerics/matrix';
import { rowsTimesVector } from '../numerics/rows-times-vector';
import { RESIDUAL_FLOOR } from './constants';
import { Span } from './span';

export interface NextUp {
  index: number;
  /** Squared length outside of the span of the kept blocks: what the rule ranks by. */
  residual: number;
  /** What coverage E would gain by it; at least residual / n (A.6). */
  gain: number;
  /** The kept block nearest to it, and their cosine; null when nothing is kept. */
  nearest: { index: number; cosine: number } | null;
}

/** The first `count` in the order in which a single step would take them: largest residual, ties to the newer. */
export function nextUp(rows: Matrix, kept: readonly number[], count: number): { rows: NextUp[]; coverage: number; candidates: number } {
  const span = new Span(rows);
  for (const j of [...kept].sort((a, b) => a - b)) span.add(j);
  const taken = new Set(kept);
  const candidates = span.live.filter((j) => !taken.has(j) && span.residuals[j]! > RESIDUAL_FLOOR);
  const ranked = [...candidates].sort((a, b) => span.residuals[b]! - span.residuals[a]! || b - a).slice(0, count);
  return {
    rows: ranked.map((index) => ({ index, residual: span.residuals[index]!, gain: gainOf(rows, span, index), nearest: nearestOf(rows, kept, index) })),
    coverage: span.coverage(),
    candidates: candidates.length,
  };
}

/** E(B ∪ {j}) − E(B) = mean of (qᵀ x_i)², q the new direction (A.6). Two passes, as in the basis itself. */
function gainOf(rows: Matrix, span: Span, index: number): number {
  const q = Float64Array.from(rowOf(rows, index));
  for (let pass = 0; pass < 2; pass++) {
    for (let k = 0; k < span.basis.size; k++) {
      const v = span.basis.vector(k);
      const along = dot(v, q);
      for (let d = 0; d < q.length; d++) q[d] = q[d]! - along * v[d]!;
    }
  }
  const length = dot(q, q);
  if (!(length > 0)) return 0;
  const products = rowsTimesVector(rows, q, new Float64Array(rows.rows));
  return span.live.reduce((sum, i) => sum + products[i]! ** 2, 0) / length / span.live.length;
}

function nearestOf(rows: Matrix, kept: readonly number[], index: number): NextUp['nearest'] {
  let best: NextUp['nearest'] = null;
  for (const j of kept) {
    const cosine = dot(rowOf(rows, j), rowOf(rows, index));
    if (best === null || cosine > best.cosine) best = { index: j, cosine };
  }
  return best;
}
