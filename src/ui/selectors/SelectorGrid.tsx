import { memo, useMemo, useRef, useState, type FocusEvent, type KeyboardEvent, type MouseEvent } from 'react';
import { formatCount } from '../../core/layout/format';
import { ticks } from '../../core/layout/ticks';
import { selectorById } from '../../core/selection/selectors';
import type { SelectReport, SelectorResult } from '../../core/selection/types';
import { showCard } from '../charts/card';
import { useWidth } from '../charts/use-width';
import { cellWidth, columnWindow } from './column-window';
import { METRIC_COLUMNS, metricDifference, metricValue, stopWords, type MetricColumn } from './selector-columns';
import { reasonMark, reasonWords, rowReasons, type CellReason } from './selector-reasons';

const NAME_PX = 108;
/** Beyond the matrix: seven metrics, kept, only here, stop. */
const METRICS_PX = METRIC_COLUMNS.reduce((sum, column) => sum + (column.decimals === 0 ? 100 : 82), 0) + 48 + 64 + 132;

/** From this width on the metrics stay in view while the blocks are scrolled under them. */
const PINNED_FROM_PX = 900;

const metricClass = (column: MetricColumn): string => (column.decimals === 0 ? 'metric wide' : 'metric');

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
  const { from, to } = columnWindow(n, cellPx, scrollLeft, width);
  const reasons = useMemo(() => report.selectors.map((result) => rowReasons(report, result)), [report]);
  const nearest = useMemo(() => new Set(report.nextActionTop3), [report]);
  const referenceRow = report.selectors.find((result) => result.selector === reference);
  const matrixPx = n * cellPx;

  const cellOf = (target: EventTarget | null): { row: number; index: number } | null => {
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
  };
  const onKey = (event: KeyboardEvent<HTMLDivElement>): void => {
    const cell = cellOf(event.target);
    if (!cell) return;
    if (event.key === 'Enter' || event.key === ' ') onSelectBlock(cell.index);
    else if (!moveFocus(event, cell, report.selectors.length, n)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className="selector-host" ref={host} onMouseLeave={() => { if (card.current) card.current.hidden = true; }}>
      <div className={width >= PINNED_FROM_PX ? 'selector-scroll selector-pinned' : 'selector-scroll'} onScroll={(event) => setScrollLeft(event.currentTarget.scrollLeft)} onMouseOver={onOver} onClick={onClick} onFocus={onFocus} onKeyDown={onKey}>
        <div role="grid" aria-label="Selector comparison" aria-rowcount={report.selectors.length + 1} aria-colcount={n + METRIC_COLUMNS.length + 4} className={cellPx < 9 ? 'selector-grid tight' : 'selector-grid'} style={{ width: NAME_PX + matrixPx + METRICS_PX + 12 }}>
          <div role="row" aria-rowindex={1} className="selector-row selector-header">
            <div role="columnheader" className="selector-name">selector</div>
            <div role="columnheader" aria-label={`Interaction blocks 0 to ${n - 1}`} className="selector-index" style={{ width: matrixPx }}>
              {ticks(0, Math.max(0, n - 1), Math.max(2, Math.min(8, Math.floor(matrixPx / 80))), true).map((value) => <span key={value} style={{ left: (value + 0.5) * cellPx }}>{formatCount(value)}</span>)}
            </div>
            <div role="presentation" className="selector-metrics"><div role="columnheader" className="metric narrow">kept</div>
            {METRIC_COLUMNS.map((column) => <div key={column.key} role="columnheader" className={metricClass(column)} title={column.definition}>{column.label}{column.measuredAfterwards && <span className="afterwards" title="Measured afterwards: no selector sees it">°</span>}</div>)}</div>
            <div role="columnheader" className="metric only-column" title="Blocks that no other selector of this table keeps">only here</div>
            <div role="columnheader" className="metric stop">stopped by</div>
          </div>
          {report.selectors.map((result, row) => (
            <div key={result.selector} role="row" aria-rowindex={row + 2} data-row={row} className={result.selector === reference ? 'selector-row reference' : 'selector-row'}>
              <div role="rowheader" className="selector-name" title={selectorById(result.selector)?.description}>{result.selector}</div>
              <Cells result={result} reasons={reasons[row] ?? []} nearest={nearest} only={only.get(result.selector) ?? []} cellPx={cellPx} from={from} to={to} width={matrixPx} isFirstRow={row === 0} />
              <div role="presentation" className="selector-metrics">
                <div role="gridcell" className="metric narrow">{formatCount(result.kept.length)}</div>
                {METRIC_COLUMNS.map((column) => (
                  <div key={column.key} role="gridcell" className={metricClass(column)}>
                    <span>{metricValue(result, column)}</span>
                    <span className="difference">{metricDifference(result, referenceRow, column)}</span>
                  </div>
                ))}
              </div>
              <div role="gridcell" className="metric only-column">{formatCount(only.get(result.selector)?.length ?? 0)}</div>
              <div role="gridcell" className="metric stop" title={stopWords(result)}>{stopWords(result)}</div>
            </div>
          ))}
          {selected !== null && selected < n && <div className="selector-column" aria-hidden="true" style={{ left: NAME_PX + selected * cellPx, width: cellPx }} />}
        </div>
      </div>
      <div ref={card} className="chart-card" hidden />
    </div>
  );
}

