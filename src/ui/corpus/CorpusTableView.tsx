import { useMemo } from 'react';
import { cellText, originWords, pText, SCOPE_WORDS, splitRows } from '../../core/corpus/scope-words';
import type { CorpusTable, TableColumn, TableRow } from '../../core/corpus/types';
import type { CorpusOutcome } from '../../workers/api';
import { ActionMenu } from '../shared/ActionMenu';
import { MiddleCut } from '../shared/MiddleCut';
import { download } from '../shared/download';
import { count } from '../shared/format';
import { CorpusFigure } from './CorpusFigure';
import { COLUMN_HELP, TABLE_NAMES } from './corpus-words';
import { SortedTable, type SortedColumn } from './SortedTable';

interface Props { table: CorpusTable; outcome: CorpusOutcome; fileOf: (name: string) => string }

/** One table: its rows with intervals and the paper's numbers, its tests, its figure, and every run. */
export function CorpusTableView({ table, outcome, fileOf }: Props) {
  const { summary, perRun } = useMemo(() => splitRows(table), [table]);
  const stem = `table-${table.id}`;
  return (
    <article className="corpus-table" aria-label={`Table ${TABLE_NAMES[table.id]}`}>
      <header className="corpus-bar">
        <h3>{table.id === 'policies' ? table.title : `Table ${TABLE_NAMES[table.id]}: ${table.title}`}</h3>
        <span className="spacer" />
        <ActionMenu label={`Save table ${TABLE_NAMES[table.id]}`} actions={[
          { label: 'CSV file', run: () => download(`${stem}.csv`, fileOf(`${stem}.csv`), 'text/csv;charset=utf-8') },
          { label: 'Markdown file', run: () => download(`${stem}.md`, fileOf(`${stem}.md`), 'text/markdown;charset=utf-8') },
          { label: 'LaTeX file', run: () => download(`${stem}.tex`, fileOf(`${stem}.tex`), 'application/x-tex;charset=utf-8') },
          { label: 'Copy as Markdown', run: () => navigator.clipboard.writeText(fileOf(`${stem}.md`)) },
        ]} />
      </header>
      <p className="muted small">{table.origin ?? originWords(outcome.encoder, outcome.settings)} {table.notes.join(' ')}</p>
      <Summary table={table} rows={summary} />
      {table.tests.length > 0 && <Tests table={table} />}
      <CorpusFigure id={table.id} title={table.title} svg={fileOf(`figure-${table.id}.svg`)} />
      {perRun.length > 0 && <PerRun table={table} rows={perRun} />}
    </article>
  );
}

const isPrinted = (row: TableRow): boolean => row.scope === 'seed';

function Summary({ table: { columns, title }, rows }: { table: CorpusTable; rows: readonly TableRow[] }) {
  return (
    <div className="sorted-scroll corpus-summary" tabIndex={0} role="region" aria-label={`${title}, over all runs`}>
      <table className="sorted" aria-label={`${title}, over all runs`}>
        <thead><tr><th scope="col" className="corpus-col-label">Row</th><th scope="col" className="num" title={COLUMN_HELP['n']}>n</th>{columns.map(({ key, title: name }) => <th key={key} scope="col" className="num" title={COLUMN_HELP[key]}>{name}</th>)}</tr></thead>
        {groups(rows).map(([scope, some]) => (
          <tbody key={scope}>
            <tr className="corpus-scope"><th scope="rowgroup" colSpan={columns.length + 2}>{SCOPE_WORDS[scope]}{scope === 'seed' ? ' · other runs, another encoder' : ''}</th></tr>
            {some.map((row) => (
              <tr key={row.label} className={isPrinted(row) ? 'corpus-printed' : ''}>
                <th scope="row">{row.label}</th><td className="num">{count(row.n)}</td>
                {columns.map((column) => <td key={column.key} className="num"><CellWords row={row} column={column} /></td>)}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

/** Rows by scope, in the order in which scopes first appear. */
function groups(rows: readonly TableRow[]): [TableRow['scope'], TableRow[]][] {
  const out = new Map<TableRow['scope'], TableRow[]>();
  for (const row of rows) out.set(row.scope, [...(out.get(row.scope) ?? []), row]);
  return [...out];
}

/** As in the files, with thin spaces between the thousands of whole numbers. */
function shownText(row: TableRow, column: TableColumn): string {
  const text = cellText(row.cells[column.key], column);
  return column.digits > 0 ? text : text.replace(/\d{4,}/g, (digits) => count(Number(digits)));
}

function CellWords({ row, column }: { row: TableRow; column: TableColumn }) {
  const text = shownText(row, column);
  const at = text.indexOf(' [');
  return at < 0 ? text : <>{text.slice(0, at)}<span className="corpus-interval" title="95 % bootstrap interval over trajectories">{text.slice(at)}</span></>;
}

function Tests({ table }: { table: CorpusTable }) {
  return (
    <details className="corpus-tests" open={table.tests.length <= 8}>
      <summary>{count(table.tests.length)} exact two-sided Wilcoxon signed-rank tests over trajectories, adjusted by Holm within each family</summary>
      <div className="sorted-scroll" tabIndex={0} role="region" aria-label="Tests">
        <table className="sorted corpus-tests-table" aria-label="Signed-rank tests">
          <thead><tr><th scope="col">Family</th><th scope="col">A</th><th scope="col">B</th><th scope="col" className="num" title="Runs with both values">n</th><th scope="col" className="num" title="Sum of the ranks of positive differences">W+</th><th scope="col" className="num">W−</th><th scope="col" className="num">p</th><th scope="col" className="num">p (Holm)</th></tr></thead>
          <tbody>
            {table.tests.map((test) => (
              <tr key={`${test.family} ${test.columns.join()}`}>
                <th scope="row">{test.family}</th><td className="mono">{test.columns[0]}</td><td className="mono">{test.columns[1]}</td>
                <td className="num">{count(test.n)}</td><td className="num">{test.wPlus}</td><td className="num">{test.wMinus}</td><td className="num">{pText(test.p)}</td><td className="num">{pText(test.pHolm)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function PerRun({ table, rows }: { table: CorpusTable; rows: readonly TableRow[] }) {
  const columns = useMemo((): SortedColumn<TableRow>[] => [
    { key: 'label', title: 'Run', numeric: false, width: 320, value: (row) => row.label, cell: (row) => <MiddleCut text={row.label} /> },
    ...(rows.some(({ n }) => n !== null) ? [{ key: 'n', title: 'n', help: COLUMN_HELP['n'], numeric: true, width: 60, value: (row: TableRow) => row.n, cell: (row: TableRow) => count(row.n) }] : []),
    ...table.columns.map((column): SortedColumn<TableRow> => ({
      key: column.key, title: column.title, help: COLUMN_HELP[column.key], numeric: true, width: Math.max(84, column.title.length * 7.2 + 36),
      value: (row) => row.cells[column.key]?.value ?? null, cell: (row) => shownText(row, column),
    })),
  ], [table, rows]);
  return (
    <>
      <h4>By run</h4>
      <SortedTable label={`${table.title}, by run`} rows={rows} columns={columns} rowKey={(row) => row.label} />
    </>
  );
}
