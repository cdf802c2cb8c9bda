/** Event glyphs as paths: the same shape in every font. */
import type { EventMarkKind } from '../core/layout/event-marks';
import { SWATCHES } from '../core/workspace/types';
import type { Palette } from './palette';
import type { Surface } from './surface';

const SUMMARY = SWATCHES.indexOf('summary');
const TOOL = SWATCHES.indexOf('tool_result');
const NOTICE = SWATCHES.indexOf('notice');

export function eventColour(palette: Palette, kind: EventMarkKind): string {
  switch (kind) {
    case 'compaction': return palette.kindInks[SUMMARY] ?? palette.ink;
    case 'recover': return palette.kindInks[TOOL] ?? palette.ink;
    case 'loss': case 'overflow': return palette.danger;
    case 'error': return palette.kindInks[NOTICE] ?? palette.danger;
    default: return palette.inkMuted;
  }
}

/** Glyphs with no area of their own are stroked. */
export function isStroked(kind: EventMarkKind): boolean {
  return kind === 'loss' || kind === 'clear' || kind === 'delete';
}

/** Adds the outline of a glyph about 8 px across, centred on (x, y), to the current path. */
export function traceGlyph(surface: Surface, kind: EventMarkKind, x: number, y: number): void {
  const polygon = (...points: [number, number][]): void => {
    points.forEach(([dx, dy], i) => (i === 0 ? surface.moveTo(x + dx, y + dy) : surface.lineTo(x + dx, y + dy)));
    surface.closePath();
  };
  switch (kind) {
    case 'archive': case 'clear': return polygon([-4, -3], [4, -3], [0, 4]);
    case 'recover': return polygon([-4, 3.5], [4, 3.5], [0, -3.5]);
    case 'compaction': return polygon([0, -4.5], [4, 0], [0, 4.5], [-4, 0]);
    case 'overflow': return polygon([-3, -4.5], [4, -2], [-1.8, 0.5], [-1.8, 4.5], [-3, 4.5]);
    case 'delete':
      surface.moveTo(x + 3.5, y);
      surface.arc(x, y, 3.5, 0, Math.PI * 2);
      surface.moveTo(x - 1.8, y);
      surface.lineTo(x + 1.8, y);
      return;
    case 'loss':
      surface.moveTo(x - 3.2, y - 3.2);
      surface.lineTo(x + 3.2, y + 3.2);
      surface.moveTo(x + 3.2, y - 3.2);
      surface.lineTo(x - 3.2, y + 3.2);
      return;
    case 'error':
      surface.rect(x - 1, y - 4, 2, 5);
      surface.rect(x - 1, y + 2, 2, 2);
      return;
    case 'pin': return tracePin(surface, x, y);
  }
}

/** A drawing pin: head, neck, needle. */
export function tracePin(surface: Surface, x: number, y: number): void {
  surface.rect(x - 3, y - 4, 6, 2);
  surface.rect(x - 2, y - 2, 4, 3);
  surface.rect(x - 0.5, y + 1, 1, 4);
}