interface CellsProps { result: SelectorResult; reasons: readonly CellReason[]; nearest: ReadonlySet<number>; only: readonly number[]; cellPx: number; from: number; to: number; width: number; isFirstRow: boolean }

/** Memoised by report: a hover or a selection renders no cell again. */
const Cells = memo(function Cells({ reasons, nearest, only, cellPx, from, to, width, isFirstRow }: CellsProps) {
  const onlyHere = new Set(only);
  return (
    <div className="selector-cells" role="presentation" style={{ width }}>
      {reasons.slice(from, to).map((reason, i) => {
        const index = from + i;
        const { letter, tone } = reasonMark(reason);
        const classes = ['cell', `cell-${tone}`, ...(nearest.has(index) ? ['nearest'] : []), ...(onlyHere.has(index) ? ['only'] : [])].join(' ');
        const label = `block ${index}, ${reasonWords(reason)}${nearest.has(index) ? ', among the three nearest to the next action' : ''}${onlyHere.has(index) ? ', only here' : ''}`;
        return <div key={index} role="gridcell" aria-colindex={index + 2} aria-label={label} data-index={index} data-letter={cellPx >= 9 ? letter : ''} tabIndex={isFirstRow && index === 0 ? 0 : -1} className={classes} style={{ left: index * cellPx, width: cellPx - (cellPx >= 8 ? 2 : 1) }} />;
      })}
    </div>
  );
});

/** Moves the one tab stop of the grid; the target must be in the page, so long rows jump no farther than the window. */
function moveFocus(event: KeyboardEvent<HTMLDivElement>, cell: { row: number; index: number }, rows: number, n: number): boolean {
  const moves: Record<string, [number, number]> = {
    ArrowLeft: [cell.row, cell.index - 1], ArrowRight: [cell.row, cell.index + 1], ArrowUp: [cell.row - 1, cell.index], ArrowDown: [cell.row + 1, cell.index],
    Home: [cell.row, 0], End: [cell.row, n - 1], PageDown: [rows - 1, cell.index], PageUp: [0, cell.index],
  };
  const move = moves[event.key];
  if (!move) return false;
  const [row, index] = [Math.min(rows - 1, Math.max(0, move[0])), Math.min(n - 1, Math.max(0, move[1]))];
  const next = event.currentTarget.querySelector<HTMLElement>(`[data-row="${row}"] [data-index="${index}"]`);
  if (!next) return true;
  if (event.target instanceof HTMLElement) event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
  return true;
}

function cellCard(report: SelectReport, reasons: readonly (readonly CellReason[])[], row: number, index: number, nameOf: (index: number) => string, isNearest: boolean) {
  const result = report.selectors[row];
  const reason = reasons[row]?.[index] ?? { kind: 'out' };
  const keepers = report.selectors.filter(({ kept }) => kept.includes(index)).map(({ selector }) => selector);
  const why = report.protectedWhy[String(index)] ?? [];
  return {
    title: `Block ${formatCount(index)} · ${result?.selector ?? ''}`,
    rows: [
      ['here', reasonWords(reason)], ['tokens', formatCount(report.blocks[index]?.tokens ?? NaN)], ['age', `${formatCount(report.blocks.length - 1 - index)} blocks`],
      ['kept by', keepers.length > 0 ? keepers.join(', ') : 'none'], ...(isNearest ? [['next action', 'among the nearest three (measured only)'] as const] : []),
    ] as const,
    excerpt: nameOf(index),
    ...(why.length > 0 ? { definition: `Protected: ${why.join(' ')}` } : {}),
  };
}
