/**
 * Completion through the Gram matrix alone: diagonally pivoted Cholesky (gem.md §4). The same picks as `complete`, no
 * vectors; and the max-gain rule, which needs the residual Gram matrix (O(n²) memory and O(n²) time a pick).
 */
import { bestIndex } from '../numerics/best-index';
import { RESIDUAL_FLOOR } from './constants';
import type { Completion, CompletionLimits } from './completion';
import { coverageOf } from './span';
import type { Pick, StopReason } from './types';

export type GramRule = 'residual' | 'gain';

/** `gram`: n × n of the rows. `rule` 'gain' takes the block that raises E most instead of the largest residual. */
export function completeFromGram(gram: Float64Array, n: number, start: readonly number[], limits: CompletionLimits, rule: GramRule = 'residual'): Completion {
  const c = Float64Array.from(gram);
  const residuals = Float64Array.from({ length: n }, (_, i) => gram[i * n + i]!);
  const live = Array.from(residuals.keys()).filter((i) => residuals[i]! > 0);
  const kept: number[] = [];
  const open = new Set(live);
  let rank = 0;
  const add = (j: number): void => {
    kept.push(j);
    open.delete(j);
    const r = residuals[j]!;
    if (!(r > RESIDUAL_FLOOR)) return;
    rank++;
    const column = c.slice(j * n, (j + 1) * n);
    const scale = 1 / Math.sqrt(r);
    for (let i = 0; i < n; i++) column[i] = column[i]! * scale;
    for (let i = 0; i < n; i++) {
      const li = column[i]!;
      residuals[i] = Math.max(0, residuals[i]! - li * li);
      for (let k = 0, p = i * n; k < n; k++) c[p + k] = c[p + k]! - li * column[k]!;
    }
    residuals[j] = 0;
  };
  const scoresOf = (candidates: readonly number[]): Float64Array => {
    if (rule === 'residual' && rank > 0) return residuals;
    const scores = new Float64Array(n);
    for (const i of candidates) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += c[i * n + k]! ** 2;
      scores[i] = rule === 'gain' ? sum / residuals[i]! : sum;
    }
    return scores;
  };
  for (const j of [...start].sort((a, b) => a - b)) add(j);
  const capacity = Math.max(limits.capacity, kept.length);
  const coverageStart = coverageOf(residuals, live);
  const picks: Pick[] = [];
  let coverage = coverageStart;
  let stop: StopReason | null = null;
  while (stop === null) {
    const candidates = [...open].filter((i) => residuals[i]! > RESIDUAL_FLOOR);
    if (coverage >= limits.tau) stop = 'coverage';
    else if (kept.length >= capacity) stop = 'capacity';
    else if (candidates.length === 0) stop = 'exhausted';
    else {
      const index = bestIndex(scoresOf(candidates), candidates);
      const residual = residuals[index]!;
      add(index);
      coverage = coverageOf(residuals, live);
      picks.push({ index, residual, coverage });
    }
  }
  return { kept, picks, coverageStart, coverage, residuals, rank, stop };
}
