import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { count } from '../shared/format';
import { sortBy } from './sort-by';

export interface SortedColumn<Row> {
  key: string;
  title: string;
  help?: string;
  numeric: boolean;
  /** CSS pixels. */
  width: number;
  value: (row: Row) => string | number | null;
  cell: (row: Row) => ReactNode;
}

interface Props<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly SortedColumn<Row>[];
  rowKey: (row: Row) => string;
}

const ROW_PX = 24;
const WINDOWED_FROM = 120;

/** A table sorted by any column; the first column stays beside what is scrolled. Only rows in sight are drawn where there are many. */
export function SortedTable<Row>({ label, rows, columns, rowKey }: Props<Row>) {
  const [sort, setSort] = useState<{ key: string; descending: boolean } | null>(null);
  const column = columns.find(({ key }) => key === sort?.key);
  const sorted = useMemo(() => (sort === null || column === undefined ? rows : sortBy(rows, column.value, sort.descending)), [rows, column, sort]);
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({ count: sorted.length, getScrollElement: () => scroll.current, estimateSize: () => ROW_PX, overscan: 12, scrollPaddingStart: ROW_PX });
  const items = virtual.getVirtualItems();
  const isWindowed = sorted.length >= WINDOWED_FROM;
  const first = isWindowed ? (items[0]?.index ?? 0) : 0;
  const end = isWindowed ? (items.at(-1)?.index ?? -1) + 1 : sorted.length;
  const gap = (n: number) => n > 0 && <tr aria-hidden="true" className="corpus-gap"><td colSpan={columns.length} style={{ height: n * ROW_PX }} /></tr>;
  return (
    <div className="sorted-scroll" ref={scroll} tabIndex={0} role="region" aria-label={`${label}, ${count(rows.length)} rows`}>
      <table className="sorted" aria-label={label} aria-rowcount={sorted.length + 1}>
        <colgroup>{columns.map(({ key, width }) => <col key={key} style={{ width }} />)}</colgroup>
        <thead>
          <tr>
            {columns.map(({ key, title, help, numeric }) => (
              <th key={key} scope="col" className={numeric ? 'num' : ''} title={help} aria-sort={sort?.key === key ? (sort.descending ? 'descending' : 'ascending') : 'none'}>
                <button type="button" className="sort" onClick={() => setSort({ key, descending: sort?.key === key ? !sort.descending : numeric })}>
                  {title}<span aria-hidden="true">{sort?.key === key ? (sort.descending ? ' ↓' : ' ↑') : ''}</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {gap(first)}
          {sorted.slice(first, end).map((row, i) => (
            <tr key={rowKey(row)} aria-rowindex={first + i + 2}>
              {columns.map(({ key, numeric, cell }, at) => (at === 0 ? <th key={key} scope="row">{cell(row)}</th> : <td key={key} className={numeric ? 'num' : ''}>{cell(row)}</td>))}
            </tr>
          ))}
          {gap(sorted.length - end)}
        </tbody>
      </table>
    </div>
  );
}
