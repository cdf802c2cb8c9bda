import { useTable, type SortingState } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useApp, usePreference, useView } from '../../state/react/app-context';
import type { Replay } from '../../core/workspace/types';
import type { OpenLine } from '../../workers/api';
import { Notice } from '../shared/Notice';
import { CopyButton } from '../shared/CopyButton';
import { TableMenu } from '../shared/TableMenu';
import { download, fileName } from '../shared/download';
import { count, plural } from '../shared/format';
import { toTsv, type TableRows } from '../shared/table-text';
import { useDismiss } from '../shared/use-dismiss';
import { LEDGER_HELP, LEDGER_WIDTHS, NUMERIC, ledgerFeatures, ledgerTableColumns } from './ledger-columns';
import { LEDGER_KEYS, ledgerColumns, ledgerRow, type LedgerKey } from './ledger-model';
import { orderRows } from './ledger-order';
import { LEDGER_TITLES, ledgerTable } from './ledger-tsv';
import { opLogJson } from './op-log';
import { useMarks } from './use-marks';
import './ledger.css';

const ROW_PX = 24;

interface Props {
  line: OpenLine;
  replay: Replay;
  step: number;
  /** Replay index of the selected block. */
  selected: number | null;
  onSelect: (block: number) => void;
  /** Asks what to do with blocks by hand, at a place in the window. */
  onMenu?: (blocks: readonly number[], x: number, y: number) => void;
}

