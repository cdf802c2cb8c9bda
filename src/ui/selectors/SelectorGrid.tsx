import { useLayoutEffect, useMemo, useRef, useState, type FocusEvent, type KeyboardEvent, type MouseEvent } from 'react';
import { formatCount } from '../../core/layout/format';
import { ticks } from '../../core/layout/ticks';
import type { SelectReport } from '../../core/selection/types';
import { showCard } from '../charts/card';
import { useWidth } from '../charts/use-width';
import { cellCard } from './cell-card';
import { cellWidth, columnWindow, scrollToColumn, windowScroll } from './column-window';
import { clampCell, moveByKey, type GridCell } from './grid-move';
import { METRIC_COLUMNS, metricClass } from './selector-columns';
import { rowReasons } from './selector-reasons';
import { SelectorRow } from './SelectorRow';

const NAME_PX = 108;
/** Kept and the metrics, which are pinned where there is room. */
const PINNED_PX = METRIC_COLUMNS.reduce((sum, column) => sum + (column.decimals === 0 ? 100 : 82), 0) + 48;
/** Beyond the matrix: those, only here, stop. */
const METRICS_PX = PINNED_PX + 64 + 132;
const NO_BLOCKS: readonly number[] = [];

/** From this width on the metrics stay in view while the blocks are scrolled under them. */
const PINNED_FROM_PX = 900;

export interface SelectorGridProps {
  report: SelectReport;
  reference: string;
  selected: number | null;
  only: ReadonlyMap<string, readonly number[]>;
  onSelectBlock: (index: number) => void;
  onRow: (selector: string) => void;
  nameOf: (index: number) => string;
}

