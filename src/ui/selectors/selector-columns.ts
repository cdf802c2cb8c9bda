/** Metric columns of the selector table: value, difference from the reference, definition (gem.md §5). */
import { formatCount, formatDifference, formatFixed } from '../../core/layout/format';
import type { SelectReport, SelectionMetrics, SelectorResult } from '../../core/selection/types';
import type { TableCell } from '../shared/table-text';

export interface MetricColumn {
  key: keyof SelectionMetrics;
  label: string;
  /** In full, for charts. */
  title: string;
  definition: string;
  decimals: number;
  /** A measure that needs what happened afterwards. */
  measuredAfterwards: boolean;
}

export const METRIC_COLUMNS: readonly MetricColumn[] = [
  { key: 'top3', label: 'Top-3', title: 'Top-3 retention', decimals: 2, measuredAfterwards: true, definition: 'Share of the three blocks nearest to the recorded next action that are kept. Rewards recency: read it beside recency and random.' },
  { key: 'top3Older', label: 'older', title: 'Top-3 of older blocks', decimals: 2, measuredAfterwards: true, definition: 'Top-3 among the blocks older than the newest four: cannot be had by keeping the newest.' },
  { key: 'actionProjection', label: 'action', title: 'Next action in the span', decimals: 2, measuredAfterwards: true, definition: 'Squared length of the next action inside the span of the kept blocks.' },
  { key: 'finalProjection', label: 'final', title: 'Final state in the span', decimals: 2, measuredAfterwards: true, definition: 'Squared length of the final state inside the span of the kept blocks.' },
  { key: 'goalProjection', label: 'goal', title: 'Goal in the span', decimals: 2, measuredAfterwards: false, definition: 'Squared length of the current goal inside the span of the kept blocks.' },
  { key: 'centroid', label: 'centroid', title: 'Centroid similarity', decimals: 2, measuredAfterwards: false, definition: 'Cosine between the mean of all blocks and the mean of the kept ones. Says little: nearly every selector is near 1.' },
  { key: 'coverage', label: 'coverage', title: 'Coverage E', decimals: 2, measuredAfterwards: false, definition: 'E: mean share of every block that lies in the span of the kept ones.' },
  { key: 'tokens', label: 'tokens', title: 'Tokens', decimals: 0, measuredAfterwards: false, definition: 'Tokens of the selection texts of the kept blocks.' },
];

export const metricClass = (column: MetricColumn): string => (column.decimals === 0 ? 'metric wide' : 'metric');

export function metricValue(result: SelectorResult, column: MetricColumn): string {
  const value = result.metrics[column.key];
  return column.decimals === 0 ? formatCount(value ?? NaN) : formatFixed(value, column.decimals);
}

export function metricDifference(result: SelectorResult, reference: SelectorResult | undefined, column: MetricColumn): string {
  if (!reference || reference.selector === result.selector) return '';
  const value = result.metrics[column.key];
  const base = reference.metrics[column.key];
  if (value === null || base === null) return '';
  if (column.decimals > 0) return formatDifference(value - base, column.decimals);
  const by = Math.round(value - base);
  return by > 0 ? `+${formatCount(by)}` : by === 0 ? '±0' : formatCount(by);
}

export const STOPS: Record<SelectorResult['stop'], string> = {
  coverage: 'coverage reached', capacity: 'capacity reached', exhausted: 'exhausted: nothing left to add', fixed: 'matched k', unchanged: 'history unchanged',
};

export function stopWords(result: SelectorResult): string {
  return result.reason ?? STOPS[result.stop];
}

/** The table as text, full precision, header first; kept blocks as a list of their indices. */
export function selectorTable(report: SelectReport): TableCell[][] {
  return [
    ['selector', 'k', 'kept', ...METRIC_COLUMNS.map(({ key }) => key), 'stopped by', 'blocks'],
    ...report.selectors.map((result) => [result.selector, report.k, result.kept.length, ...METRIC_COLUMNS.map(({ key }) => result.metrics[key]), stopWords(result), [...result.kept].sort((a, b) => a - b).join(' ')]),
  ];
}