/** Every block that exists at the step. Sorting and filtering run over columns; the table library sees the rows on screen. */
export function Ledger({ line, replay, step, selected, onSelect, onMenu }: Props) {
  const { preferences, view } = useApp();
  const hidden = usePreference((state) => state.hiddenColumns);
  const [sorting, setSorting] = useState<SortingState>([{ id: 'tokens', desc: true }]);
  const [filter, setFilter] = useState('');
  const [visibleOnly, setVisibleOnly] = useState(false);
  const [brushedOnly, setBrushedOnly] = useState(false);
  const bases = useView((state) => state.brushed);
  const brushed = useMemo(() => new Set(bases), [bases]);
  const isBrushed = (index: number): boolean => brushed.has(replay.blocks.base[index] ?? -1);
  const [choosing, setChoosing] = useState(false);
  const scroll = useRef<HTMLDivElement>(null);
  const marks = useMarks(replay);
  const menu = useDismiss<HTMLSpanElement>(choosing, () => setChoosing(false));

  const sort = (sorting[0]?.id ?? 'id') as LedgerKey;
  const descending = sorting[0]?.desc ?? false;
  const columns = useMemo(() => ledgerColumns(line, replay, step), [line, replay, step]);
  const wanted = useMemo(() => orderRows(line, replay, columns, { sort, descending, filter, visibleOnly }), [line, replay, columns, sort, descending, filter, visibleOnly]);

  const onlyThese = brushedOnly && brushed.size > 0;
  const order = useMemo(() => (onlyThese ? wanted.filter((index) => brushed.has(replay.blocks.base[index] ?? -1)) : wanted), [wanted, onlyThese, brushed, replay]);

  const virtual = useVirtualizer({ count: order.length, getScrollElement: () => scroll.current, estimateSize: () => ROW_PX, overscan: 12, scrollPaddingStart: ROW_PX });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? -1;
  const data = useMemo(() => [...order.subarray(first, last + 1)].map((index) => ledgerRow(line, replay, columns, index)), [line, replay, columns, order, first, last]);
  const columnVisibility = useMemo(() => Object.fromEntries(hidden.map((key) => [key, false])), [hidden]);
  const table = useTable({
    features: ledgerFeatures,
    columns: ledgerTableColumns,
    data,
    state: { sorting, columnVisibility },
    onSortingChange: setSorting,
    manualSorting: true,
    enableSortingRemoval: false,
    getRowId: (row) => row.id,
  });

  // The selection may come from another pane: bring its row into view, but never while the user scrolls here.
  const at = selected === null ? -1 : order.indexOf(selected);
  const shownFor = useRef<number | null>(null);
  useEffect(() => {
    if (selected === shownFor.current) return;
    shownFor.current = selected;
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
  }, [selected, at, virtual]);

  const brushNow = (indices: readonly number[]): void => view.setState({ brushed: [...new Set(indices.map((index) => replay.blocks.base[index] ?? -1).filter((base) => base >= 0))].sort((a, b) => a - b) });
  /** What is meant by hand: the marked blocks, else this one. */
  const meant = (block: number | null): number[] => (marks.set.size > 0 && (block === null || marks.set.has(block)) ? [...marks.set].sort((a, b) => a - b) : block === null ? [] : [block]);
  const openMenu = (block: number | null, place: { left: number; bottom: number }): void => onMenu?.(meant(block), place.left, place.bottom);

  const move = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === ' ' && selected !== null && onMenu !== undefined) {
      event.preventDefault();
      return marks.toggle(selected);
    }
    // The row's own menu, so that marked blocks are meant together.
    if (event.key === 'm' && selected !== null && marks.set.size > 0 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      event.stopPropagation();
      return openMenu(selected, (event.target as HTMLElement).getBoundingClientRect());
    }
    const page = Math.max(1, Math.floor((scroll.current?.clientHeight ?? 240) / ROW_PX) - 2);
    const by: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at < 0 ? 0 : at - 1, Home: 0, End: order.length - 1, PageDown: at + page, PageUp: at - page };
    const wanted = by[event.key];
    if (wanted === undefined || event.ctrlKey || event.metaKey || event.altKey || order.length === 0) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(order.length - 1, wanted));
    const block = order[next];
    if (block === undefined) return;
    shownFor.current = block;
    virtual.scrollToIndex(next, { align: 'auto' });
    if (event.shiftKey && (event.key === 'ArrowDown' || event.key === 'ArrowUp') && onMenu !== undefined) marks.add(selected === null ? [block] : [selected, block]);
    onSelect(block);
  };
  const shownKeys = LEDGER_KEYS.filter((key) => !hidden.includes(key));
  const minWidth = shownKeys.reduce((sum, key) => sum + (LEDGER_WIDTHS[key] ?? 160), 0);
  const rows = (): TableRows => ledgerTable([...order].map((index) => ledgerRow(line, replay, columns, index)), shownKeys);
  const toggle = (key: LedgerKey): void => preferences.setState({ hiddenColumns: hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key] });

  return (
    <div className="pane ledger">
      <div className="pane-bar">
        <input type="search" aria-label="Filter the ledger" placeholder="Filter" value={filter} onChange={(event) => setFilter(event.target.value)} />
        <label className="inline"><input type="checkbox" checked={visibleOnly} onChange={(event) => setVisibleOnly(event.target.checked)} />In context only</label>
        {brushed.size > 0 && <>
          <label className="inline"><input type="checkbox" checked={brushedOnly} onChange={(event) => setBrushedOnly(event.target.checked)} />Brushed only ({count(brushed.size)})</label>
          <button type="button" className="link" onClick={() => view.setState({ brushed: [] })}>Clear</button>
        </>}
        <span className="muted">{plural(order.length, 'block')}{order.length === columns.blocks.length ? '' : ` of ${count(columns.blocks.length)}`} · {count(columns.visible)} visible, {count(columns.visibleTokens)} tokens</span>
        <span className="spacer" />
        {onMenu !== undefined && <>
          {marks.set.size > 0 && <span className="muted" role="status" aria-label="Marked blocks">{plural(marks.set.size, 'block')} marked <button type="button" className="link" onClick={marks.clear}>clear</button></span>}
          <button type="button" aria-haspopup="menu" disabled={marks.set.size === 0 && selected === null} title="Archive, bundle, pin, delete, recover by hand  m" onClick={(event) => openMenu(marks.set.size > 0 ? null : selected, event.currentTarget.getBoundingClientRect())}>By hand</button>
        </>}
        {(marks.set.size > 0 || filter !== '') && order.length > 0 && <button type="button" title={`Marks ${marks.set.size > 0 ? 'the marked blocks' : 'what the filter finds'} on the map and on the lifelines`} onClick={() => brushNow(marks.set.size > 0 ? [...marks.set] : [...order])}>Brush</button>}
        <span className="menu-host" ref={menu}>
          <button type="button" aria-expanded={choosing} onClick={() => setChoosing(!choosing)}>Columns</button>
          {choosing && (
            <fieldset className="menu" onKeyDown={(event) => { if (event.key === 'Escape') setChoosing(false); }}>
              <legend className="hidden-visually">Columns shown</legend>
              {LEDGER_KEYS.filter((key) => key !== 'id').map((key) => (
                <label key={key} className="inline"><input type="checkbox" checked={!hidden.includes(key)} onChange={() => toggle(key)} />{LEDGER_TITLES[key]}</label>
              ))}
            </fieldset>
          )}
        </span>
        <CopyButton label="Copy as TSV" text={() => toTsv(rows())} />
        <TableMenu name={() => fileName('ledger', replay.policy, 'step', step)} rows={rows} more={[
          { label: 'Op log (JSON)', run: () => download(`${fileName('ops', replay.policy, replay.budget)}.json`, opLogJson(replay), 'application/json') },
        ]} />
      </div>
      <div className="ledger-scroll" ref={scroll} data-keys="rows">
        <table aria-label="Ledger" aria-rowcount={order.length + 1} style={{ minWidth }}>
          <colgroup>{shownKeys.map((key) => <col key={key} style={{ width: LEDGER_WIDTHS[key] ?? undefined }} />)}</colgroup>
          <thead>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id}>
                {group.headers.map((header) => {
                  const key = header.column.id as LedgerKey;
                  const sorted = header.column.getIsSorted();
                  return (
                    <th key={header.id} scope="col" className={NUMERIC.has(key) ? 'num' : ''} title={LEDGER_HELP[key]} aria-sort={sorted === false ? 'none' : sorted === 'asc' ? 'ascending' : 'descending'}>
                      <button type="button" className="sort" onClick={header.column.getToggleSortingHandler()}>{LEDGER_TITLES[key]}<span aria-hidden="true">{sorted === false ? '' : sorted === 'asc' ? ' ↑' : ' ↓'}</span></button>
                    </th>
                  );
                })}
              </tr>
            ))}
          </thead>
          <tbody onKeyDown={move}>
            {first > 0 && <tr aria-hidden="true"><td colSpan={shownKeys.length} style={{ height: first * ROW_PX, padding: 0, border: 0 }} /></tr>}
            {table.getRowModel().rows.map((row, i) => {
              const { index, status } = row.original;
              const current = index === selected;
              return (
                <tr
                  key={row.id}
                  aria-rowindex={first + i + 2}
                  aria-current={current ? 'true' : undefined}
                  tabIndex={current || (at < 0 && i === 0) ? 0 : -1}
                  ref={current ? (element) => { if (element !== null && element.parentElement?.contains(document.activeElement)) element.focus({ preventScroll: true }); } : undefined}
                  className={`${status === 'visible' ? '' : 'ledger-out'}${isBrushed(index) ? ' ledger-brushed' : ''}`}
                  aria-selected={marks.set.has(index) ? true : undefined}
                  onClick={(event) => {
                    if (onMenu !== undefined && (event.ctrlKey || event.metaKey)) marks.toggle(index);
                    else if (onMenu !== undefined && event.shiftKey && at >= 0) marks.add([...order.subarray(Math.min(at, first + i), Math.max(at, first + i) + 1)]);
                    onSelect(index);
                  }}
                  onContextMenu={onMenu === undefined ? undefined : (event) => {
                    event.preventDefault();
                    onSelect(index);
                    const box = event.currentTarget.getBoundingClientRect();
                    openMenu(index, event.button === 2 ? { left: event.clientX, bottom: event.clientY } : { left: box.left + 24, bottom: box.bottom });
                  }}
                >
                  {row.getVisibleCells().map((cell) => <td key={cell.id} className={NUMERIC.has(cell.column.id as LedgerKey) ? 'num' : ''}>{cell.column.id === 'id' && onMenu !== undefined && <input type="checkbox" className="ledger-mark" tabIndex={-1} aria-label={`Mark B${index + 1}`} checked={marks.set.has(index)} onClick={(event) => event.stopPropagation()} onChange={() => marks.toggle(index)} />}<table.FlexRender cell={cell} /></td>)}
                </tr>
              );
            })}
            {last + 1 < order.length && <tr aria-hidden="true"><td colSpan={shownKeys.length} style={{ height: (order.length - last - 1) * ROW_PX, padding: 0, border: 0 }} /></tr>}
          </tbody>
        </table>
        {order.length === 0 && <Notice title="No block matches" action={{ label: 'Show all', run: () => { setFilter(''); setVisibleOnly(false); setBrushedOnly(false); } }} />}
      </div>
    </div>
  );
}