/** Rows = selectors, columns = interaction blocks, then the metrics of each row. Arrow keys move, Enter selects. */
export function SelectorGrid({ report, reference, selected, only, onSelectBlock, onRow, nameOf }: SelectorGridProps) {
  const n = report.blocks.length;
  const [host, width] = useWidth<HTMLDivElement>();
  const card = useRef<HTMLDivElement>(null);
  const [scrollLeft, setScrollLeft] = useState(0);
  const isWide = width >= 1180;
  const cellPx = cellWidth(n, Math.max(280, width - NAME_PX - 12 - (isWide ? METRICS_PX : 0)));
  const isPinned = width >= PINNED_FROM_PX;
  const viewPx = Math.max(0, width - NAME_PX - (isPinned ? PINNED_PX : 0));
  const { from, to } = columnWindow(n, cellPx, scrollLeft, viewPx);
  // The grid's one tab stop. Its cell is always in the page, so that it can be reached, and moved to any distance.
  const [chosenStop, setStop] = useState<GridCell>({ row: 0, index: 0 });
  const stop = clampCell(chosenStop, report.selectors.length, n);
  const grid = useRef<HTMLDivElement>(null);
  const moved = useRef<GridCell | null>(null);
  useLayoutEffect(() => {
    if (moved.current === null) return;
    const { row, index } = moved.current;
    moved.current = null;
    grid.current?.querySelector<HTMLElement>(`[data-row="${row}"] [data-index="${index}"]`)?.focus();
    // The browser takes a cell behind the pinned names or metrics for one in view.
    const scroll = grid.current?.parentElement;
    if (scroll) scroll.scrollLeft = scrollToColumn(index, cellPx, scroll.scrollLeft, viewPx);
  }, [chosenStop, cellPx, viewPx]);
  const reasons = useMemo(() => report.selectors.map((result) => rowReasons(report, result)), [report]);
  const nearest = useMemo(() => new Set(report.nextActionTop3), [report]);
  const referenceRow = report.selectors.find((result) => result.selector === reference);
  const matrixPx = n * cellPx;

  const cellOf = (target: EventTarget | null): GridCell | null => {
    const cell = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-index]') : null;
    const row = cell?.closest<HTMLElement>('[data-row]');
    return cell && row ? { row: Number(row.dataset['row']), index: Number(cell.dataset['index']) } : null;
  };
  const onOver = (event: MouseEvent<HTMLDivElement>): void => {
    const cell = cellOf(event.target);
    if (!card.current || !host.current) return;
    if (!cell) {
      card.current.hidden = true;
      return;
    }
    const box = host.current.getBoundingClientRect();
    showCard(card.current, cellCard(report, reasons, cell.row, cell.index, nameOf, nearest.has(cell.index)), event.clientX - box.left, event.clientY - box.top, { width: box.width, height: box.height + 240 });
  };
  const onClick = (event: MouseEvent<HTMLDivElement>): void => {
    const cell = cellOf(event.target);
    if (cell) onSelectBlock(cell.index);
  };
  const onFocus = (event: FocusEvent<HTMLDivElement>): void => {
    const row = event.target.closest<HTMLElement>('[data-row]');
    const selector = row ? report.selectors[Number(row.dataset['row'])]?.selector : undefined;
    if (selector !== undefined) onRow(selector);
    const cell = cellOf(event.target);
    if (cell && (cell.row !== stop.row || cell.index !== stop.index)) setStop(cell);
  };
  const onKey = (event: KeyboardEvent<HTMLDivElement>): void => {
    const cell = cellOf(event.target);
    if (!cell) return;
    if (event.key === 'Enter' || event.key === ' ') onSelectBlock(cell.index);
    else {
      const to = moveByKey(event.key, cell, report.selectors.length, n);
      if (to === null) return;
      moved.current = to;
      setStop(to);
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className="selector-host" ref={host} onMouseLeave={() => { if (card.current) card.current.hidden = true; }}>
      <div className={isPinned ? 'selector-scroll selector-pinned' : 'selector-scroll'} onScroll={(event) => setScrollLeft(windowScroll(event.currentTarget.scrollLeft))} onMouseOver={onOver} onClick={onClick} onFocus={onFocus} onKeyDown={onKey}>
        <div ref={grid} role="grid" aria-label="Selector comparison" aria-rowcount={report.selectors.length + 1} aria-colcount={n + METRIC_COLUMNS.length + 4} className={cellPx < 9 ? 'selector-grid tight' : 'selector-grid'} style={{ width: NAME_PX + matrixPx + METRICS_PX + 12 }}>
          <div role="row" aria-rowindex={1} className="selector-row selector-header">
            <div role="columnheader" aria-colindex={1} className="selector-name">selector</div>
            <div role="columnheader" aria-colindex={2} aria-colspan={Math.max(1, n)} aria-label={`Interaction blocks 0 to ${n - 1}`} className="selector-index" style={{ width: matrixPx }}>
              {ticks(0, Math.max(0, n - 1), Math.max(2, Math.min(8, Math.floor(matrixPx / 80))), true).map((value) => <span key={value} style={{ left: (value + 0.5) * cellPx }}>{formatCount(value)}</span>)}
            </div>
            <div role="presentation" className="selector-metrics"><div role="columnheader" aria-colindex={n + 2} className="metric narrow">kept</div>
            {METRIC_COLUMNS.map((column, i) => <div key={column.key} role="columnheader" aria-colindex={n + 3 + i} className={metricClass(column)} title={column.definition}>{column.label}{column.measuredAfterwards && <span className="afterwards" title="Measured afterwards: no selector sees it">°</span>}</div>)}</div>
            <div role="columnheader" aria-colindex={n + 3 + METRIC_COLUMNS.length} className="metric only-column" title="Blocks that no other selector of this table keeps">only here</div>
            <div role="columnheader" aria-colindex={n + 4 + METRIC_COLUMNS.length} className="metric stop">stopped by</div>
          </div>
          {report.selectors.map((result, row) => (
            <SelectorRow key={result.selector} result={result} reference={referenceRow} row={row} reasons={reasons[row] ?? []} nearest={nearest} only={only.get(result.selector) ?? NO_BLOCKS} cellPx={cellPx} from={from} to={to} stop={row === stop.row ? stop.index : null} />
          ))}
          {selected !== null && selected < n && <div className="selector-column" aria-hidden="true" style={{ left: NAME_PX + selected * cellPx, width: cellPx }} />}
        </div>
      </div>
      <div ref={card} className="chart-card" hidden />
    </div>
  );
}
