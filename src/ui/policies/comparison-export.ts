/** The comparison table as text. Columns and their names are those of `contextscope replay --csv`, so that the two can be held against each other. */
import type { ReplaySummary } from '../../core/workspace/summary';
import type { ComparisonRow } from './comparison-model';

type Cell = string | number | null;

const COLUMNS: readonly [string, (summary: ReplaySummary) => Cell][] = [
  ['policy', (s) => s.policy],
  ['budget', (s) => s.budget],
  ['class', (s) => s.replayClass],
  ['peakContext', (s) => s.totals.peakContext],
  ['meanContext', (s) => s.totals.meanContext],
  ['trajectoryTokens', (s) => s.totals.trajectoryTokens],
  ['ops', (s) => Object.entries(s.totals.opsByKind).map(([kind, n]) => `${kind} ${n}`).join(' ')],
  ['overflowSteps', (s) => s.totals.overflowSteps],
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
];

/** Rows that have no result yet, or one of another budget, are left out: a copied number is never an old one. */
const cellsOf = (rows: readonly ComparisonRow[]): Cell[][] => rows.flatMap(({ summary, current }) => (summary && current ? [COLUMNS.map(([, cell]) => cell(summary))] : []));
const NAMES = COLUMNS.map(([name]) => name);

export function comparisonTsv(rows: readonly ComparisonRow[]): string {
  return [NAMES, ...cellsOf(rows)].map((cells) => cells.map((cell) => String(cell ?? '')).join('\t')).join('\n') + '\n';
}

/** RFC 4180; numbers in full precision, unknown empty. */
export function comparisonCsv(rows: readonly ComparisonRow[]): string {
  const quote = (cell: Cell): string => (typeof cell === 'string' && /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : String(cell ?? ''));
  return [NAMES, ...cellsOf(rows)].map((cells) => cells.map(quote).join(',')).join('\r\n') + '\r\n';
}

/** For a person: at most four decimals, `–` for unknown. */
export function comparisonMarkdown(rows: readonly ComparisonRow[]): string {
  const show = (cell: Cell): string => (cell === null ? '–' : typeof cell === 'string' ? cell.replaceAll('|', '\\|') : String(Number(cell.toFixed(4))));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(NAMES), line(NAMES.map(() => '---')), ...cellsOf(rows).map((cells) => line(cells.map(show)))].join('\n') + '\n';
}
