/** Draws one strip: marks of what left above, the stack, marks of what came back or was missing below. */
import { STRIP_MARK_PX, type StripFrame, type StripLayout, type StripMark } from '../core/layout/policy-strip';
import { SWATCHES } from '../core/workspace/types';
import type { Palette } from './palette';
import type { PatternCache } from './patterns';
import type { Device } from './surface';

const snap = (value: number, pixelRatio: number): number => Math.round(value * pixelRatio) / pixelRatio;

export function drawStrip({ surface, pixelRatio }: Device, palette: Palette, patterns: PatternCache, frame: StripFrame, layout: StripLayout, budget: number): void {
  const { width, height, maxTokens } = frame;
  const top = STRIP_MARK_PX + 1;
  const bottom = height - STRIP_MARK_PX - 1;
  const y = (tokens: number): number => bottom - (Math.min(tokens, maxTokens) / maxTokens) * (bottom - top);
  surface.clearRect(0, 0, width, height);
  const span = SWATCHES.length + 1;
  for (let s = 0; s < SWATCHES.length; s++) {
    surface.fillStyle = palette.kinds[s] ?? palette.ink;
    surface.beginPath();
    for (let c = 0; c < layout.n; c++) {
      const from = layout.bounds[c * span + s] ?? 0;
      const to = layout.bounds[c * span + s + 1] ?? 0;
      if (to <= from) continue;
      const high = snap(y(to), pixelRatio);
      const low = snap(y(from), pixelRatio);
      const left = snap(layout.left[c] ?? 0, pixelRatio);
      surface.rect(left, high, snap(layout.right[c] ?? 0, pixelRatio) - left, low - high);
    }
    surface.fill();
  }
  if (layout.over.length > 0) {
    const limit = Math.max(top, Math.min(bottom, y(budget)));
    surface.beginPath();
    for (let c = 0; c < layout.n; c++) {
      const total = layout.bounds[c * span + SWATCHES.length] ?? 0;
      if (total > budget) surface.rect(layout.left[c] ?? 0, y(total), (layout.right[c] ?? 0) - (layout.left[c] ?? 0), limit - y(total));
    }
    // Lightened, so that the hatch reads on every hue.
    surface.globalAlpha = 0.35;
    surface.fillStyle = palette.surface;
    surface.fill();
    surface.globalAlpha = 1;
    surface.fillStyle = patterns.get('overflow', palette.danger, pixelRatio);
    surface.fill();
  }
  surface.strokeStyle = palette.line;
  surface.lineWidth = 1;
  surface.beginPath();
  surface.moveTo(0, snap(bottom, pixelRatio) + 0.5);
  surface.lineTo(width, snap(bottom, pixelRatio) + 0.5);
  surface.stroke();
  if (budget <= maxTokens) {
    surface.strokeStyle = palette.danger;
    surface.setLineDash([5, 3]);
    surface.beginPath();
    surface.moveTo(0, snap(y(budget), pixelRatio) + 0.5);
    surface.lineTo(width, snap(y(budget), pixelRatio) + 0.5);
    surface.stroke();
    surface.setLineDash([]);
  }
  for (const mark of layout.marks) drawMark(surface, palette, mark, height);
}

/** Triangles down for what left, up for what came back, a cross for what was needed and lost: told by shape, then by hue. */
function drawMark(surface: Device['surface'], palette: Palette, { x, kind }: StripMark, height: number): void {
  const r = 2.75;
  const middle = kind === 'out' ? STRIP_MARK_PX / 2 : height - STRIP_MARK_PX / 2;
  const ink = palette.kindInks[SWATCHES.indexOf(kind === 'lost' ? 'notice' : kind === 'out' ? 'summary' : 'tool_result')] ?? palette.ink;
  surface.beginPath();
  if (kind === 'lost') {
    surface.strokeStyle = ink;
    surface.lineWidth = 1.5;
    surface.moveTo(x - r, middle - r);
    surface.lineTo(x + r, middle + r);
    surface.moveTo(x + r, middle - r);
    surface.lineTo(x - r, middle + r);
    surface.stroke();
    return;
  }
  const tip = kind === 'out' ? r : -r;
  surface.fillStyle = ink;
  surface.moveTo(x - r, middle - tip);
  surface.lineTo(x + r, middle - tip);
  surface.lineTo(x, middle + tip);
  surface.closePath();
  surface.fill();
}
