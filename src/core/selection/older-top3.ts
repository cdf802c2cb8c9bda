import { bestIndices } from '../numerics/best-index';
import type { Matrix } from '../numerics/matrix';
import { rowsTimesVector } from '../numerics/rows-times-vector';
import { PROTECTION } from './constants';
import { isZero, liveRows } from './live-rows';

/**
 * The three blocks nearest to the next action among those older than the newest `recency` (W_r), ties to the newer.
 * Top-3 rewards recency (gem.md §14); this one cannot be had by keeping the newest blocks. Fewer than three where the
 * history is that short.
 */
export function olderTop3(rows: Matrix, action: Float64Array | null, recency = PROTECTION.recency): number[] {
  if (!action || isZero(action)) return [];
  const older = liveRows(rows).filter((i) => i < rows.rows - recency);
  return bestIndices(rowsTimesVector(rows, action, new Float64Array(rows.rows)), older, 3);
}

/** Share of `wanted` that is in `kept`; null when nothing is wanted. */
export function shareKept(wanted: readonly number[], kept: Iterable<number>): number | null {
  if (wanted.length === 0) return null;
  const set = new Set(kept);
  return wanted.filter((i) => set.has(i)).length / wanted.length;
}
