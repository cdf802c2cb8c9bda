import type { Matrix } from '../numerics/matrix';
import { Span } from './span';
import type { Pick } from './types';

/** Residual before and coverage after each block of a given order; the first `start` blocks are left out. */
export function picksAlong(rows: Matrix, order: readonly number[], start: number): Pick[] {
  const span = new Span(rows);
  const picks = order.map((index) => {
    const residual = span.residuals[index]!;
    span.add(index);
    return { index, residual, coverage: span.coverage() };
  });
  return picks.slice(start);
}
