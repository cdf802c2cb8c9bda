import { area, curveStep, scaleLinear } from 'd3';
import { useMemo } from 'react';
import { formatCount } from '../../core/layout/format';
import type { Replay } from '../../core/workspace/types';
import type { OpenLine } from '../../workers/api';
import type { Card } from '../charts/card';
import { Chart, type Plot } from '../charts/Chart';
import { EndLabels, Rule, XAxis, YAxis, type EndLabel, type Scale } from '../charts/parts';
import { KindTag } from '../shared/KindTag';
import { TableMenu } from '../shared/TableMenu';
import { fileName } from '../shared/download';
import { count, plural } from '../shared/format';
import { statusGlyph } from '../shared/kinds';
import { blockValues, blockValueTable, runFacts } from './run-evidence';

/** Rows drawn; the export has all. */
const MAX_ROWS = 200;
const ROOM = 116;
const PARTS = [['visibleWeight', 'visible'], ['recoverableWeight', 'recoverable'], ['lostWeight', 'lost']] as const;

interface Props { line: OpenLine; replay: Replay; step: number; onSelect: (block: number) => void; onStep: (step: number) => void }

/** Evidence over the run: what each call needed and whether it was there, and which blocks were carried for nothing. */
export function RunEvidence({ line, replay, step, onSelect, onStep }: Props) {
  const rows = useMemo(() => blockValues(line, replay), [line, replay]);
  const stale = rows.reduce((sum, row) => sum + row.stale, 0);
  const sent = replay.totals.trajectoryTokens;
  return (
    <div className="evidence-scroll" tabIndex={0} role="region" aria-label="Evidence of the run">
      <dl className="evidence-totals">{runFacts(replay).map(({ name, value, help }) => <div key={name} title={help}><dt className="muted">{name}</dt><dd>{value}</dd></div>)}</dl>
      <div className="evidence-chart"><WeightChart replay={replay} step={step} onStep={onStep} /></div>
      <div className="evidence-head">
        <h3>Stale burn</h3>
        <span className="muted">{plural(rows.length, 'block')} carried after the last use: {count(stale)} token·steps, {sent > 0 ? `${((stale / sent) * 100).toFixed(1)} %` : '–'} of all prompt tokens under <span className="mono">{replay.policy}</span></span>
        <span className="spacer" />
        <TableMenu name={() => fileName('block-values', replay.policy)} rows={() => blockValueTable(rows)} caption={`Tokens × steps carried after the last use, under ${replay.policy}`} />
      </div>
      {rows.length > 0 && (
        <table aria-label="Block values">
          <thead><tr><th scope="col">Block</th><th scope="col">Kind</th><th scope="col" className="num">Tokens</th><th scope="col" className="num">Uses</th><th scope="col" className="num">Last use</th><th scope="col" className="num">Stale burn</th><th scope="col">At the end</th><th scope="col">First line</th></tr></thead>
          <tbody>
            {rows.slice(0, MAX_ROWS).map((row) => (
              <tr key={row.index}>
                <td><button type="button" className="link mono" onClick={() => onSelect(row.index)}>{row.id}</button></td>
                <td><KindTag kind={row.kind} isError={row.isError} /></td>
                <td className="num">{count(row.tokens)}</td><td className="num">{count(row.uses)}</td>
                <td className="num">{row.lastUse === 0 ? 'never' : <button type="button" className="link" onClick={() => onStep(row.lastUse)}>{count(row.lastUse)}</button>}</td>
                <td className="num">{count(row.stale)}</td>
                <td><span aria-hidden="true">{statusGlyph(row.status)}</span> {row.status}</td>
                <td className="mono evidence-lexeme muted" title={row.preview}>{row.preview}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rows.length > MAX_ROWS && <p className="muted evidence-note">and {count(rows.length - MAX_ROWS)} more; the export has all.</p>}
    </div>
  );
}

function WeightChart({ replay, step, onStep }: Pick<Props, 'replay' | 'step' | 'onStep'>) {
  const { steps } = replay;
  const max = useMemo(() => steps.demandWeight.reduce((a, b) => Math.max(a, b), 1) * 1.05, [steps]);
  const x = (plot: Plot): Scale => scaleLinear([0.5, Math.max(1, steps.n) + 0.5], [plot.left, plot.left + plot.width]);
  const y = (plot: Plot): Scale => scaleLinear([0, max], [plot.top + plot.height, plot.top]);
  const at = (px: number, plot: Plot): number => Math.max(1, Math.min(steps.n, Math.round(x(plot).invert(px))));
  const card = (px: number, _py: number, plot: Plot): Card => {
    const row = at(px, plot) - 1;
    return { title: `Call ${formatCount(row + 1)}`, rows: [...PARTS.map(([key, name]) => [name, (steps[key][row] ?? 0).toFixed(1)] as const), ['in the prompt', (steps.promptWeight[row] ?? 0).toFixed(1)], ['obligations / reads', `${steps.obligations[row] ?? 0} / ${steps.reads[row] ?? 0}`]], source: 'verbatim reuse: a lower bound' };
  };
  return (
    <Chart title="Evidence of each call" what={`weight of what it repeats word for word, by state under ${replay.policy}`} height={180} margins={{ right: ROOM, left: 52 }} card={card} onPick={(px, _py, plot) => onStep(at(px, plot))}
      summary={`Evidence weight of ${steps.n} calls under ${replay.policy}: ${replay.totals.evidenceVisible.toFixed(0)} visible, ${replay.totals.evidenceRecoverable.toFixed(0)} recoverable, ${replay.totals.evidenceLost.toFixed(0)} lost.`}>
      {(plot) => {
        const sx = x(plot);
        const sy = y(plot);
        const low = new Float64Array(steps.n);
        const layers = PARTS.map(([key, name]) => {
          const points = Array.from({ length: steps.n }, (_, i) => ({ x: i + 1, low: low[i] ?? 0, high: (low[i] ?? 0) + (steps[key][i] ?? 0) }));
          for (let i = 0; i < steps.n; i++) low[i]! += steps[key][i] ?? 0;
          const total = steps[key].reduce((a, b) => a + b, 0);
          return { key, name, total, path: area<(typeof points)[number]>().curve(curveStep).x((p) => sx(p.x)).y0((p) => sy(p.low)).y1((p) => sy(p.high))(points) };
        });
        const labels = layers.filter(({ total }) => total > 0).map(({ name, total }, i): EndLabel => ({ text: name, value: formatCount(total), y: plot.top + 14 + i * 34, importance: total, tone: `tone-${name}` }));
        return (
          <>
            <defs>
              <pattern id="evidence-recoverable" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2" height="5" className="weight-recoverable" /></pattern>
              <pattern id="evidence-lost" width="4" height="4" patternUnits="userSpaceOnUse"><path d="M0 0L4 4M4 0L0 4" className="weight-lost-cross" /></pattern>
            </defs>
            <YAxis plot={plot} scale={sy} format={formatCount} />
            {layers.map(({ key, name, path }) => <path key={key} className={`weight-${name}-area`} d={path ?? ''} />)}
            <Rule plot={plot} x={sx(step)} text="" tone="rule-playhead" />
            <EndLabels plot={plot} labels={labels} room={ROOM} />
            <XAxis plot={plot} scale={sx} format={formatCount} integer label="call" />
          </>
        );
      }}
    </Chart>
  );
}
