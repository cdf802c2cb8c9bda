/** Low-energy alignment and the controlled replacement of gem.md §6 (paper §4.3, C.3). */
import { bestIndex } from '../numerics/best-index';
import { centreGram } from '../numerics/centre-gram';
import { centredRows, columnMeans } from '../numerics/column-means';
import { dot } from '../numerics/dot';
import { log } from '../base/elementary';
import { gramMatrix } from '../numerics/gram-matrix';
import { leadingEigenvectors } from '../numerics/leading-eigenvectors';
import { rowOf, type Matrix } from '../numerics/matrix';
import { rowsTimesVector } from '../numerics/rows-times-vector';
import { transpose } from '../numerics/transpose';
import { liveRows } from './live-rows';
import { cosine, nextActionTop3, selectionMetrics } from './metrics';
import { dropSmall, energyRank } from './spectrum';

/** Norm below which a low-energy part is taken as zero. */
const ZERO_NORM = 1e-9;
const TIE = 1e-12;

export type EffectName = 'actionProjection' | 'top3' | 'centroid' | 'coverage';

export interface Replacement {
  r90: number;
  /** Low-energy alignment of every block with the next action, −1…1. */
  alpha: Float64Array;
  targeted: number;
  matched: number | null;
  replacement: number | null;
  /** Targeted minus matched; null where there is no pair. */
  effects: Record<EffectName, number> | null;
  /** What each removal left, with the same replacement; null where there is no pair. */
  arms: { targeted: Record<EffectName, number>; matched: Record<EffectName, number> } | null;
}

/** Alignment beyond the first r90 centred directions. Needs eigenvectors: O(min(n, d)³). */
function lowEnergyAlignment(rows: Matrix, action: Float64Array): { alpha: Float64Array; r90: number } {
  const { rows: n, columns: d } = rows;
  const centred = centredRows(rows);
  const mean = columnMeans(rows);
  const low = action.map((x, k) => x - mean[k]!);
  const lowRows: Matrix = { rows: n, columns: d, data: Float64Array.from(centred.data) };
  const { directions, r90 } = leadingDirections(rows, centred);
  for (const v of directions) {
    subtract(low, v, dot(low, v));
    for (let i = 0; i < n; i++) subtract(rowOf(lowRows, i), v, dot(rowOf(lowRows, i), v));
  }
  const actionNorm = Math.sqrt(dot(low, low));
  const alpha = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const row = rowOf(lowRows, i);
    const norm = Math.sqrt(dot(row, row));
    if (norm >= ZERO_NORM && actionNorm >= ZERO_NORM) alpha[i] = dot(row, low) / (norm * actionNorm);
  }
  return { alpha, r90 };
}

/** Right singular vectors of the centred rows up to the 90 % cut. */
function leadingDirections(rows: Matrix, centred: Matrix): { directions: Float64Array[]; r90: number } {
  const { rows: n, columns: d } = rows;
  const columns = transpose(centred);
  const byBlock = n <= d;
  const { vectors } = leadingEigenvectors(byBlock ? centreGram(gramMatrix(rows), n) : gramMatrix(columns), Math.min(n, d), (values) => energyRank(dropSmall(Float64Array.from(values))));
  const directions = Array.from({ length: vectors.rows }, (_, k) => {
    if (!byBlock) return rowOf(vectors, k);
    const v = rowsTimesVector(columns, rowOf(vectors, k), new Float64Array(d));
    const length = Math.sqrt(dot(v, v));
    return v.map((x) => x / length);
  });
  return { directions, r90: vectors.rows };
}

/**
 * Removes from `kept` the block of strongest alignment (targeted) or a matched block of low alignment, with the same
 * replacement in both arms, and compares the metrics. `chars`: size of every block's text, code points.
 */
export function controlledReplacement(rows: Matrix, kept: readonly number[], action: Float64Array, chars: readonly number[]): Replacement {
  const { alpha, r90 } = lowEnergyAlignment(rows, action);
  const targeted = bestIndex(alpha, kept);
  const matched = matchedBlock(rows, kept, alpha, targeted, chars);
  const none = { r90, alpha, targeted, matched, replacement: null, effects: null, arms: null };
  if (matched === null) return none;
  const mean = rowOf(rows, targeted).map((x, k) => (x + rowOf(rows, matched)[k]!) / 2);
  const similarity = Float64Array.from({ length: rows.rows }, (_, i) => cosine(rowOf(rows, i), mean) ?? 0);
  const taken = new Set([...kept, ...nextActionTop3(rows, action)]);
  const replacement = bestIndex(similarity, liveRows(rows).filter((i) => !taken.has(i)));
  if (replacement < 0) return none;
  const arm = (removed: number): Record<EffectName, number> => {
    const sizes = chars.map((c) => ({ chars: c, tokens: 0 }));
    const metrics = selectionMetrics(rows, [...kept.filter((i) => i !== removed), replacement], { action, final: null, goal: null }, sizes);
    return { actionProjection: metrics.actionProjection ?? 0, top3: metrics.top3 ?? 0, centroid: metrics.centroid ?? 0, coverage: metrics.coverage };
  };
  const one = arm(targeted);
  const two = arm(matched);
  const effects = Object.fromEntries(Object.keys(one).map((key) => [key, one[key as EffectName] - two[key as EffectName]])) as Record<EffectName, number>;
  return { ...none, replacement, effects, arms: { targeted: one, matched: two } };
}

/** Among kept blocks with α at most the median: nearest in similarity to the mean, age and log length, each in deviations. */
function matchedBlock(rows: Matrix, kept: readonly number[], alpha: Float64Array, targeted: number, chars: readonly number[]): number | null {
  const n = rows.rows;
  const traits = [
    rowsTimesVector(rows, columnMeans(rows), new Float64Array(n)),
    Float64Array.from({ length: n }, (_, i) => n - 1 - i),
    Float64Array.from({ length: n }, (_, i) => log(chars[i]!)),
  ].map((values) => ({ values, deviation: populationDeviation(values) })).filter((trait) => trait.deviation > 0);
  const middle = median(kept.map((i) => alpha[i]!));
  const candidates = kept.filter((i) => i !== targeted && alpha[i]! <= middle);
  if (candidates.length === 0) return null;
  const distance = (i: number): number => traits.reduce((sum, t) => sum + Math.abs(t.values[i]! - t.values[targeted]!) / t.deviation, 0);
  const nearest = Math.min(...candidates.map(distance));
  return Math.max(...candidates.filter((i) => distance(i) <= nearest + TIE * Math.abs(nearest)));
}

function subtract(x: Float64Array, v: Float64Array, factor: number): void {
  for (let k = 0; k < x.length; k++) x[k] = x[k]! - factor * v[k]!;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

function populationDeviation(values: Float64Array): number {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  return Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length);
}
