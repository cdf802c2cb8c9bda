/** Lifeline band: bars sorted by style and hue (one path each), rings, pins, row names, scroll bar. */
import type { Bars, PlacedMark } from '../core/layout/lifeline-window';
import { SEGMENT_STYLES, type SegmentStyle } from '../core/layout/lifelines';
import { scrollThumb, type RowScale } from '../core/layout/row-scale';
import { snap } from '../core/layout/time-scale';
import type { TimelineFrame } from '../core/layout/timeline-frame';
import { tracePin } from './glyphs';
import type { Palette } from './palette';
import type { PatternCache } from './patterns';
import type { Device, Surface } from './surface';

export interface LifelineDrawing {
  frame: TimelineFrame;
  rows: RowScale;
  bars: Bars;
  rings: readonly PlacedMark[];
  pins: readonly PlacedMark[];
}

/** Opacity by status: what is in the context is opaque, what nothing uses any more is pale. */
const ALPHA: Record<SegmentStyle, number> = { removed: 0.5, archived: 0.55, dotted: 0.85, idle: 0.42, used: 1, recovered: 1 };
/** Below this height an outline would be two touching lines, and a pattern noise. */
const OUTLINE_MIN_PX = 4;

export function drawLifelines(device: Device, palette: Palette, patterns: PatternCache, drawing: LifelineDrawing): void {
  const { surface, pixelRatio } = device;
  const { frame, rows, bars } = drawing;
  if (frame.lifelines.height === 0) return;
  surface.save();
  surface.beginPath();
  surface.rect(0, frame.lifelines.top, frame.left + frame.plotWidth + 8, frame.lifelines.height);
  surface.clip();
  let at = 0;
  while (at < bars.n) {
    const style = SEGMENT_STYLES[bars.style[at] ?? 0] ?? 'used';
    const swatch = bars.swatch[at] ?? 0;
    let end = at;
    while (end < bars.n && bars.style[end] === bars.style[at] && bars.swatch[end] === swatch) end++;
    drawGroup(device, palette, patterns, bars, at, end, style, swatch);
    at = end;
  }
  drawRings(surface, palette, drawing);
  if (rows.rowHeight >= 5) drawPins(surface, palette, drawing);
  surface.restore();
  const thumb = scrollThumb(rows);
  if (thumb) {
    surface.fillStyle = palette.inkMuted;
    surface.globalAlpha = 0.55;
    surface.fillRect(frame.left + frame.plotWidth + 3, snap(thumb.top, pixelRatio), 4, thumb.height);
    surface.globalAlpha = 1;
  }
}

function drawGroup({ surface, pixelRatio }: Device, palette: Palette, patterns: PatternCache, bars: Bars, from: number, to: number, style: SegmentStyle, swatch: number): void {
  const colour = palette.kinds[swatch] ?? palette.ink;
  const isThin = (bars.height[from] ?? 0) < OUTLINE_MIN_PX;
  surface.globalAlpha = ALPHA[style];
  surface.beginPath();
  const isOutline = style === 'removed';
  for (let i = from; i < to; i++) {
    const x = bars.x[i] ?? 0;
    const y = bars.y[i] ?? 0;
    const width = bars.width[i] ?? 0;
    const height = bars.height[i] ?? 0;
    if (!isOutline) surface.rect(x, y, width, height);
    else if (isThin) surface.rect(x, snap(y + height / 2, pixelRatio), width, 1 / pixelRatio);
    else surface.rect(x + 0.5, y + 0.5, Math.max(0, width - 1), Math.max(0, height - 1));
  }
  if (isOutline && !isThin) {
    surface.strokeStyle = palette.kindInks[swatch] ?? colour;
    surface.lineWidth = 1;
    surface.stroke();
  } else {
    if (style === 'archived') surface.fillStyle = patterns.get('hatch', colour, pixelRatio);
    else if (style === 'dotted') surface.fillStyle = patterns.get('dots', palette.kindInks[swatch] ?? colour, pixelRatio);
    else surface.fillStyle = isOutline ? (palette.kindInks[swatch] ?? colour) : colour;
    surface.fill();
  }
  surface.globalAlpha = 1;
}

function drawRings(surface: Surface, palette: Palette, { rings, rows }: LifelineDrawing): void {
  const radius = Math.min(4.5, Math.max(2.75, rows.rowHeight / 2.4));
  surface.lineWidth = 1.5;
  for (const ring of rings) {
    surface.beginPath();
    surface.arc(ring.x, ring.y, radius, 0, Math.PI * 2);
    surface.fillStyle = palette.surface;
    surface.fill();
    surface.strokeStyle = palette.kindInks[ring.swatch] ?? palette.ink;
    surface.stroke();
  }
}

function drawPins(surface: Surface, palette: Palette, { pins }: LifelineDrawing): void {
  surface.beginPath();
  for (const pin of pins) tracePin(surface, pin.x, pin.y);
  surface.fillStyle = palette.ink;
  surface.fill();
}
