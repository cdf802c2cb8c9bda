/**
 * Largest-residual completion (gem.md §4, §8 lines 6–8) through vectors: two Gram–Schmidt passes in float64, residuals
 * updated by A.7. O(n d b) time for b directions, O(n + b d) memory beside the rows.
 */
import { TIE } from '../numerics/best-index';
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

/** Completes `start` (indices) over `rows` (unit or zero). Checks, in order: coverage, capacity, candidates left. */
export function complete(rows: Matrix, start: readonly number[], limits: CompletionLimits): Completion {
  const span = new Span(rows);
  const { residuals } = span;
  const kept: number[] = [];
  const taken = new Uint8Array(rows.rows);
  const add = (j: number): void => {
    span.add(j);
    kept.push(j);
    taken[j] = 1;
  };
  for (const j of [...start].sort((a, b) => a - b)) add(j);
  const capacity = Math.max(limits.capacity, kept.length);
  const coverageStart = span.coverage();
  const picks: Pick[] = [];
  let coverage = coverageStart;
  let stop: StopReason | null = null;
  while (stop === null) {
    if (coverage >= limits.tau) stop = 'coverage';
    else if (kept.length >= capacity) stop = 'capacity';
    else {
      const index = bestCandidate(span.basis.size === 0 ? alignmentWithAll(rows) : residuals, residuals, taken);
      if (index < 0) {
        stop = 'exhausted';
        continue;
      }
      const residual = residuals[index]!;
      add(index);
      coverage = span.coverage();
      picks.push({ index, residual, coverage });
    }
  }
  return { kept, picks, coverageStart, coverage, residuals, rank: span.basis.size, stop };
}

/** Largest score among blocks not taken with a residual above the floor; ties to the newer; −1 = none is left. */
function bestCandidate(scores: Float64Array, residuals: Float64Array, taken: Uint8Array): number {
  let top = -Infinity;
  for (let i = 0; i < scores.length; i++) {
    if (taken[i] === 0 && residuals[i]! > RESIDUAL_FLOOR && scores[i]! > top) top = scores[i]!;
  }
  const limit = top - TIE * Math.abs(top);
  for (let i = scores.length - 1; i >= 0; i--) {
    if (taken[i] === 0 && residuals[i]! > RESIDUAL_FLOOR && scores[i]! >= limit) return i;
  }
  return -1;
}
