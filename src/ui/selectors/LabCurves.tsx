import { line as path, scaleLinear } from 'd3';
import { formatFixed } from '../../core/layout/format';
import type { SelectionMetrics } from '../../core/selection/types';
import type { Card } from '../charts/card';
import { Chart, type Plot } from '../charts/Chart';
import { EndLabels, Rule, XAxis, YAxis, type EndLabel, type Scale } from '../charts/parts';
import type { TableRows } from '../shared/table-text';
import { METRIC_COLUMNS } from './selector-columns';

export interface CurvePoint { x: number; metrics: SelectionMetrics }
export interface Curve { name: string; colour: string; dash: string; strong: boolean; points: readonly CurvePoint[] }

interface Props {
  metric: keyof SelectionMetrics;
  curves: readonly Curve[];
  what: string;
  approximate: boolean;
  xLabel: string;
  xWords: (x: number) => string;
  /** Where the page's own setting is. */
  now: { x: number; words: string } | null;
  table: () => TableRows;
}

const ROOM = 92;
const CARD_ROWS = 12;

/** One quantity over a swept setting, a line a selector; names at the ends, the nearest first in the card. */
export function LabCurves({ metric, curves, what, approximate, xLabel, xWords, now, table }: Props) {
  const column = METRIC_COLUMNS.find(({ key }) => key === metric);
  const title = column?.title ?? metric;
  const xs = [...new Set(curves.flatMap(({ points }) => points.map((point) => point.x)))].sort((a, b) => a - b);
  const [low = 0, high = 1] = [xs[0], xs.at(-1)];
  const x = (plot: Plot): Scale => scaleLinear([low, high > low ? high : low + 1], [plot.left, plot.left + plot.width]);
  const y = (plot: Plot): Scale => scaleLinear([0, 1], [plot.top + plot.height, plot.top]);
  const valueOf = (point: CurvePoint): number => point.metrics[metric] ?? NaN;
  const unknown = curves.every(({ points }) => points.every((point) => !Number.isFinite(valueOf(point))));
  const card = (px: number, py: number, plot: Plot): Card | null => {
    const nearest = xs.reduce((best, one) => (Math.abs(x(plot)(one) - px) < Math.abs(x(plot)(best) - px) ? one : best), xs[0] ?? NaN);
    const at = curves.flatMap(({ name, points }) => points.filter((point) => point.x === nearest && Number.isFinite(valueOf(point))).map((point) => ({ name, value: valueOf(point) })));
    if (at.length === 0) return null;
    const sorted = at.sort((a, b) => Math.abs(y(plot)(a.value) - py) - Math.abs(y(plot)(b.value) - py));
    return {
      title: `${title} at ${xWords(nearest)}`, rows: sorted.slice(0, CARD_ROWS).map(({ name, value }) => [name, formatFixed(value, 3)] as const),
      definition: column?.definition ?? '', source: what,
    };
  };
  return (
    <Chart
      title={title} what={`${column?.measuredAfterwards ? 'measured afterwards · ' : ''}${what}`} approximate={approximate} height={190} margins={{ right: ROOM, bottom: 36 }} card={card} table={table}
      summary={unknown ? `${title} is not known here.` : `${title} by ${xLabel}. ${curves.map(({ name, points }) => `${name}: ${formatFixed(points.at(-1)?.metrics[metric] ?? null, 2)} at the end`).join(', ')}.`}
    >
      {(plot) => {
        const sx = x(plot);
        const sy = y(plot);
        if (unknown) return <text x={plot.left + plot.width / 2} y={plot.top + plot.height / 2} textAnchor="middle">no next action or no vector of it here</text>;
        const draw = path<CurvePoint>().defined((point) => Number.isFinite(valueOf(point))).x((point) => sx(point.x)).y((point) => sy(valueOf(point)));
        const labels: EndLabel[] = curves.flatMap((curve) => {
          const last = curve.points.findLast((point) => Number.isFinite(valueOf(point)));
          return last ? [{ text: curve.name, y: sy(valueOf(last)), importance: curve.strong ? 10 : 1, tone: curve.strong ? 'tone-main' : '' }] : [];
        });
        return (
          <>
            <YAxis plot={plot} scale={sy} format={(value) => formatFixed(value, 2)} values={[0, 0.25, 0.5, 0.75, 1]} />
            {now && now.x >= low && now.x <= high && <Rule plot={plot} x={sx(now.x)} text={now.words} tone="rule-playhead" y={plot.top + plot.height - 6} />}
            {[...curves].sort((a, b) => Number(a.strong) - Number(b.strong)).map((curve) => (
              <path key={curve.name} className="line" d={draw([...curve.points]) ?? ''} style={{ stroke: curve.colour, strokeWidth: curve.strong ? 2.5 : 1.5 }} strokeDasharray={curve.dash || undefined} />
            ))}
            <EndLabels plot={plot} labels={labels} room={ROOM} />
            <XAxis plot={plot} scale={sx} format={xWords} label={xLabel} integer={high > 2} />
          </>
        );
      }}
    </Chart>
  );
}
