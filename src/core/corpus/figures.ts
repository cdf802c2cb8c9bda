/** One figure a table. */
import { COMPARED_SELECTORS } from '../selection/selectors';
import { SWEPT_CAPACITIES, SWEPT_SELECTORS, SWEPT_TARGETS } from '../selection/sweeps';
import { dotChart, lineChart, type Mark } from './svg-chart';
import type { Cell, CorpusTable, CorpusTables, RowScope, TableId, TableRow } from './types';

type Named = Pick<CorpusTables, 'encoder' | 'settings'>;

const FIGURES: Record<TableId, (table: CorpusTable, subtitle: string) => string> = {
  C1: (table, subtitle) => dotChart({
    title: 'Effective rank of each run and of its controls', subtitle, axis: 'effective rank (mean of the control draws)', series: ['run', 'feature shift', 'Gaussian'],
    rows: table.rows.filter((row) => row.scope === 'run' && (row.cells['blocks']?.value ?? 0) >= 16)
      .map((row) => ({ label: `${row.label} (${row.cells['blocks']?.value ?? ''})`, marks: ['erank', 'erankShiftMean', 'erankGaussianMean'].flatMap((key, i) => mark(i, row.cells[key])) })),
  }),
  '1': (table, subtitle) => selectors(table, 'runs', 'Top-3 kept at the same number of blocks', subtitle),
  '2': (table, subtitle) => dotChart({
    title: 'Targeted minus matched replacement', subtitle, axis: 'difference', series: ['mean over trajectories', 'paper'], zero: true,
    rows: table.columns.map(({ key, title }) => ({ label: title, marks: [...mark(0, find(table, 'runs', 'targeted − matched')?.cells[key]), ...mark(1, find(table, 'seed', 'targeted − matched')?.cells[key])] })),
  }),
  D1: (table, subtitle) => selectors(table, 'runs', 'Top-3 kept, middle and last checkpoint', subtitle),
  D2: (table, subtitle) => dotChart({
    title: 'Top-3 without one group of the protection', subtitle, axis: 'difference in Top-3 from gem', series: ['Top-3', 'Top-3 older'], zero: true,
    rows: table.rows.filter((row) => row.scope === 'effect').map((row) => ({ label: row.label, marks: ['top3', 'top3Older'].flatMap((key, i) => mark(i, row.cells[key])) })),
  }),
  D3: (table, subtitle) => lineChart({
    title: 'Top-3 by capacity K', subtitle, xAxis: 'K', yAxis: 'Top-3 (mean over checkpoints)',
    series: SWEPT_SELECTORS.map((id) => ({ name: id, points: SWEPT_CAPACITIES.flatMap((k) => point(k, find(table, 'pooled', `${id}, K = ${k}`)?.cells['top3'])) })),
  }),
  D4: (table, subtitle) => lineChart({
    title: 'Blocks kept and Top-3 by coverage target', subtitle, xAxis: 'τ', yAxis: 'share',
    series: [['retained', 'blocks kept'], ['top3', 'Top-3']].map(([key, name]) => ({ name: name!, points: SWEPT_TARGETS.flatMap((tau) => point(tau, find(table, 'pooled', `τ = ${tau}`)?.cells[key!])) })),
  }),
  policies: (table, subtitle) => dotChart({
    title: 'Evidence that the recorded actions used, by policy', subtitle, axis: 'share of its weight, mean over trajectories', series: ['visible', 'recoverable', 'lost'],
    rows: table.rows.filter((row) => row.scope === 'runs').map((row) => ({ label: row.label, marks: ['evidenceVisible', 'evidenceRecoverable', 'evidenceLost'].flatMap((key, i) => mark(i, row.cells[key])) })),
  }),
};

export function tableFigure(table: CorpusTable, { encoder, settings }: Named): string {
  if (table.origin !== undefined) return FIGURES[table.id](table, `${table.origin} Bars: 95 % bootstrap over trajectories`);
  return FIGURES[table.id](table, `Table ${table.id} · encoder ${encoder.id} · K = ${settings.capacity}, τ = ${settings.tau}, seed ${settings.seed} · bars and bands: 95 % bootstrap over trajectories`);
}

const find = (table: CorpusTable, scope: RowScope, label: string): TableRow | undefined => table.rows.find((row) => row.scope === scope && row.label === label);

function mark(series: number, cell: Cell | undefined): Mark[] {
  if (cell?.value == null) return [];
  return [{ series, value: cell.value, ...(cell.low != null && cell.high != null ? { low: cell.low, high: cell.high } : {}) }];
}

function point(x: number, cell: Cell | undefined): { x: number; y: number; low?: number; high?: number }[] {
  return mark(0, cell).map(({ series: _series, value, ...interval }) => ({ x, y: value, ...interval }));
}

function selectors(table: CorpusTable, scope: RowScope, title: string, subtitle: string): string {
  return dotChart({
    title, subtitle, axis: 'share of the three nearest blocks that is kept', series: ['Top-3', 'Top-3 among older blocks'],
    rows: COMPARED_SELECTORS.map((id) => ({ label: id, marks: ['top3', 'top3Older'].flatMap((key, i) => mark(i, find(table, scope, id)?.cells[key])) })),
  });
}
