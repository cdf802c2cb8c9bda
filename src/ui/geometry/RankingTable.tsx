import { formatCount, formatFixed } from '../../core/layout/format';
import type { LabReport } from '../../core/selection/lab';
import type { NextUp } from '../../core/selection/next-up';
import { fileName } from '../shared/download';
import type { TableRows } from '../shared/table-text';
import { LabTable, type LabColumn } from '../selectors/LabTable';
import { stopOf } from '../selectors/lab-metrics';
import '../selectors/selectors.css';

type Ranking = LabReport & { part: 'ranking' };

interface Props { report: Ranking; step: number; what: string; tau: number; nameOf: (index: number) => string; onSelectBlock: (index: number) => void }

/** Why a candidate ranks where it does, in words. */
function whyNext({ residual, nearest }: NextUp): string {
  const outside = `${formatFixed(residual * 100, 0)} % of it lies outside what the kept blocks span`;
  return nearest === null ? outside : `${outside}; nearest kept: block ${formatCount(nearest.index)}, cosine ${formatFixed(nearest.cosine, 2)}`;
}

function table({ rows }: Ranking): TableRows {
  return [['rank', 'block', 'residual', 'gain', 'nearest kept', 'cosine'], ...rows.map((row, i) => [i + 1, row.index, row.residual, row.gain, row.nearest?.index ?? null, row.nearest?.cosine ?? null])];
}

/** What the completion would take after gem's set, largest residual first (gem.md §4). */
export function RankingTable({ report, step, what, tau, nameOf, onSelectBlock }: Props) {
  const { rows, k, stop, coverage, candidates } = report;
  const rank = new Map(rows.map((row, i) => [row.index, i + 1]));
  const columns: LabColumn<NextUp>[] = [
    { key: 'rank', title: 'rank', cell: (row) => rank.get(row.index) },
    { key: 'block', title: 'block', cell: (row) => <button type="button" className="link" title={nameOf(row.index)} onClick={() => onSelectBlock(row.index)}>{formatCount(row.index)}</button> },
    { key: 'residual', title: 'residual', definition: 'Squared length outside of the span of the kept blocks: what the rule ranks by', cell: (row) => formatFixed(row.residual, 3) },
    { key: 'gain', title: 'gain in E', definition: 'What coverage would rise by; the largest residual is not always the largest gain', cell: (row) => formatFixed(row.gain, 4) },
    { key: 'why', title: 'why', words: true, cell: whyNext },
  ];
  const because = stop === 'coverage' ? `it stopped at coverage ${formatFixed(coverage, 3)} ≥ τ ${formatFixed(tau, 2)}` : stop === 'fixed' ? 'k is given' : stopOf(stop);
  return (
    <LabTable
      name="What would be added next" caption={`after gem's ${formatCount(k)} blocks (${because}) · ${formatCount(candidates)} candidates · ${what}`}
      columns={columns} rows={rows} rowKey={(row) => String(row.index)} fileName={() => fileName('next-up', 'step', step)} text={() => table(report)}
    />
  );
}
