import { schemeTableau10 } from 'd3';
import { formatCount, formatDifference, formatFixed, formatShare } from '../../core/layout/format';
import type { LabReport } from '../../core/selection/lab';
import { SELECTORS } from '../../core/selection/selectors';
import type { AblationRow, CapacitySweepRow, TargetSweepRow } from '../../core/selection/sweeps';
import { fileName } from '../shared/download';
import { lineStyle } from '../policies/sweep-model';
import { LabCurves, type Curve } from './LabCurves';
import { ablationText, capacityTable, CURVE_KEYS, metricWords, stopOf, targetTable } from './lab-metrics';
import { LabTable, type LabColumn } from './LabTable';
import { METRIC_COLUMNS } from './selector-columns';

export interface PanelWords { step: number; what: string; /** The same without the checkpoint, for many charts beside each other. */ short: string; approximate: boolean }

const metricColumns = <Row extends { metrics: CapacitySweepRow['metrics'] }>(): LabColumn<Row>[] =>
  METRIC_COLUMNS.map(({ key, label, definition, measuredAfterwards }) => ({ key, title: measuredAfterwards ? `${label}°` : label, definition, cell: (row) => metricWords(row.metrics, key) }));

interface CapacityProps extends PanelWords { report: LabReport & { part: 'capacity' }; wide: boolean; onWide: (wide: boolean) => void; strong: ReadonlySet<string>; capacity: number }

/** Every selector at each K, the τ stop off (paper, Table D.3). */
export function CapacityPanel({ report, wide, onWide, strong, capacity, step, what, short, approximate }: CapacityProps) {
  const { rows } = report;
  const curves: Curve[] = SELECTORS.flatMap(({ id }, at) => {
    const points = rows.filter((row) => row.selector === id).map((row) => ({ x: row.capacity, metrics: row.metrics }));
    return points.length === 0 ? [] : [{ name: id, ...lineStyle(at), strong: strong.has(id), points }];
  });
  const clamped = rows.some((row) => row.k > row.capacity);
  const columns: LabColumn<CapacitySweepRow>[] = [
    { key: 'selector', title: 'selector', words: true, cell: (row) => row.selector }, { key: 'K', title: 'K', cell: (row) => formatCount(row.capacity) },
    { key: 'k', title: 'k', definition: 'Blocks asked for: max(K, protected)', cell: (row) => formatCount(row.k) }, { key: 'kept', title: 'kept', cell: (row) => formatCount(row.kept) }, ...metricColumns<CapacitySweepRow>(),
  ];
  return (
    <>
      <div className="lab-bar">
        <span className="segments" role="group" aria-label="Values of K">
          <button type="button" aria-pressed={!wide} onClick={() => onWide(false)}>K = 8…20</button>
          <button type="button" aria-pressed={wide} title="Up to 0.45 of the history" onClick={() => onWide(true)}>K up to ⌈0.45 n⌉</button>
        </span>
        <span className="muted">The τ stop is off; every selector gets max(K, protected) blocks{clamped ? `, here at least the ${formatCount(report.protected)} protected ones` : ''}.</span>
      </div>
      <div className="lab-charts">
        {CURVE_KEYS.map((metric) => <LabCurves key={metric} metric={metric} curves={curves} what={short} approximate={approximate} xLabel="capacity K, blocks" xWords={formatCount} now={{ x: capacity, words: `K ${formatCount(capacity)}` }} table={() => capacityTable(rows)} />)}
      </div>
      <LabTable name="K sweep" caption={what} columns={columns} rows={rows} rowKey={(row) => `${row.selector} ${row.capacity}`} strong={(row) => row.selector === 'gem'} fileName={() => fileName('k-sweep', 'step', step)} text={() => capacityTable(rows)} />
    </>
  );
}

/** gem's natural size at each τ (paper, Table D.4). */
export function TargetPanel({ report, tau, step, what, short, approximate }: PanelWords & { report: LabReport & { part: 'target' }; tau: number }) {
  const { rows } = report;
  const of = (colour: string, name: string, dash = ''): Curve => ({ name, colour, dash, strong: true, points: rows.map((row) => ({ x: row.tau, metrics: row.metrics })) });
  const curve = [of(schemeTableau10[0] ?? 'currentColor', 'gem')];
  const columns: LabColumn<TargetSweepRow>[] = [
    { key: 'tau', title: 'τ', cell: (row) => formatFixed(row.tau, 2) }, { key: 'kept', title: 'kept', cell: (row) => formatCount(row.kept) },
    { key: 'retained', title: 'retained', definition: 'kept ÷ all blocks', cell: (row) => formatShare(row.retained) },
    { key: 'stop', title: 'stopped by', words: true, cell: (row) => stopOf(row.stop) }, ...metricColumns<TargetSweepRow>(),
  ];
  return (
    <>
      <p className="lab-bar muted">gem at its natural size: it stops at coverage τ, at capacity K = {formatCount(report.capacity)}, or when nothing is left that would add a direction.</p>
      <LabTable name="τ sweep" caption={what} columns={columns} rows={rows} rowKey={(row) => String(row.tau)} strong={(row) => row.tau === tau} fileName={() => fileName('tau-sweep', 'step', step)} text={() => targetTable(rows)} />
      <div className="lab-charts">
        {CURVE_KEYS.slice(0, 4).map((metric) => <LabCurves key={metric} metric={metric} curves={curve} what={short} approximate={approximate} xLabel="coverage target τ" xWords={(x) => formatFixed(x, 2)} now={{ x: tau, words: `τ ${formatFixed(tau, 2)}` }} table={() => targetTable(rows)} />)}
      </div>
    </>
  );
}

/** gem with one group of the protection left out, at the same number of blocks (paper, Table D.2). */
export function AblationPanel({ report, step, what }: PanelWords & { report: LabReport & { part: 'ablation' } }) {
  const { rows, k } = report;
  const gem = rows.find((row) => row.without === null);
  const columns: LabColumn<AblationRow>[] = [
    { key: 'selector', title: 'selector', words: true, cell: (row) => (row.without === null ? 'gem' : `gem − ${row.without}`) },
    { key: 'protected', title: 'protected', cell: (row) => formatCount(row.protected) },
    ...METRIC_COLUMNS.map(({ key, label, definition, measuredAfterwards, decimals }): LabColumn<AblationRow> => ({
      key, title: measuredAfterwards ? `${label}°` : label, definition,
      cell: (row) => {
        const [value, base] = [row.metrics[key], gem?.metrics[key] ?? null];
        return <>{metricWords(row.metrics, key)}{decimals > 0 && row.without !== null && value !== null && base !== null && <span className="lab-difference">{formatDifference(value - base, 2)}</span>}</>;
      },
    })),
  ];
  return (
    <>
      <p className="lab-bar muted">Each row is completed by the largest residual to exactly k = {formatCount(k)} blocks; a group that protects nothing here changes nothing. Small figures: difference from gem.</p>
      <LabTable name="Ablations" caption={`k = ${formatCount(k)} · ${what}`} columns={columns} rows={rows} rowKey={(row) => row.selector} strong={(row) => row.without === null} fileName={() => fileName('ablations', 'step', step)} text={() => ablationText(rows)} />
    </>
  );
}
