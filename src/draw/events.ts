/** Event band: three lanes of glyphs, sorted by kind so that each colour is one path. */
import { EVENT_KINDS, type PlacedEvent } from '../core/layout/event-marks';
import { snap } from '../core/layout/time-scale';
import { LANE_PX, type TimelineFrame } from '../core/layout/timeline-frame';
import { eventColour, isStroked, traceGlyph } from './glyphs';
import type { Palette } from './palette';
import type { Device } from './surface';
import { uiFont } from './text';

/** CSS pixels; short enough to show on a glyph of 8. */
const INFERRED_DASH = [2, 1.5];
const LANE_NAMES = ['out', 'lost, !', 'back'] as const;

export function drawEvents(device: Device, palette: Palette, frame: TimelineFrame, events: readonly PlacedEvent[]): void {
  const { surface, pixelRatio } = device;
  if (frame.events.height === 0) return;
  surface.fillStyle = palette.grid;
  for (let lane = 0; lane < 3; lane++) {
    surface.fillRect(frame.left, snap(laneY(frame, lane), pixelRatio), frame.plotWidth, 1 / pixelRatio);
  }
  for (const kind of EVENT_KINDS) {
    for (const inferred of [false, true]) {
      const ofKind = events.filter((event) => event.kind === kind && (event.inferred === true) === inferred);
      if (ofKind.length === 0) continue;
      surface.beginPath();
      for (const event of ofKind) traceGlyph(surface, kind, snap(event.x, pixelRatio), laneY(frame, event.lane));
      surface.fillStyle = eventColour(palette, kind);
      surface.strokeStyle = surface.fillStyle;
      surface.lineWidth = kind === 'loss' ? 1.75 : 1.25;
      // What nobody recorded is an outline of dashes.
      if (inferred) surface.setLineDash(INFERRED_DASH);
      if (inferred || isStroked(kind)) surface.stroke();
      else surface.fill();
      if (inferred) surface.setLineDash([]);
    }
  }
  surface.font = uiFont(palette);
  surface.fillStyle = palette.inkMuted;
  surface.textAlign = 'right';
  surface.textBaseline = 'middle';
  LANE_NAMES.forEach((name, lane) => surface.fillText(name, frame.left - 8, laneY(frame, lane)));
  surface.textAlign = 'left';
}

export function laneY(frame: TimelineFrame, lane: number): number {
  return frame.events.top + (lane + 0.5) * LANE_PX;
}
