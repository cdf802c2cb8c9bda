import { useMemo } from 'react';
import type { RunRow } from '../../core/corpus/run-rows';
import { MiddleCut } from '../shared/MiddleCut';
import { count } from '../shared/format';
import { COLUMN_HELP } from './corpus-words';
import { SortedTable, type SortedColumn } from './SortedTable';

const number = (key: string, title: string, digits: number, help?: string, width = 96): SortedColumn<RunRow> => ({
  key, title, help: help ?? COLUMN_HELP[key], numeric: true, width,
  value: (row) => row.values[key] ?? null,
  cell: (row) => row.values[key]?.toFixed(digits) ?? '–',
});
const SELECTORS = ['gem', 'geometry', 'random', 'recency', 'max-gain'] as const;

/** Every run with the values one looks at first; runs.csv holds all of them. */
export function RunsTable({ runs, encoder }: { runs: readonly RunRow[]; encoder: string }) {
  const columns = useMemo((): SortedColumn<RunRow>[] => [
    { key: 'run', title: 'Run', numeric: false, width: 280, value: (row) => row.key, cell: (row) => <MiddleCut text={row.key} title={row.leftOut === null ? row.key : `${row.key}\nIn no selection table: ${row.leftOut}`} /> },
    { key: 'format', title: 'Format', numeric: false, width: 112, value: (row) => row.format, cell: (row) => <MiddleCut text={row.format} /> },
    { key: 'n', title: 'Blocks', help: COLUMN_HELP['blocks'], numeric: true, width: 68, value: (row) => row.blocks, cell: (row) => count(row.blocks) },
    { key: 'checkpoints', title: 'Checkpoints', help: 'Prefixes measured for Table 1: 16…N−1', numeric: true, width: 104, value: (row) => row.checkpoints, cell: (row) => (row.checkpoints === null ? <span title={row.leftOut ?? undefined}>–</span> : count(row.checkpoints)) },
    number('erank', 'Effective rank', 2, undefined, 116), number('erankShiftMean', 'Feature shift', 2, undefined, 108), number('erankGaussianMean', 'Gaussian', 2, undefined, 84), number('r90Share', 'r₉₀ / n', 3, undefined, 72), number('greedyShare', 'Greedy share', 3, undefined, 108),
    ...SELECTORS.map((id) => number(`top3.${id}`, `Top-3 ${id}`, 3, COLUMN_HELP['top3'], 128)),
    ...SELECTORS.map((id) => number(`top3Older.${id}`, `older ${id}`, 3, COLUMN_HELP['top3Older'], 116)),
    ...(['gem', 'geometry'] as const).map((id) => number(`centroid.${id}`, `centroid ${id}`, 3, COLUMN_HELP['centroid'], 148)),
    ...(['gem', 'geometry'] as const).map((id) => number(`coverage.${id}`, `coverage ${id}`, 3, COLUMN_HELP['coverage'], 152)),
  ], []);
  return (
    <div className="corpus-table">
      <p className="muted small">One row a run; means over its checkpoints, computed from the vectors of {encoder}. – = not measured: hover says why.</p>
      <SortedTable label="Runs of the corpus" rows={runs} columns={columns} rowKey={(row) => row.key} />
    </div>
  );
}
