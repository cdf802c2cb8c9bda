import { scaleLinear } from 'd3';
import { formatShare } from '../../core/layout/format';
import { Chart, type Plot } from '../charts/Chart';
import type { Card } from '../charts/card';
import { XAxis } from '../charts/parts';

const BANDS = ['0–10', '10–25', '25–50', '50–75', '75–100'] as const;
/** Width of each band in ranks: what an action without any preference would have. */
const WIDTHS = [0.1, 0.15, 0.25, 0.25, 0.25] as const;
const ROW_PX = 28;

/** Where the energy of the recorded next action lies, by rank of the direction. Bars, because five numbers are no curve. */
export function RankBandsChart({ bands, what, approximate }: { bands: readonly number[] | null; what: string; approximate: boolean }) {
  const values = bands ?? [];
  const max = Math.max(0.01, ...values);
  const x = (plot: Plot) => scaleLinear([0, max], [plot.left, plot.left + plot.width]).nice();
  const card = (_px: number, py: number, plot: Plot): Card | null => {
    const i = Math.floor((py - plot.top) / ROW_PX);
    const value = values[i];
    if (value === undefined) return null;
    return {
      title: `Directions of rank ${BANDS[i] ?? ''} %`, rows: [['next-action energy', formatShare(value)], ['share of the ranks', formatShare(WIDTHS[i] ?? NaN)]],
      definition: 'Bands are equal in ranks, not in energy. The next action is used for measuring only; no selector sees it.', source: what,
    };
  };
  return (
    <Chart
      title="Next action" what={`energy by rank band, measured afterwards · ${what}`} approximate={approximate} height={10 + BANDS.length * ROW_PX + 34} margins={{ left: 64, right: 56 }} card={bands ? card : undefined}
      summary={bands ? `Share of next-action energy by rank band: ${values.map((value, i) => `${BANDS[i] ?? ''} percent: ${formatShare(value)}`).join('; ')}.` : 'No next action at this step.'}
    >
      {(plot) => {
        if (!bands) return <text x={plot.left} y={plot.top + 24}>There is no next action after this step to measure with.</text>;
        const sx = x(plot);
        return (
          <>
            {BANDS.map((name, i) => {
              const y = plot.top + i * ROW_PX + 5;
              const value = values[i] ?? 0;
              return (
                <g key={name}>
                  <text x={plot.left - 8} y={y + 9} dy="0.35em" textAnchor="end">{name} %</text>
                  <rect className="bar-strong" x={plot.left} y={y} width={Math.max(0.5, sx(value) - plot.left)} height={18} />
                  {sx(WIDTHS[i] ?? 0) <= plot.left + plot.width && <line className="line line-target" x1={sx(WIDTHS[i] ?? 0)} x2={sx(WIDTHS[i] ?? 0)} y1={y - 3} y2={y + 21}><title>share of the ranks</title></line>}
                  <text className="value-text" x={sx(value) + 6} y={y + 9} dy="0.35em">{formatShare(value)}</text>
                </g>
              );
            })}
            <XAxis plot={plot} scale={sx} format={(value) => formatShare(value)} label="share of next-action energy · dotted: share of the ranks" />
          </>
        );
      }}
    </Chart>
  );
}
