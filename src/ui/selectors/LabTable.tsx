import type { ReactNode } from 'react';
import { formatCount } from '../../core/layout/format';
import { TableMenu } from '../shared/TableMenu';
import type { TableRows } from '../shared/table-text';

export interface LabColumn<Row> { key: string; title: string; definition?: string; /** Left-aligned words. */ words?: boolean; cell: (row: Row) => ReactNode }

interface Props<Row> {
  name: string;
  caption: string;
  columns: readonly LabColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The row the eye should start from. */
  strong?: (row: Row) => boolean;
  fileName: () => string;
  text: () => TableRows;
}

/** A small table with a title line, a count, and the menu that saves it. */
export function LabTable<Row>({ name, caption, columns, rows, rowKey, strong, fileName, text }: Props<Row>) {
  return (
    <section className="lab-table" aria-label={name}>
      <header>
        <p><strong>{name}</strong> <span className="muted">{caption} · {formatCount(rows.length)} rows</span></p>
        <TableMenu name={fileName} rows={text} />
      </header>
      <div className="lab-scroll" tabIndex={0} role="region" aria-label={`${name}, table`}>
        <table>
          <thead><tr>{columns.map((column) => <th key={column.key} scope="col" className={column.words ? 'words' : undefined} title={column.definition}>{column.title}</th>)}</tr></thead>
          <tbody>
            {rows.map((row) => (
              <tr key={rowKey(row)} className={strong?.(row) ? 'strong' : undefined}>
                {columns.map((column, i) => (i === 0
                  ? <th key={column.key} scope="row">{column.cell(row)}</th>
                  : <td key={column.key} className={column.words ? 'words' : undefined}>{column.cell(row)}</td>))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
