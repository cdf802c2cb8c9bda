/** A table's cells: a statistic over trajectories with its bootstrap interval. */
import { bootstrapInterval } from '../numerics/bootstrap';
import { meanOf } from './sums';
import { BOOTSTRAP_DRAWS, METRIC_NAMES, type Cell, type MetricSum, type MetricSums } from './types';

type Statistic = (values: readonly number[]) => number | null;

export const mean: Statistic = (values) => (values.length > 0 ? values.reduce((sum, x) => sum + x, 0) / values.length : null);


/** A statistic of one value a trajectory; trajectories without one are left out. */
export function overRuns(values: readonly (number | null)[], statistic: Statistic, seed: number): Cell {
  const present = values.filter((value): value is number => value !== null);
  return withInterval(statistic(present), present.length, (drawn) => statistic(Array.from(drawn, (i) => present[i]!)), seed);
}

/** Mean over all checkpoints of all trajectories; the interval draws whole trajectories. */
export function pooled(sums: readonly MetricSum[], seed: number): Cell {
  const present = sums.filter((sum) => sum.count > 0);
  const ratio = (indices: ArrayLike<number>): number | null => {
    let sum = 0;
    let count = 0;
    for (let i = 0; i < indices.length; i++) {
      sum += present[indices[i]!]!.sum;
      count += present[indices[i]!]!.count;
    }
    return count > 0 ? sum / count : null;
  };
  return withInterval(ratio(present.map((_, i) => i)), present.length, ratio, seed);
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
