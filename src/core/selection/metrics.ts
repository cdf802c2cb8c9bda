/** Retention metrics (gem.md §5), for measuring only: no selector sees the next action or the final state. */
import { bestIndices } from '../numerics/best-index';
import { dot } from '../numerics/dot';
import { rowOf, type Matrix } from '../numerics/matrix';
import { rowsTimesVector } from '../numerics/rows-times-vector';
import { isZero, liveRows } from './live-rows';
import { olderTop3, shareKept } from './older-top3';
import { Span } from './span';
import type { SelectionMetrics } from './types';

/** Unit vectors at a checkpoint; null = there is none (no next action, no text). */
export interface Targets { action: Float64Array | null; final: Float64Array | null; goal: Float64Array | null }

/** The three blocks nearest to the next action, ties to the newer. */
export function nextActionTop3(rows: Matrix, action: Float64Array | null): number[] {
  if (!action || isZero(action)) return [];
  return bestIndices(rowsTimesVector(rows, action, new Float64Array(rows.rows)), liveRows(rows), 3);
}

/** `kept`: indices. `sizes`: tokens and characters of every block's selection text. */
export function selectionMetrics(rows: Matrix, kept: readonly number[], targets: Targets, sizes: readonly { tokens: number; chars: number }[]): SelectionMetrics {
  const sorted = [...kept].sort((a, b) => a - b);
  const span = new Span(rows);
  sorted.forEach((j) => span.add(j));
  const { live, basis } = span;
  const share = (vector: Float64Array | null): number | null => (vector && !isZero(vector) ? basis.share(vector) : null);
  const set = new Set(sorted);
  const top3 = nextActionTop3(rows, targets.action);
  return {
    top3: targets.action && !isZero(targets.action) ? top3.filter((i) => set.has(i)).length / 3 : null,
    top3Older: shareKept(olderTop3(rows, targets.action), sorted),
    actionProjection: share(targets.action),
    finalProjection: share(targets.final),
    goalProjection: share(targets.goal),
    centroid: centroidSimilarity(rows, live, live.filter((i) => set.has(i))),
    coverage: span.coverage(),
    tokens: sorted.reduce((sum, i) => sum + sizes[i]!.tokens, 0),
    chars: sorted.reduce((sum, i) => sum + sizes[i]!.chars, 0),
  };
}

/** Cosine of the means of two sets of rows; null when a set is empty or its mean is zero. */
function centroidSimilarity(rows: Matrix, all: readonly number[], kept: readonly number[]): number | null {
  return kept.length === 0 ? null : cosine(meanOf(rows, all), meanOf(rows, kept));
}

export function meanOf(rows: Matrix, indices: readonly number[]): Float64Array {
  const mean = new Float64Array(rows.columns);
  for (const i of indices) {
    const row = rowOf(rows, i);
    for (let k = 0; k < mean.length; k++) mean[k] = mean[k]! + row[k]!;
  }
  return mean.map((x) => x / Math.max(1, indices.length));
}

/** null when either vector is zero. */
export function cosine(u: Float64Array, v: Float64Array): number | null {
  const length = Math.sqrt(dot(u, u) * dot(v, v));
  return length > 0 ? dot(u, v) / length : null;
}
