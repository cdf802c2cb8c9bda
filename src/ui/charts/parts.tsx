/** SVG parts of a chart: axes, lines, bands, end labels. All take pixel scales made by the chart. */
import { area, line, type ScaleLinear } from 'd3';
import { cutMiddle, dropOverlapping, placeStacked } from '../../core/layout/labels';
import { ticks } from '../../core/layout/ticks';
import type { Plot } from './Chart';
import { measureSmall } from './measure';

export type Scale = ScaleLinear<number, number>;
/** Crisp 1 px: lines lie on half pixels. */
const crisp = (value: number): number => Math.round(value) + 0.5;

export function YAxis({ plot, scale, format, label, values }: { plot: Plot; scale: Scale; format: (value: number) => string; label?: string; values?: readonly number[] }) {
  const [min = 0, max = 1] = scale.domain();
  return (
    <g className="axis">
      {(values ?? ticks(min, max)).map((value) => (
        <g key={value}>
          <line className="grid" x1={plot.left} x2={plot.left + plot.width} y1={crisp(scale(value))} y2={crisp(scale(value))} />
          <text x={plot.left - 6} y={scale(value)} dy="0.35em" textAnchor="end">{format(value)}</text>
        </g>
      ))}
      {label && <text x={plot.left} y={plot.top - 2} dy="-0.2em" textAnchor="start">{label}</text>}
    </g>
  );
}

export function XAxis({ plot, scale, format, label, integer = false }: { plot: Plot; scale: Scale; format: (value: number) => string; label: string; integer?: boolean }) {
  const [min = 0, max = 1] = scale.domain();
  const values = ticks(min, max, plot.width < 200 ? 3 : 5, integer);
  const keep = dropOverlapping(values.map((value) => scale(value)), values.map((value) => measureSmall(format(value))), 8);
  const y = plot.top + plot.height;
  return (
    <g className="axis">
      <line className="base" x1={plot.left} x2={plot.left + plot.width} y1={crisp(y)} y2={crisp(y)} />
      {values.map((value, i) => (
        <g key={value}>
          <line className="tick" x1={crisp(scale(value))} x2={crisp(scale(value))} y1={y} y2={y + 4} />
          {keep[i] && <text x={scale(value)} y={y + 14} textAnchor="middle">{format(value)}</text>}
        </g>
      ))}
      <text className="axis-label" x={plot.left + plot.width / 2} y={y + 29} textAnchor="middle">{cutMiddle(label, plot.width + 60, measureSmall)}</text>
    </g>
  );
}

export interface XY { x: number; y: number }

/** `tone` names a class: line-main, line-control, line-second … (chart.css). Points with NaN leave a gap. */
export function Line({ points, x, y, tone }: { points: readonly XY[]; x: Scale; y: Scale; tone: string }) {
  const path = line<XY>().defined((p) => Number.isFinite(p.y)).x((p) => x(p.x)).y((p) => y(p.y))([...points]);
  return path ? <path className={`line ${tone}`} d={path} /> : null;
}

/** An interval along x: control draws, or the room between a curve and its ceiling. */
export function Band({ points, x, y, tone }: { points: readonly { x: number; low: number; high: number }[]; x: Scale; y: Scale; tone: string }) {
  const path = area<{ x: number; low: number; high: number }>().x((p) => x(p.x)).y0((p) => y(p.low)).y1((p) => y(p.high))([...points]);
  return path ? <path className={`band ${tone}`} d={path} /> : null;
}

export interface EndLabel { text: string; value?: string; /** Pixels. */ y: number; importance: number; tone: string }

/** Names of lines at their right ends, moved apart, dropped when there is no room. */
export function EndLabels({ plot, labels, room }: { plot: Plot; labels: readonly EndLabel[]; room: number }) {
  const placed = placeStacked(labels.map((label, i) => ({ key: String(i), y: label.y, height: label.value === undefined ? 14 : 28, importance: label.importance })), plot.top - 8, plot.top + plot.height + 8, plot.height);
  return (
    <g>
      {placed.map(({ key, y }) => {
        const label = labels[Number(key)];
        if (!label) return null;
        const two = label.value !== undefined;
        return (
          <text key={key} className={`end ${label.tone}`} x={plot.left + plot.width + 8} y={two ? y - 7 : y} dy="0.35em">
            <tspan>{cutMiddle(label.text, room - 10, measureSmall)}</tspan>
            {two && <tspan className="end-value" x={plot.left + plot.width + 8} dy="14">{cutMiddle(label.value ?? '', room - 10, measureSmall)}</tspan>}
            <title>{label.value === undefined ? label.text : `${label.text}: ${label.value}`}</title>
          </text>
        );
      })}
    </g>
  );
}

/** A vertical rule with words beside it, on the side with more room. */
export function Rule({ plot, x, text, tone, y }: { plot: Plot; x: number; text: string; tone: string; y?: number }) {
  const width = measureSmall(text) + 8;
  const isLeft = x + width > plot.left + plot.width && x - width > plot.left;
  const at = y ?? plot.top + plot.height - 8;
  return (
    <g className={`rule ${tone}`}>
      <line x1={crisp(x)} x2={crisp(x)} y1={plot.top} y2={plot.top + plot.height} />
      <text x={isLeft ? x - 5 : x + 6} y={at} textAnchor={isLeft ? 'end' : 'start'}>{text}</text>
    </g>
  );
}
