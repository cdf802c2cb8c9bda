import { scaleLinear } from 'd3';
import { formatCount, formatFixed, formatShare } from '../../core/layout/format';
import { COVERAGE_TARGET } from '../../core/selection/constants';
import type { GeometryReport } from '../../core/selection/types';
import { Chart, type Plot } from '../charts/Chart';
import type { Card } from '../charts/card';
import { Band, EndLabels, Line, Rule, XAxis, YAxis, type EndLabel, type Scale } from '../charts/parts';

const ROOM = 116;

/** Greedy coverage E against the best that any subspace of that rank could do. */
export function CoverageChart({ report, what, approximate }: { report: GeometryReport; what: string; approximate: boolean }) {
  const { coverage, ceiling } = report;
  const n = Math.max(1, coverage.length, ceiling.length);
  const reached = coverage.findIndex((value) => value >= COVERAGE_TARGET);
  const ceilingReached = ceiling.findIndex((value) => value >= COVERAGE_TARGET);
  const x = (plot: Plot): Scale => scaleLinear([0, n], [plot.left, plot.left + plot.width]);
  const y = (plot: Plot): Scale => scaleLinear([0, 1], [plot.top + plot.height, plot.top]);
  const card = (px: number, _py: number, plot: Plot): Card | null => {
    const k = Math.min(coverage.length, Math.max(1, Math.round(x(plot).invert(px))));
    const value = coverage[k - 1];
    if (value === undefined) return null;
    return {
      title: `${formatCount(k)} blocks kept`,
      rows: [['coverage', formatFixed(value, 3)], ['ceiling', formatFixed(ceiling[k - 1] ?? null, 3)], ['left uncovered', formatShare(1 - value)]],
      definition: 'Mean share of every block that lies in the span of the kept ones. Greedy, largest residual first; not the best possible choice.', source: what,
    };
  };
  return (
    <Chart
      title="Coverage" what={`E by blocks kept, and its ceiling · ${what}`} approximate={approximate} height={232} margins={{ right: ROOM }} card={card}
      summary={`Greedy coverage reaches ${formatFixed(coverage.at(-1) ?? NaN, 2)} with ${formatCount(coverage.length)} blocks; the ceiling there is ${formatFixed(ceiling[coverage.length - 1] ?? NaN, 2)}.`}
    >
      {(plot) => {
        const sx = x(plot);
        const sy = y(plot);
        const curve = [{ x: 0, y: 0 }, ...coverage.map((value, i) => ({ x: i + 1, y: value }))];
        const top = [{ x: 0, y: 0 }, ...ceiling.map((value, i) => ({ x: i + 1, y: value }))];
        const labels: EndLabel[] = [
          { text: 'Eckart–Young', y: sy(ceiling.at(-1) ?? 1) - 6, importance: 1, tone: 'tone-ceiling' },
          { text: 'greedy', y: sy(coverage.at(-1) ?? 0) + 8, importance: 2, tone: 'tone-main' },
        ];
        return (
          <>
            <YAxis plot={plot} scale={sy} format={(value) => formatFixed(value, 2)} values={[0, 0.25, 0.5, 0.75, 1]} />
            <Band points={top.map((point, i) => ({ x: point.x, low: curve[i]?.y ?? point.y, high: point.y }))} x={sx} y={sy} tone="band-room" />
            <line className="line line-target" x1={plot.left} x2={plot.left + plot.width} y1={sy(COVERAGE_TARGET)} y2={sy(COVERAGE_TARGET)} />
            <Line points={top} x={sx} y={sy} tone="line-ceiling" />
            <Line points={curve} x={sx} y={sy} tone="line-main" />
            {reached >= 0 && <Rule plot={plot} x={sx(reached + 1)} y={sy(0.3)} tone="rule-mark" text={`0.90 with ${formatCount(reached + 1)} blocks${ceilingReached >= 0 ? ` (best: ${formatCount(ceilingReached + 1)})` : ''}`} />}
            <EndLabels plot={plot} labels={labels} room={ROOM} />
            <XAxis plot={plot} scale={sx} format={formatCount} integer label="blocks kept, largest residual first" />
          </>
        );
      }}
    </Chart>
  );
}
