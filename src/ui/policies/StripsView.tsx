import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type PointerEvent } from 'react';
import { stripMaxTokens, stripStepAt, stripX } from '../../core/layout/policy-strip';
import { stepTicks } from '../../core/layout/ticks';
import { STRIP_EVENT } from '../../core/workspace/summary';
import { useWidth } from '../charts/use-width';
import { count } from '../shared/format';
import { classWords } from '../shared/replay-class';
import { PolicyStrip } from './PolicyStrip';
import { ComparisonContext, FirstLoss, PolicyName, type ComparisonActions } from './cells';
import type { ComparisonRow } from './comparison-model';

const ROW_PX = 58;
const STRIP_PX = 52;
const NAME_PX = 232;
const VALUE_PX = 148;

interface Props { rows: readonly ComparisonRow[]; steps: number; step: number; budget: number; theme: string; actions: ComparisonActions; onStep: (step: number) => void }

/** Small multiples: one strip a policy, all on one time axis and one scale, with one playhead through them. */
export function StripsView({ rows, steps, step, budget, theme, actions, onStep }: Props) {
  const scroll = useRef<HTMLDivElement>(null);
  const [host, hostWidth] = useWidth<HTMLDivElement>();
  const width = Math.max(0, hostWidth - NAME_PX - VALUE_PX);
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => scroll.current, estimateSize: () => ROW_PX, overscan: 4 });
  const peaks = rows.flatMap(({ summary }) => (summary ? [summary.totals.peakContext] : []));
  const maxTokens = stripMaxTokens(budget, peaks);
  const isCut = peaks.some((peak) => peak > maxTokens);
  const x = NAME_PX + stripX(step, steps, width);
  const seek = (event: PointerEvent<HTMLElement>): void => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left;
    onStep(stripStepAt(at, steps, width));
  };
  const atX = (value: number): number => stripX(value, steps, width);
  return (
    <ComparisonContext value={actions}>
      <div className="strips-scroll" ref={scroll} tabIndex={0} role="region" aria-label="Policies on one time axis">
        <div className="strips-axis" ref={host} aria-hidden="true">
          <span className="muted" style={{ width: NAME_PX }}>0 to {count(maxTokens)} tokens{isCut ? ', cut above' : ''}; dashed: B</span>
          <span className="strips-ticks">{width > 0 && stepTicks(1, steps, steps, 8).map((value) => <span key={value} style={{ left: atX(value) }}>{count(value)}</span>)}</span>
          <span className="muted num" style={{ width: VALUE_PX }}>at step {count(step)}</span>
        </div>
        <div className="strips-rows" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            const strip = row.summary?.strip;
            const tokens = strip?.contextTokens[step - 1];
            const events = strip?.events[step - 1] ?? 0;
            return (
              <div key={row.info.id} className={`strip-row ${row.current ? '' : 'comparison-old'} ${row.replayed ? 'strip-now' : ''}`} style={{ transform: `translateY(${item.start}px)`, height: ROW_PX }}>
                <div className="strip-name" style={{ width: NAME_PX }}>
                  <PolicyName row={row} />
                  <span className="strip-under"><span className="muted">{classWords(row.info.id, (row.summary ?? row.info).replayClass)}</span>{row.summary?.totals.firstLoss && <FirstLoss row={row} short />}</span>
                </div>
                <div
                  className="strip-plot" style={{ width, height: STRIP_PX }} title="Click: go to the step"
                  onPointerDown={(event) => { if (event.button === 0) { event.currentTarget.setPointerCapture(event.pointerId); seek(event); } }}
                  onPointerMove={(event) => { if (event.currentTarget.hasPointerCapture(event.pointerId)) seek(event); }}
                >
                  {strip && width > 0 && <PolicyStrip name={row.info.id} strip={strip} budget={budget} maxTokens={maxTokens} width={width} height={STRIP_PX} theme={theme} />}
                  {row.summary?.totals.totalBudgetStep !== null && row.summary !== null && width > 0 && <span className="strip-spent" style={{ left: atX(row.summary.totals.totalBudgetStep) }} title={`Total budget spent at step ${row.summary.totals.totalBudgetStep}`}>Σ</span>}
                  {row.error !== null && <span className="danger strip-error">{row.error}</span>}
                </div>
                <div className="strip-value num" style={{ width: VALUE_PX }}>
                  <span>{tokens === undefined ? '' : <><strong>{count(tokens)}</strong> <span className="muted">{Math.round((tokens / budget) * 100)} % of B</span></>}</span>
                  <span className="muted small">{stepWords(events)}</span>
                </div>
              </div>
            );
          })}
          {width > 0 && <div className="strips-playhead" style={{ transform: `translateX(${Math.round(x)}px)` }} aria-hidden="true" />}
        </div>
      </div>
    </ComparisonContext>
  );
}

function stepWords(events: number): string {
  return [[STRIP_EVENT.out, '▾ out'], [STRIP_EVENT.back, '▴ back'], [STRIP_EVENT.lost, '✕ lost'], [STRIP_EVENT.infeasible, 'infeasible']]
    .flatMap(([bit, word]) => (events & Number(bit) ? [word] : [])).join('  ');
}
