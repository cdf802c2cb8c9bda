import { scaleLinear } from 'd3';
import { formatCount, formatFixed } from '../../core/layout/format';
import type { GeometryOverTime } from '../../core/selection/types';
import { Chart, type Plot } from '../charts/Chart';
import type { Card } from '../charts/card';
import { EndLabels, Line, Rule, XAxis, YAxis, type EndLabel, type Scale } from '../charts/parts';

const ROOM = 116;

export interface OverTimeProps { over: GeometryOverTime; checkpoint: number; encoder: string; approximate: boolean; onCheckpoint?: (checkpoint: number) => void }

function nearest(checkpoints: readonly number[], wanted: number): number {
  let best = 0;
  checkpoints.forEach((value, i) => {
    if (Math.abs(value - wanted) < Math.abs((checkpoints[best] ?? Infinity) - wanted)) best = i;
  });
  return best;
}

/** Effective rank of growing prefixes against its feature-shift control. */
export function ErankOverTime({ over, checkpoint, encoder, approximate, onCheckpoint }: OverTimeProps) {
  return (
    <PrefixChart
      title="Effective rank" what={`directions, by blocks so far · ${encoder}`} definition="exp of the entropy of the energy shares: how many directions the blocks really use."
      over={over} checkpoint={checkpoint} approximate={approximate} onCheckpoint={onCheckpoint} main={over.erank} mainName="this run" control={over.shiftErank} decimals={1} fixedMax={null}
    />
  );
}

/** Share of directions needed for 90 % of the energy. */
export function R90OverTime({ over, checkpoint, encoder, approximate, onCheckpoint }: OverTimeProps) {
  return (
    <PrefixChart
      title="r₉₀ ÷ n" what={`directions for 90 % of the energy, per block · ${encoder}`} definition="Least number of principal directions that carry 90 % of the centred energy, divided by the number of blocks."
      over={over} checkpoint={checkpoint} approximate={approximate} onCheckpoint={onCheckpoint} main={over.r90Share} mainName="this run" control={null} decimals={2} fixedMax={1}
    />
  );
}

interface PrefixChartProps {
  title: string; what: string; definition: string; over: GeometryOverTime; checkpoint: number; approximate: boolean;
  onCheckpoint: ((checkpoint: number) => void) | undefined; main: readonly number[]; mainName: string; control: readonly number[] | null; decimals: number; fixedMax: number | null;
}

function PrefixChart({ title, what, definition, over, checkpoint, approximate, onCheckpoint, main, mainName, control, decimals, fixedMax }: PrefixChartProps) {
  const { checkpoints } = over;
  const last = Math.max(checkpoint, checkpoints.at(-1) ?? 1);
  const peak = fixedMax ?? Math.max(1, ...main, ...(control ?? []));
  const x = (plot: Plot): Scale => scaleLinear([0, last], [plot.left, plot.left + plot.width]);
  const y = (plot: Plot): Scale => scaleLinear([0, peak], [plot.top + plot.height, plot.top]);
  const at = nearest(checkpoints, checkpoint);
  const card = (px: number, _py: number, plot: Plot): Card | null => {
    const i = nearest(checkpoints, x(plot).invert(px));
    const value = main[i];
    if (value === undefined) return null;
    const shift = control?.[i];
    return {
      title: `First ${formatCount(checkpoints[i] ?? NaN)} blocks`, definition, source: what,
      rows: [[mainName, formatFixed(value, decimals)], ...(shift === undefined ? [] : [['feature shift', formatFixed(shift, decimals)] as const])],
    };
  };
  const points = (values: readonly number[]): { x: number; y: number }[] => values.map((value, i) => ({ x: checkpoints[i] ?? NaN, y: value }));
  return (
    <Chart
      title={title} what={what} approximate={approximate} height={172} margins={{ right: ROOM }} card={card}
      onPick={onCheckpoint ? (px, _py, plot) => onCheckpoint(checkpoints[nearest(checkpoints, x(plot).invert(px))] ?? checkpoint) : undefined}
      summary={`${title} over growing prefixes, up to ${formatCount(last)} blocks: ${formatFixed(main[at] ?? NaN, decimals)} at ${formatCount(checkpoint)} blocks${control ? `, feature shift ${formatFixed(control[at] ?? NaN, decimals)}` : ''}.`}
    >
      {(plot) => {
        const sx = x(plot);
        const sy = y(plot);
        const labels: EndLabel[] = [{ text: mainName, value: formatFixed(main[at] ?? NaN, decimals), y: sy(main.at(-1) ?? 0), importance: 2, tone: 'tone-main' }];
        if (control) labels.push({ text: 'feature shift', value: formatFixed(control[at] ?? NaN, decimals), y: sy(control.at(-1) ?? 0), importance: 1, tone: 'tone-control' });
        return (
          <>
            <YAxis plot={plot} scale={sy} format={(value) => formatFixed(value, peak <= 1 ? 2 : 0)} />
            {control && <Line points={points(control)} x={sx} y={sy} tone="line-control" />}
            <Line points={points(main)} x={sx} y={sy} tone="line-main" />
            <Rule plot={plot} x={sx(checkpoint)} text="" tone="rule-playhead" />
            <EndLabels plot={plot} labels={labels} room={ROOM} />
            <XAxis plot={plot} scale={sx} format={formatCount} integer label="interaction blocks so far" />
          </>
        );
      }}
    </Chart>
  );
}
