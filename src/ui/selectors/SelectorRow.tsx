import { memo } from 'react';
import { formatCount } from '../../core/layout/format';
import { selectorById } from '../../core/selection/selectors';
import type { SelectorResult } from '../../core/selection/types';
import { shownColumns } from './column-window';
import { METRIC_COLUMNS, metricClass, metricDifference, metricValue, stopWords } from './selector-columns';
import { reasonMark, reasonWords, type CellReason } from './selector-reasons';

export interface SelectorRowProps {
  result: SelectorResult;
  reference: SelectorResult | undefined;
  row: number;
  /** By interaction block, all n. */
  reasons: readonly CellReason[];
  nearest: ReadonlySet<number>;
  only: readonly number[];
  cellPx: number;
  /** Columns in the page. */
  from: number;
  to: number;
  /** Interaction block of the grid's tab stop where it is in this row. */
  stop: number | null;
}

/** One selector. Memoised: a hover, a selection, a step whose report is not there yet render no row again. */
export const SelectorRow = memo(function SelectorRow({ result, reference, row, reasons, nearest, only, cellPx, from, to, stop }: SelectorRowProps) {
  const n = reasons.length;
  const words = stopWords(result);
  return (
    <div role="row" aria-rowindex={row + 2} data-row={row} className={result === reference ? 'selector-row reference' : 'selector-row'}>
      <div role="rowheader" aria-colindex={1} className="selector-name" title={selectorById(result.selector)?.description}>{result.selector}</div>
      <Cells reasons={reasons} nearest={nearest} only={only} cellPx={cellPx} from={from} to={to} stop={stop} />
      <div role="presentation" className="selector-metrics">
        <div role="gridcell" aria-colindex={n + 2} className="metric narrow">{formatCount(result.kept.length)}</div>
        {METRIC_COLUMNS.map((column, i) => (
          <div key={column.key} role="gridcell" aria-colindex={n + 3 + i} className={metricClass(column)}>
            <span>{metricValue(result, column)}</span>
            <span className="difference">{metricDifference(result, reference, column)}</span>
          </div>
        ))}
      </div>
      <div role="gridcell" aria-colindex={n + 3 + METRIC_COLUMNS.length} className="metric only-column">{formatCount(only.length)}</div>
      <div role="gridcell" aria-colindex={n + 4 + METRIC_COLUMNS.length} className="metric stop" title={words}>{words}</div>
    </div>
  );
});

type CellsProps = Pick<SelectorRowProps, 'reasons' | 'nearest' | 'only' | 'cellPx' | 'from' | 'to' | 'stop'>;

function Cells({ reasons, nearest, only, cellPx, from, to, stop }: CellsProps) {
  const onlyHere = new Set(only);
  const width = cellPx - (cellPx >= 8 ? 2 : 1);
  return (
    <div className="selector-cells" role="presentation" style={{ width: reasons.length * cellPx }}>
      {shownColumns({ from, to }, stop).map((index) => {
        const reason = reasons[index] ?? { kind: 'out' };
        const { letter, tone } = reasonMark(reason);
        const isNearest = nearest.has(index);
        const isOnly = onlyHere.has(index);
        const label = `block ${index}, ${reasonWords(reason)}${isNearest ? ', among the three nearest to the next action' : ''}${isOnly ? ', only here' : ''}`;
        return <div key={index} role="gridcell" aria-colindex={index + 2} aria-label={label} data-index={index} data-letter={cellPx >= 9 ? letter : ''} tabIndex={index === stop ? 0 : -1} className={`cell cell-${tone}${isNearest ? ' nearest' : ''}${isOnly ? ' only' : ''}`} style={{ left: index * cellPx, width }} />;
      })}
    </div>
  );
}
