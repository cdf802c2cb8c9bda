import { useTable } from '@tanstack/react-table';
import { useMemo, useRef, type KeyboardEvent } from 'react';
import { ComparisonContext, type ComparisonActions } from './cells';
import { COMPARISON_HELP, COMPARISON_NUMERIC, COMPARISON_TITLES, COMPARISON_WIDTHS, comparisonColumns, comparisonFeatures } from './comparison-columns';
import { useCutColumn } from './use-cut-column';
import { type ComparisonKey, type ComparisonOrder, type ComparisonRow } from './comparison-model';

interface Props {
  /** In the order shown. */
  rows: readonly ComparisonRow[];
  order: ComparisonOrder;
  onOrder: (order: ComparisonOrder) => void;
  /** Columns, in order; the policy first. */
  shown: readonly ComparisonKey[];
  actions: ComparisonActions;
}

/** One row a policy at one budget; what is of another budget, or not there yet, is dimmed. */
export function ComparisonTable({ rows, order, onOrder, shown, actions }: Props) {
  const sorting = useMemo(() => (order.sort === null ? [] : [{ id: order.sort, desc: order.descending }]), [order]);
  const columns = useMemo(() => comparisonColumns(shown), [shown]);
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({
    features: comparisonFeatures, columns, data, state: { sorting }, manualSorting: true, getRowId: (row) => row.info.id,
    onSortingChange: (change) => {
      const next = (typeof change === 'function' ? change(sorting) : change)[0];
      onOrder(next === undefined ? { sort: null, descending: false } : { sort: next.id as ComparisonKey, descending: next.desc });
    },
  });
  const scroll = useRef<HTMLDivElement>(null);
  const cut = useCutColumn(scroll, shown.map((key) => COMPARISON_WIDTHS[key]));
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const row = event.target instanceof HTMLElement ? event.target.closest('tr') : null;
    const all = [...event.currentTarget.querySelectorAll('tr')];
    const at = row === null ? -1 : all.indexOf(row);
    const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 };
    const next = all[to[event.key] ?? -1];
    if (event.key === 'Enter' && event.target === row) row?.querySelector<HTMLElement>('.policy-name .link')?.click();
    else if (next === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    else next.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <ComparisonContext value={actions}>
      <div className="comparison-host">
        <div className="comparison-scroll" data-keys="rows" ref={scroll}>
          <table aria-label="Policy comparison" className="comparison" style={{ width: shown.reduce((sum, key) => sum + COMPARISON_WIDTHS[key], 0) }}>
            <colgroup>{shown.map((key) => <col key={key} style={{ width: COMPARISON_WIDTHS[key] }} />)}</colgroup>
            <thead>
              {table.getHeaderGroups().map((group) => (
                <tr key={group.id}>
                  {group.headers.map((header) => {
                    const key = header.column.id as ComparisonKey;
                    const sorted = header.column.getIsSorted();
                    return (
                      <th key={header.id} scope="col" className={COMPARISON_NUMERIC.has(key) ? 'num' : ''} title={COMPARISON_HELP[key]} aria-sort={sorted === false ? 'none' : sorted === 'asc' ? 'ascending' : 'descending'}>
                        <button type="button" className="sort" onClick={header.column.getToggleSortingHandler()}>{COMPARISON_TITLES[key]}<span aria-hidden="true">{sorted === false ? '' : sorted === 'asc' ? ' ↑' : ' ↓'}</span></button>
                      </th>
                    );
                  })}
                </tr>
              ))}
            </thead>
            <tbody onKeyDown={move}>
              {table.getRowModel().rows.map((row, i) => {
                const { current, replayed, pinned, info } = row.original;
                return (
                  <tr key={row.id} data-policy={info.id} data-current={current} aria-current={replayed ? 'true' : undefined} tabIndex={i === 0 ? 0 : -1} className={`${current ? '' : 'comparison-old'} ${pinned ? 'comparison-pinned' : ''}`}>
                    {row.getAllCells().map((cell) => <td key={cell.id} className={COMPARISON_NUMERIC.has(cell.column.id as ComparisonKey) ? 'num' : ''}><table.FlexRender cell={cell} /></td>)}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
        {cut !== null && <div className="comparison-cut" aria-hidden="true" style={{ width: cut.px, right: cut.right, bottom: cut.bottom }}><span title="More columns: scroll to the right">›</span></div>}
      </div>
    </ComparisonContext>
  );
}
