/** Sums of metrics over checkpoints. */
import type { MeasuredMetrics } from '../selection/measured';
import { METRIC_NAMES, type MetricName, type MetricSum, type MetricSums } from './types';

export const emptySum = (): MetricSum => ({ sum: 0, count: 0 });

export function addTo(sum: MetricSum, value: number | null): void {
  if (value === null) return;
  sum.sum += value;
  sum.count++;
}

export const meanOf = ({ sum, count }: MetricSum): number | null => (count > 0 ? sum / count : null);

function emptySums(): MetricSums {
  return Object.fromEntries(METRIC_NAMES.map((name) => [name, emptySum()])) as MetricSums;
}

/** `n` blocks and `tokens` in all at the checkpoint; `kept` of them kept. */
export function addMetrics(into: Record<string, MetricSums>, key: string, metrics: MeasuredMetrics, at: { n: number; tokens: number; kept: number }): void {
  const sums = (into[key] ??= emptySums());
  const values: Record<MetricName, number | null> = {
    top3: metrics.top3, top3Older: metrics.top3Older,
    actionProjection: metrics.actionProjection, finalProjection: metrics.finalProjection, goalProjection: metrics.goalProjection,
    centroid: metrics.centroid, coverage: metrics.coverage,
    retained: at.n > 0 ? at.kept / at.n : null,
    tokensKept: at.tokens > 0 ? metrics.tokens / at.tokens : null,
  };
  for (const name of METRIC_NAMES) addTo(sums[name], values[name]);
}
