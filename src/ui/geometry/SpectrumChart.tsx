import { scaleLinear } from 'd3';
import { formatCount, formatFixed, formatShare } from '../../core/layout/format';
import type { CurveBand, GeometryReport } from '../../core/selection/types';
import { Chart, type Plot } from '../charts/Chart';
import type { Card } from '../charts/card';
import { Band, EndLabels, Line, Rule, XAxis, YAxis, type EndLabel, type Scale } from '../charts/parts';
import { cumulativeShares, interval, intervalWords, nonZeroDirections } from './geometry-words';

/** Share of energy by which r90 is defined (gem.md §2). */
const R90_SHARE = 0.9;
const ROOM = 116;

const bandPoints = (band: CurveBand): { x: number; low: number; high: number }[] => band.low.map((low, i) => ({ x: i + 1, low, high: band.high[i] ?? low }));

/** Energy share of each direction (bars) and their running sum (line), with r90 and the two controls. */
export function SpectrumChart({ report, what, approximate }: { report: GeometryReport; what: string; approximate: boolean }) {
  const { spectrum, controlCurves } = report;
  const n = Math.max(1, nonZeroDirections(spectrum.energy));
  const shares = cumulativeShares(spectrum.energy).slice(0, n);
  const x = (plot: Plot): Scale => scaleLinear([0, n + 0.5], [plot.left, plot.left + plot.width]);
  const y = (plot: Plot): Scale => scaleLinear([0, 1], [plot.top + plot.height, plot.top]);
  const card = (px: number, _py: number, plot: Plot): Card | null => {
    const rank = Math.min(n, Math.max(1, Math.round(x(plot).invert(px))));
    const sum = shares[rank - 1];
    if (sum === undefined) return null;
    return {
      title: `Direction ${formatCount(rank)} of ${formatCount(n)}`,
      rows: [['its energy', formatShare(sum - (shares[rank - 2] ?? 0))], ['cumulative', formatShare(sum)]],
      definition: 'Share of the variance of the block vectors around their mean along this principal direction.', source: what,
    };
  };
  return (
    <Chart
      title="Spectrum" what={`share of centred energy by direction · ${what}`} approximate={approximate} height={232} margins={{ right: ROOM }} card={card}
      summary={`Spectrum: effective rank ${formatFixed(spectrum.erank, 1)}; 90 percent of the energy in ${spectrum.r90} of ${n} directions. Feature shift ${intervalWords(spectrum.featureShift.r90, 0)}, Gaussian ${intervalWords(spectrum.gaussian.r90, 0)}.`}
    >
      {(plot) => {
        const sx = x(plot);
        const sy = y(plot);
        const barWidth = Math.max(1, Math.min(14, (plot.width / (n + 0.5)) * 0.8));
        const end = plot.left + plot.width;
        const labels: EndLabel[] = [
          { text: 'this run', y: sy(1) + 2, importance: 3, tone: 'tone-main' },
          { text: 'feature shift', value: `r₉₀ ${formatFixed(interval(spectrum.featureShift.r90)?.middle ?? NaN, 1)}`, y: sy(0.78), importance: 2, tone: 'tone-control' },
          { text: 'Gaussian', value: `r₉₀ ${formatFixed(interval(spectrum.gaussian.r90)?.middle ?? NaN, 1)}`, y: sy(0.55), importance: 1, tone: 'tone-gauss' },
        ];
        return (
          <>
            <YAxis plot={plot} scale={sy} format={(value) => formatShare(value)} values={[0, 0.25, 0.5, 0.75, 1]} />
            {spectrum.energy.slice(0, n).map((_, i) => {
              const share = (shares[i] ?? 0) - (shares[i - 1] ?? 0);
              return <rect key={i} className={i < spectrum.r90 ? 'bar-strong' : 'bar'} x={sx(i + 1) - barWidth / 2} width={barWidth} y={sy(share)} height={Math.max(0.5, sy(0) - sy(share))} />;
            })}
            {controlCurves && <Band points={bandPoints(controlCurves.gaussian)} x={sx} y={sy} tone="band-gauss" />}
            {controlCurves && <Band points={bandPoints(controlCurves.featureShift)} x={sx} y={sy} tone="band-control" />}
            <line className="line line-target" x1={plot.left} x2={end} y1={sy(R90_SHARE)} y2={sy(R90_SHARE)} />
            <Line points={[{ x: 0, y: 0 }, ...shares.map((share, i) => ({ x: i + 1, y: share }))]} x={sx} y={sy} tone="line-main" />
            <ControlInterval values={spectrum.featureShift.r90} x={sx} y={sy(R90_SHARE)} tone="interval-control" />
            <ControlInterval values={spectrum.gaussian.r90} x={sx} y={sy(R90_SHARE)} tone="interval-gauss" />
            <Rule plot={plot} x={sx(spectrum.r90)} text={`r₉₀ = ${formatCount(spectrum.r90)} · ${formatFixed(spectrum.r90Share, 2)} n`} tone="rule-mark" y={sy(0.45)} />
            <EndLabels plot={plot} labels={labels} room={ROOM} />
            <XAxis plot={plot} scale={sx} format={formatCount} integer label="principal directions, strongest first" />
          </>
        );
      }}
    </Chart>
  );
}

/** Where the draws of a control reach 90 %: a bar from the least to the largest, never thinner than it can be seen. */
function ControlInterval({ values, x, y, tone }: { values: readonly number[]; x: Scale; y: number; tone: string }) {
  const range = interval(values);
  if (range === null) return null;
  const middle = x(range.middle);
  const left = Math.min(x(range.low), middle - 2);
  return <line className={`interval ${tone}`} x1={left} x2={Math.max(x(range.high), middle + 2)} y1={y} y2={y}><title>{intervalWords(values, 1)}</title></line>;
}
