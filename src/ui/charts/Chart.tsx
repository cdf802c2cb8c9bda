import { useRef, type MouseEvent, type PointerEvent, type ReactNode } from 'react';
import { ChartMenu } from './ChartMenu';
import { showCard, type Card } from './card';
import type { TableRows } from '../shared/table-text';
import { useWidth } from './use-width';
import './card.css';
import './chart.css';

/** The plot inside its margins, CSS pixels. */
export interface Plot { left: number; top: number; width: number; height: number }
export interface ChartMargins { left: number; right: number; top: number; bottom: number }

export interface ChartProps {
  /** What is shown: the quantity in bold, then unit, step and encoder (design.md "Charts"). */
  title: string;
  what: string;
  /** A number that is no measurement: said in the title line. */
  approximate?: boolean;
  /** The drawing in words. */
  summary: string;
  height: number;
  margins?: Partial<ChartMargins>;
  /** Card at a point of the plot (pixels in the SVG); null hides it. */
  card?: (x: number, y: number, plot: Plot) => Card | null;
  onPick?: (x: number, y: number, plot: Plot) => void;
  /** A drag over the plot, corner to corner (pixels in the SVG). */
  onBrush?: (from: { x: number; y: number }, to: { x: number; y: number }, plot: Plot) => void;
  onReset?: () => void;
  /** The numbers that are drawn, header first, for the menu. */
  table?: () => TableRows;
  children: (plot: Plot) => ReactNode;
  footer?: ReactNode;
}

/** A press that moves less is a click. */
const CLICK_SLOP_PX = 4;
const MARGINS: ChartMargins = { left: 44, right: 104, top: 10, bottom: 34 };

/** Title line, SVG of the width there is, hover card. The height is reserved before any data arrives. */
export function Chart({ title, what, approximate = false, summary, height, margins, card, onPick, onBrush, onReset, table, children, footer }: ChartProps) {
  const [host, width] = useWidth<HTMLDivElement>();
  const cardElement = useRef<HTMLDivElement>(null);
  const rule = useRef<HTMLDivElement>(null);
  const brush = useRef<HTMLDivElement>(null);
  const press = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  const m = { ...MARGINS, ...margins };
  const plot: Plot = { left: m.left, top: m.top, width: Math.max(10, width - m.left - m.right), height: height - m.top - m.bottom };

  const point = (event: MouseEvent<HTMLElement>): { x: number; y: number } => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const hide = (): void => {
    if (cardElement.current) cardElement.current.hidden = true;
    if (rule.current) rule.current.hidden = true;
  };
  const onDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    press.current = { ...point(event), moved: false };
    if (onBrush) event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onUp = (event: PointerEvent<HTMLDivElement>): void => {
    const start = press.current;
    press.current = null;
    if (brush.current) brush.current.hidden = true;
    if (!start) return;
    const end = point(event);
    if (start.moved) onBrush?.(start, end, plot);
    else onPick?.(end.x, end.y, plot);
  };
  const drag = (x: number, y: number): boolean => {
    const start = press.current;
    if (!start || !onBrush || !brush.current) return false;
    start.moved ||= Math.hypot(x - start.x, y - start.y) > CLICK_SLOP_PX;
    if (!start.moved) return false;
    brush.current.hidden = false;
    brush.current.style.transform = `translate(${Math.min(x, start.x)}px, ${Math.min(y, start.y)}px)`;
    brush.current.style.width = `${Math.abs(x - start.x)}px`;
    brush.current.style.height = `${Math.abs(y - start.y)}px`;
    return true;
  };
  const onMove = (event: PointerEvent<HTMLDivElement>): void => {
    const { x, y } = point(event);
    if (drag(x, y)) return hide();
    if (!card || !cardElement.current || !rule.current) return;
    const isInside = x >= plot.left - 4 && x <= plot.left + plot.width + 4 && y >= plot.top - 4 && y <= plot.top + plot.height + 4;
    const content = isInside ? card(x, y, plot) : null;
    if (!content) return hide();
    rule.current.hidden = false;
    rule.current.style.transform = `translateX(${Math.round(x)}px)`;
    rule.current.style.top = `${plot.top}px`;
    rule.current.style.height = `${plot.height}px`;
    showCard(cardElement.current, content, x, y, { width, height: height + 60 });
  };
  return (
    <figure className="chart">
      <figcaption className="chart-title">
        <span className="chart-words"><strong>{title}</strong> <span className="muted">{what}{approximate && <span className="chart-approx"> · ≈ approximate</span>}</span></span>
        <ChartMenu host={host} words={{ title, what: approximate ? `${what} · ≈ approximate` : what, summary }} {...(table ? { table } : {})} />
      </figcaption>
      <div ref={host} className="chart-host" style={{ height }} onPointerMove={onMove} onPointerLeave={hide} onPointerDown={onDown} onPointerUp={onUp} onDoubleClick={onReset}>
        {width > 0 && <svg width={width} height={height} role="img" aria-label={summary}>{children(plot)}</svg>}
        <div ref={rule} className="chart-rule" hidden />
        <div ref={brush} className="chart-brush" hidden />
        <div ref={cardElement} className="chart-card" hidden />
      </div>
      {footer}
    </figure>
  );
}
