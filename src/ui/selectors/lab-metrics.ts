/** Quantities of the laboratory's tables and charts, and their rows as text (gem.md §5; sweeps of Tables D.2–D.4). */
import { formatCount, formatFixed } from '../../core/layout/format';
import type { AblationRow, CapacitySweepRow, TargetSweepRow } from '../../core/selection/sweeps';
import type { SelectionMetrics } from '../../core/selection/types';
import type { TableRows } from '../shared/table-text';
import { METRIC_COLUMNS, STOPS } from './selector-columns';

const METRIC_KEYS = METRIC_COLUMNS.map(({ key }) => key);

/** Drawn as curves, most telling first; the rest is in the table. */
export const CURVE_KEYS: readonly (keyof SelectionMetrics)[] = ['top3', 'top3Older', 'actionProjection', 'coverage', 'centroid', 'finalProjection'];

export function metricWords(metrics: SelectionMetrics, key: keyof SelectionMetrics): string {
  const value = metrics[key];
  return key === 'tokens' || key === 'chars' ? formatCount(value ?? NaN) : formatFixed(value, 3);
}

const numbers = (metrics: SelectionMetrics): (number | null)[] => METRIC_KEYS.map((key) => metrics[key]);

export function capacityTable(rows: readonly CapacitySweepRow[]): TableRows {
  return [['selector', 'K', 'k', 'kept', ...METRIC_KEYS], ...rows.map((row) => [row.selector, row.capacity, row.k, row.kept, ...numbers(row.metrics)])];
}

export function targetTable(rows: readonly TargetSweepRow[]): TableRows {
  return [['tau', 'kept', 'retained', 'stop', ...METRIC_KEYS], ...rows.map((row) => [row.tau, row.kept, row.retained, row.stop, ...numbers(row.metrics)])];
}

export function ablationText(rows: readonly AblationRow[]): TableRows {
  return [['selector', 'without', 'protected', ...METRIC_KEYS], ...rows.map((row) => [row.selector, row.without, row.protected, ...numbers(row.metrics)])];
}

export const stopOf = (stop: TargetSweepRow['stop']): string => STOPS[stop];
