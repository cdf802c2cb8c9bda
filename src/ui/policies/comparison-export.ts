/** The comparison table as text. Columns and their names are those of `contextscope replay --csv`, so that the two can be held against each other. */
import type { ReplaySummary } from '../../core/workspace/summary';
import type { TableCell, TableRows } from '../shared/table-text';
import type { ComparisonRow } from './comparison-model';

const COLUMNS: readonly [string, (summary: ReplaySummary) => TableCell][] = [
  ['policy', (s) => s.policy],
  ['budget', (s) => s.budget],
  ['class', (s) => s.replayClass],
  ['peakContext', (s) => s.totals.peakContext],
  ['meanContext', (s) => s.totals.meanContext],
  ['trajectoryTokens', (s) => s.totals.trajectoryTokens],
  ['ops', (s) => Object.entries(s.totals.opsByKind).map(([kind, n]) => `${kind} ${n}`).join(' ')],
  ['overflowSteps', (s) => s.totals.overflowSteps],
  ['overSteps', (s) => s.totals.overSteps],
  ['infeasibleSteps', (s) => s.totals.infeasibleSteps],
  ['evidenceVisible', (s) => s.totals.evidenceVisible],
  ['evidenceRecoverable', (s) => s.totals.evidenceRecoverable],
  ['evidenceLost', (s) => s.totals.evidenceLost],
  ['firstLossStep', (s) => s.totals.firstLoss?.step ?? null],
  ['obligations', (s) => s.totals.obligations],
  ['reads', (s) => s.totals.reads],
  ['cacheRate', (s) => s.totals.cacheRate],
  ['usd', (s) => s.totals.usd],
  ['managementCalls', (s) => s.totals.managementCalls],
  ['managementTokens', (s) => s.totals.managementTokens],
  ['totalBudgetStep', (s) => s.totals.totalBudgetStep],
  ['faults', (s) => s.totals.paging.faults],
  ['evictions', (s) => s.totals.paging.evictions],
  ['faultRate', (s) => s.totals.paging.faultRate],
  ['readAmplification', (s) => s.totals.paging.readAmplification],
  ['amplification', (s) => s.totals.paging.amplification],
];

/** Rows that have no result yet, or one of another budget, are left out: a copied number is never an old one. */
export function comparisonTable(rows: readonly ComparisonRow[]): TableRows {
  return [COLUMNS.map(([name]) => name), ...rows.flatMap(({ summary, current }) => (summary && current ? [COLUMNS.map(([, cell]) => cell(summary))] : []))];
}
