/** A table's cells: a statistic over trajectories with its bootstrap interval. */
import { bootstrapInterval } from '../numerics/bootstrap';
import { median } from '../numerics/quantile';
import { meanOf } from './sums';
import { BOOTSTRAP_DRAWS, METRIC_NAMES, type Cell, type MetricSum, type MetricSums } from './types';

/** Mean over all checkpoints of all trajectories; the interval draws whole trajectories. */
export function pooled(sums: readonly MetricSum[], seed: number): Cell {
  const present = sums.filter((sum) => sum.count > 0);
  const values = Float64Array.from(present, ({ sum }) => sum);
  const counts = Float64Array.from(present, ({ count }) => count);
  const ratio = (indices: ArrayLike<number>): number | null => {
    let sum = 0;
    let count = 0;
    for (let i = 0; i < indices.length; i++) {
      sum += values[indices[i]!]!;
      count += counts[indices[i]!]!;
    }
    return count > 0 ? sum / count : null;
  };
  return withInterval(ratio(present.map((_, i) => i)), present.length, ratio, seed);
}

/** Mean of one value a trajectory; trajectories without one are left out. */
export function meanOverRuns(values: readonly (number | null)[], seed: number): Cell {
  return pooled(values.flatMap((value) => (value === null ? [] : [{ sum: value, count: 1 }])), seed);
}

/** Median of one value a trajectory. */
export function medianOverRuns(values: readonly (number | null)[], seed: number): Cell {
  const present = values.filter((value): value is number => value !== null);
  return withInterval(median(present), present.length, (drawn) => median(Array.from(drawn, (i) => present[i]!)), seed);
}

function withInterval(value: number | null, units: number, statistic: (drawn: Uint32Array) => number | null, seed: number): Cell {
  if (value === null) return { value };
  const interval = bootstrapInterval(units, statistic, seed, BOOTSTRAP_DRAWS);
  return interval ? { value, ...interval } : { value };
}

/** One cell a metric. */
export function metricCells(cellOf: (name: keyof MetricSums) => Cell): Record<string, Cell> {
  return Object.fromEntries(METRIC_NAMES.map((name) => [name, cellOf(name)]));
}

export const plainCells = (sums: MetricSums): Record<string, Cell> => metricCells((name) => ({ value: meanOf(sums[name]) }));
