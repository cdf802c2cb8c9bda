import { line as path, scaleLinear } from 'd3';
import { formatCount, formatShare } from '../../core/layout/format';
import { dropOverlapping } from '../../core/layout/labels';
import type { Card } from '../charts/card';
import { Chart, type Plot } from '../charts/Chart';
import { measureSmall } from '../charts/measure';
import { EndLabels, Rule, YAxis, type EndLabel, type Scale } from '../charts/parts';
import { crossingsOf, windowWords, type SweepLine, type SweepMetric, type SweepPoint } from './sweep-model';

const ROOM = 150;
/** Lines told in the hover card. */
const CARD_ROWS = 12;
/** Ends nearer than this are one place. */
const SAME_PX = 3;

interface Props { metric: SweepMetric; lines: readonly SweepLine[]; windows: readonly number[]; budget: number; onWindow: (window: number) => void }

export function SweepChart({ metric, lines, windows, budget, onWindow }: Props) {
  const show = (value: number): string => (metric.isShare ? formatShare(value) : formatCount(value));
  const values = lines.flatMap(({ points }) => points.map(({ value }) => value)).filter(Number.isFinite);
  const most = Math.max(0, ...values);
  const max = metric.isShare ? (most > 0.5 || most === 0 ? 1 : most * 1.1) : Math.max(1, most * 1.05);
  const low = Math.log2(windows[0] ?? 4000);
  const high = Math.log2(windows.at(-1) ?? 8000);
  const x = (plot: Plot): Scale => scaleLinear([low, high > low ? high : low + 1], [plot.left, plot.left + plot.width]);
  const y = (plot: Plot): Scale => scaleLinear([0, max], [plot.top + plot.height, plot.top]);
  const nearest = (px: number, plot: Plot): number => windows.reduce((best, window) => (Math.abs(x(plot)(Math.log2(window)) - px) < Math.abs(x(plot)(Math.log2(best)) - px) ? window : best), windows[0] ?? 0);
  const card = (px: number, py: number, plot: Plot): Card | null => {
    const window = nearest(px, plot);
    const at = lines.flatMap(({ policy, points, strong }) => points.filter((point) => point.window === window && Number.isFinite(point.value)).map(({ value, infeasible }) => ({ policy, value, infeasible, strong })));
    if (at.length === 0) return null;
    const distance = (value: number): number => Math.abs(y(plot)(value) - py);
    const sorted = at.sort((a, b) => distance(a.value) - distance(b.value));
    return {
      title: `${metric.title} at B = ${windowWords(window)}`, definition: metric.definition,
      rows: sorted.slice(0, CARD_ROWS).map(({ policy, value, infeasible }) => [policy, `${show(value)}${infeasible ? ' · infeasible steps' : ''}`] as const),
      source: `replayed; nearest to the pointer first${sorted.length > CARD_ROWS ? `, and ${sorted.length - CARD_ROWS} more` : ''} · click: set the budget`,
    };
  };
  const faint = lines.some(({ strong }) => strong) && lines.length > 8;
  return (
    <Chart
      title={metric.title} what={metric.what} height={250} margins={{ right: ROOM, left: metric.isShare ? 48 : 72 }} card={card} onPick={(px, _py, plot) => onWindow(nearest(px, plot))}
      summary={`${metric.title} by window for ${lines.length} policies. ${lines.filter(({ strong }) => strong).map(({ policy, points }) => `${policy}: ${points.map(({ window, value }) => `${show(value)} at ${windowWords(window)}`).join(', ')}`).join('. ')}`}
    >
      {(plot) => {
        const sx = x(plot);
        const sy = y(plot);
        const draw = path<SweepPoint>().defined(({ value }) => Number.isFinite(value)).x(({ window }) => sx(Math.log2(window))).y(({ value }) => sy(value));
        const labels = endLabels(lines, sy);
        const bottom = plot.top + plot.height;
        const at = windows.map((window) => sx(Math.log2(window)));
        const keep = dropOverlapping(at, windows.map((window) => measureSmall(windowWords(window))), 8);
        const ordered = [...lines].sort((a, b) => Number(a.strong) - Number(b.strong));
        return (
          <>
            <YAxis plot={plot} scale={sy} format={show} />
            <line className="base" x1={plot.left} x2={plot.left + plot.width} y1={bottom + 0.5} y2={bottom + 0.5} />
            {windows.map((window, i) => <g key={window}><line className="tick" x1={at[i]} x2={at[i]} y1={bottom} y2={bottom + 4} />{keep[i] && <text x={at[i]} y={bottom + 14} textAnchor="middle">{windowWords(window)}</text>}</g>)}
            <text className="axis-label" x={plot.left + plot.width / 2} y={bottom + 29} textAnchor="middle">window B, tokens (logarithmic)</text>
            {Math.log2(budget) >= low && Math.log2(budget) <= high && <Rule plot={plot} x={sx(Math.log2(budget))} text="B now" tone="rule-playhead" />}
            {ordered.map((line) => (
              <g key={line.policy} className={faint && !line.strong ? 'sweep-faint' : ''}>
                <path className="line" d={draw(line.points) ?? ''} style={{ stroke: line.colour, strokeWidth: line.strong ? 2.5 : 1.5 }} strokeDasharray={line.dash || undefined} />
                {line.points.filter(({ value }) => Number.isFinite(value)).map(({ window, value, infeasible }) => <circle key={window} className={infeasible ? 'sweep-hollow' : undefined} cx={sx(Math.log2(window))} cy={sy(value)} r={line.strong ? 3 : 2} style={infeasible ? { stroke: line.colour } : { fill: line.colour }} />)}
              </g>
            ))}
            {crossingsOf(lines.filter(({ strong }) => strong)).map(({ window, value, a, b }) => <circle key={`${a} ${b} ${window}`} className="sweep-crossing" cx={sx(Math.log2(window))} cy={sy(value)} r={6}><title>{`${a} and ${b} cross near ${Math.round(window / 1000)}k`}</title></circle>)}
            <EndLabels plot={plot} labels={labels} room={ROOM} />
          </>
        );
      }}
    </Chart>
  );
}

/** Lines that end at one place share a label: the strong one's name and how many more there are. */
function endLabels(lines: readonly SweepLine[], y: Scale): EndLabel[] {
  const groups: { y: number; lines: SweepLine[] }[] = [];
  for (const line of [...lines].sort((a, b) => Number(b.strong) - Number(a.strong))) {
    const last = line.points.findLast(({ value }) => Number.isFinite(value));
    if (!last) continue;
    const at = y(last.value);
    const near = groups.find((group) => Math.abs(group.y - at) < SAME_PX && !line.strong);
    if (near) near.lines.push(line);
    else groups.push({ y: at, lines: [line] });
  }
  return groups.map(({ y: at, lines: [first, ...rest] }) => ({
    text: `${first?.policy ?? ''}${rest.length > 0 ? ` +${rest.length}` : ''}`, y: at, importance: (first?.strong ? 1000 : 0) + rest.length, tone: first?.strong ? 'tone-main' : '',
  }));
}
