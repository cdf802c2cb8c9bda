/** Composition band: stacked columns by swatch, budget, danger zone, overflow hatch, measured usage. */
import type { CompositionColumns, TokenAxis } from '../core/layout/composition';
import { formatCount } from '../core/layout/format';
import { ticks } from '../core/layout/ticks';
import { snap, stepToX, type TimeScale } from '../core/layout/time-scale';
import type { Band, TimelineFrame } from '../core/layout/timeline-frame';
import { SWATCHES } from '../core/workspace/types';
import type { Palette } from './palette';
import type { PatternCache } from './patterns';
import type { Device } from './surface';
import { uiFont } from './text';

/** Above this share of the budget the danger zone begins (ρ of policies.md). */
const DANGER_SHARE = 0.8;
const DANGER_TINT = 0.08;

export interface CompositionDrawing {
  frame: TimelineFrame;
  time: TimeScale;
  axis: TokenAxis;
  columns: CompositionColumns;
  budget: number;
  /** Provider's input tokens a step; NaN = not recorded. */
  measured: Float64Array;
}

export function tokensToY(band: Band, max: number, tokens: number): number {
  return band.top + band.height - (tokens / max) * band.height;
}

export function drawComposition(device: Device, palette: Palette, patterns: PatternCache, drawing: CompositionDrawing): void {
  const { surface } = device;
  const { frame, axis, budget } = drawing;
  const band = frame.composition;
  surface.save();
  surface.beginPath();
  surface.rect(frame.left, band.top - 1, frame.plotWidth, band.height + 2);
  surface.clip();
  if (axis.budgetOnScale) {
    const top = tokensToY(band, axis.max, budget);
    surface.globalAlpha = DANGER_TINT;
    surface.fillStyle = palette.danger;
    surface.fillRect(frame.left, top, frame.plotWidth, tokensToY(band, axis.max, budget * DANGER_SHARE) - top);
    surface.globalAlpha = 1;
  }
  drawGrid(device, palette, drawing);
  drawStack(device, palette, drawing);
  if (axis.budgetOnScale) drawOverflow(device, palette, patterns, drawing);
  drawMeasured(device, palette, drawing);
  drawBudget(device, palette, drawing);
  surface.restore();
  drawTokenLabels(device, palette, drawing);
}

function drawGrid({ surface, pixelRatio }: Device, palette: Palette, { frame, axis }: CompositionDrawing): void {
  surface.fillStyle = palette.grid;
  for (const value of ticks(0, axis.max, 5)) {
    surface.fillRect(frame.left, snap(tokensToY(frame.composition, axis.max, value), pixelRatio), frame.plotWidth, 1 / pixelRatio);
  }
}

function drawStack({ surface, pixelRatio }: Device, palette: Palette, { frame, axis, columns }: CompositionDrawing): void {
  const span = SWATCHES.length + 1;
  const band = frame.composition;
  for (let s = 0; s < SWATCHES.length; s++) {
    surface.fillStyle = palette.kinds[s] ?? palette.ink;
    surface.beginPath();
    for (let i = 0; i < columns.n; i++) {
      const from = columns.bounds[i * span + s] ?? 0;
      const to = columns.bounds[i * span + s + 1] ?? 0;
      if (to <= from) continue;
      const top = snap(tokensToY(band, axis.max, to), pixelRatio);
      const bottom = snap(tokensToY(band, axis.max, from), pixelRatio);
      const left = columns.left[i] ?? 0;
      surface.rect(left, top, (columns.right[i] ?? 0) - left, bottom - top);
    }
    surface.fill();
  }
}

function drawOverflow({ surface, pixelRatio }: Device, palette: Palette, patterns: PatternCache, { frame, axis, columns, budget }: CompositionDrawing): void {
  const span = SWATCHES.length + 1;
  const limit = tokensToY(frame.composition, axis.max, budget);
  surface.beginPath();
  for (let i = 0; i < columns.n; i++) {
    const total = columns.bounds[i * span + SWATCHES.length] ?? 0;
    if (total <= budget) continue;
    const top = snap(tokensToY(frame.composition, axis.max, total), pixelRatio);
    surface.rect(columns.left[i] ?? 0, top, (columns.right[i] ?? 0) - (columns.left[i] ?? 0), limit - top);
  }
  // Lightened, so that the hatch reads on every hue and the hue still tells the kind.
  surface.globalAlpha = 0.35;
  surface.fillStyle = palette.surface;
  surface.fill();
  surface.globalAlpha = 1;
  surface.fillStyle = patterns.get('overflow', palette.danger, pixelRatio);
  surface.fill();
}

function drawBudget({ surface, pixelRatio }: Device, palette: Palette, { frame, axis, budget }: CompositionDrawing): void {
  if (!axis.budgetOnScale) return;
  const y = snap(tokensToY(frame.composition, axis.max, budget), pixelRatio) + 0.5 / pixelRatio;
  surface.strokeStyle = palette.danger;
  surface.lineWidth = 1;
  surface.setLineDash([5, 3]);
  surface.beginPath();
  surface.moveTo(frame.left, y);
  surface.lineTo(frame.left + frame.plotWidth, y);
  surface.stroke();
  surface.setLineDash([]);
}

/** A stepped line in ink over a halo of the surface, so that it reads on every hue. Gaps where nothing was recorded. */
function drawMeasured({ surface, pixelRatio }: Device, palette: Palette, { frame, time, axis, columns, measured }: CompositionDrawing): void {
  const trace = (): void => {
    surface.beginPath();
    let isOpen = false;
    for (let i = 0; i < columns.n; i++) {
      const tokens = measured[(columns.step[i] ?? 1) - 1];
      if (tokens === undefined || Number.isNaN(tokens)) {
        isOpen = false;
        continue;
      }
      const y = snap(tokensToY(frame.composition, axis.max, tokens), pixelRatio);
      const left = columns.left[i] ?? stepToX(time, columns.step[i] ?? 1);
      if (isOpen) surface.lineTo(left, y);
      else surface.moveTo(left, y);
      surface.lineTo(columns.right[i] ?? left, y);
      isOpen = true;
    }
    surface.stroke();
  };
  surface.strokeStyle = palette.surface;
  surface.globalAlpha = 0.75;
  surface.lineWidth = 3.5;
  trace();
  surface.globalAlpha = 1;
  surface.strokeStyle = palette.ink;
  surface.lineWidth = 1.25;
  trace();
}

function drawTokenLabels({ surface }: Device, palette: Palette, { frame, axis }: CompositionDrawing): void {
  surface.font = uiFont(palette);
  surface.fillStyle = palette.inkMuted;
  surface.textAlign = 'right';
  surface.textBaseline = 'middle';
  for (const value of ticks(0, axis.max, 5)) {
    surface.fillText(formatCount(value), frame.left - 8, tokensToY(frame.composition, axis.max, value));
  }
  surface.textAlign = 'left';
}
