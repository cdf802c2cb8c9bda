/**
 * Largest-residual completion (gem.md §4, §8 lines 6–8) through vectors: two Gram–Schmidt passes in float64, residuals
 * updated by A.7. O(n d b) time for b directions, O(n + b d) memory beside the rows.
 */
import { bestIndex } from '../numerics/best-index';
import type { Matrix } from '../numerics/matrix';
import { RESIDUAL_FLOOR } from './constants';
import { alignmentWithAll } from './first-pick';
import { Span } from './span';
import type { Pick, StopReason } from './types';

export interface Completion {
  /** Start set in index order, then the picks in order of choice. */
  kept: number[];
  picks: Pick[];
  /** E of the start set. */
  coverageStart: number;
  coverage: number;
  /** Residual of every block after the last pick. */
  residuals: Float64Array;
  /** Dimension of the span. */
  rank: number;
  stop: StopReason;
}

export interface CompletionLimits {
  /** Capacity; the start set is kept whole even when it is larger. */
  capacity: number;
  /** Coverage at which to stop; above 1 = never. */
  tau: number;
}

/** Completes `start` (indices) over `rows` (unit or zero). Frozen inputs are fine: nothing is changed. */
export function complete(rows: Matrix, start: readonly number[], limits: CompletionLimits): Completion {
  const span = new Span(rows);
  const { residuals } = span;
  const kept: number[] = [];
  const open = new Set(span.live);
  const add = (j: number): void => {
    span.add(j);
    kept.push(j);
    open.delete(j);
  };
  for (const j of [...start].sort((a, b) => a - b)) add(j);
  const capacity = Math.max(limits.capacity, kept.length);
  const coverageStart = span.coverage();
  const picks: Pick[] = [];
  let reached = coverageStart;
  let stop: StopReason;
  for (;;) {
    if (reached >= limits.tau) stop = 'coverage';
    else if (kept.length >= capacity) stop = 'capacity';
    else {
      const candidates = [...open].filter((i) => residuals[i]! > RESIDUAL_FLOOR);
      if (candidates.length > 0) {
        const scores = span.basis.length === 0 ? alignmentWithAll(rows) : residuals;
        const index = bestIndex(scores, candidates);
        const residual = residuals[index]!;
        add(index);
        reached = span.coverage();
        picks.push({ index, residual, coverage: reached });
        continue;
      }
      stop = 'exhausted';
    }
    return { kept, picks, coverageStart, coverage: reached, residuals, rank: span.basis.length, stop };
  }
}
