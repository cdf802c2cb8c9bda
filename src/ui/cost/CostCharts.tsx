import { area, curveStepBefore, scaleLinear } from 'd3';
import { formatCount, formatShare } from '../../core/layout/format';
import type { ReplayCost } from '../../core/workspace/cost';
import type { Card } from '../charts/card';
import { Chart, type Plot } from '../charts/Chart';
import { EndLabels, Line, Rule, XAxis, YAxis, type EndLabel, type Scale } from '../charts/parts';
import type { CostRow } from './cost-model';

const PARTS = [['cached', 'from the cache'], ['written', 'written to it'], ['uncached', 'new input']] as const;
const ROOM = 112;
const usdWords = (value: number): string => (value === 0 ? '0' : value >= 100 ? formatCount(value) : value.toFixed(value < 0.1 ? 4 : 2));

interface InputProps { policy: string; cost: ReplayCost; step: number; onStep: (step: number) => void }

/** What each call's input was made of: where the cached part falls, the prefix broke. */
export function InputChart({ policy, cost, step, onStep }: InputProps) {
  const { steps } = cost;
  const n = steps.input.length;
  const max = steps.input.reduce((a, b) => Math.max(a, b), 1) * 1.05;
  const x = (plot: Plot): Scale => scaleLinear([0, n], [plot.left, plot.left + plot.width]);
  const y = (plot: Plot): Scale => scaleLinear([0, max], [plot.top + plot.height, plot.top]);
  const at = (px: number, plot: Plot): number => Math.max(1, Math.min(n, Math.ceil(x(plot).invert(px))));
  const card = (px: number, _py: number, plot: Plot): Card => {
    const i = at(px, plot) - 1;
    return {
      title: `Call ${formatCount(i + 1)}`, source: `${cost.prices.name}, ${cost.prices.date} · simulated cache`,
      rows: [...PARTS.map(([key, name]) => [name, formatCount(steps[key][i] ?? NaN)] as const), ['output', formatCount(steps.output[i] ?? NaN)], ['USD', usdWords((steps.usd[i] ?? 0) + (steps.managementUsd[i] ?? 0))]],
      definition: 'The cached part is the longest prefix equal to the call before, in whole granules.',
    };
  };
  return (
    <Chart title="Input of each call" what={`tokens by price, ${policy} · ${cost.prices.name}`} height={220} margins={{ right: ROOM, left: 64 }} card={card} onPick={(px, _py, plot) => onStep(at(px, plot))}
      summary={`Input of each call under ${policy}: ${formatShare(cost.totals.cacheRate ?? NaN)} of ${formatCount(cost.totals.input)} tokens from the cache.`}>
      {(plot) => {
        const sx = x(plot);
        const sy = y(plot);
        const low = new Float64Array(n);
        const layers = PARTS.map(([key, name]) => {
          const points = Array.from({ length: n + 1 }, (_, i) => {
            const row = Math.max(0, i - 1);
            return { x: i, low: low[row] ?? 0, high: (low[row] ?? 0) + (steps[key][row] ?? 0) };
          });
          for (let i = 0; i < n; i++) low[i]! += steps[key][i] ?? 0;
          const last = points.at(-1);
          return { key, name, path: area<(typeof points)[number]>().curve(curveStepBefore).x((p) => sx(p.x)).y0((p) => sy(p.low)).y1((p) => sy(p.high))(points), middle: sy(((last?.low ?? 0) + (last?.high ?? 0)) / 2), total: cost.totals[key] };
        });
        const labels = layers.filter(({ total }) => total > 0).map(({ key, name, middle, total }): EndLabel => ({ text: name, value: formatCount(total), y: middle, importance: total, tone: `tone-${key}` }));
        return (
          <>
            <YAxis plot={plot} scale={sy} format={formatCount} />
            {layers.map(({ key, path }) => <path key={key} className={`cost-${key}`} d={path ?? ''} />)}
            <Rule plot={plot} x={sx(step - 0.5)} text="" tone="rule-playhead" />
            <EndLabels plot={plot} labels={labels} room={ROOM} />
            <XAxis plot={plot} scale={sx} format={formatCount} integer label="call" />
          </>
        );
      }}
    </Chart>
  );
}

/** What was spent by each step, management included. */
export function SpentChart({ rows, step, onStep }: { rows: readonly CostRow[]; step: number; onStep: (step: number) => void }) {
  const lines = rows.map(({ policy, replayed, cost: { steps } }) => {
    let sum = 0;
    return { policy, replayed, points: Array.from(steps.usd, (usd, i) => ({ x: i + 1, y: (sum += usd + (steps.managementUsd[i] ?? 0)) })) };
  });
  const n = Math.max(1, ...lines.map(({ points }) => points.length));
  const max = Math.max(1e-6, ...lines.map(({ points }) => points.at(-1)?.y ?? 0)) * 1.05;
  const x = (plot: Plot): Scale => scaleLinear([0, n], [plot.left, plot.left + plot.width]);
  const y = (plot: Plot): Scale => scaleLinear([0, max], [plot.top + plot.height, plot.top]);
  const at = (px: number, plot: Plot): number => Math.max(1, Math.min(n, Math.round(x(plot).invert(px))));
  return (
    <Chart title="Spent so far" what="USD with management, replayed policy in ink" height={220} margins={{ right: ROOM, left: 64 }} onPick={(px, _py, plot) => onStep(at(px, plot))}
      card={(px, _py, plot) => ({ title: `After call ${formatCount(at(px, plot))}`, rows: lines.map(({ policy, points }) => [policy, usdWords(points[at(px, plot) - 1]?.y ?? NaN)] as const) })}
      summary={`Spent by the end: ${lines.map(({ policy, points }) => `${policy} ${usdWords(points.at(-1)?.y ?? 0)} USD`).join(', ')}.`}>
      {(plot) => {
        const sx = x(plot);
        const sy = y(plot);
        return (
          <>
            <YAxis plot={plot} scale={sy} format={usdWords} />
            {lines.map(({ policy, replayed, points }) => <Line key={policy} points={points} x={sx} y={sy} tone={replayed ? 'line-main' : 'line-control'} />)}
            <Rule plot={plot} x={sx(step)} text="" tone="rule-playhead" />
            <EndLabels plot={plot} room={ROOM} labels={lines.map(({ policy, replayed, points }): EndLabel => ({ text: policy, value: usdWords(points.at(-1)?.y ?? NaN), y: sy(points.at(-1)?.y ?? 0), importance: replayed ? 2 : 1, tone: replayed ? 'tone-main' : 'tone-control' }))} />
            <XAxis plot={plot} scale={sx} format={formatCount} integer label="call" />
          </>
        );
      }}
    </Chart>
  );
}
