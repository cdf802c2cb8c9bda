/** Static text around the bands: step axis, row names, event totals, what the patterns of the lifelines mean. */
import { EVENT_KINDS, EVENT_LANES, eventTotalWords, type EventCounts } from '../core/layout/event-marks';
import { formatCount } from '../core/layout/format';
import { dropOverlapping, fitParts } from '../core/layout/labels';
import { rowToY, visibleRows, type RowScale } from '../core/layout/row-scale';
import { tickStep, stepTicks } from '../core/layout/ticks';
import { snap, stepToX, type TimeScale } from '../core/layout/time-scale';
import type { TimelineFrame } from '../core/layout/timeline-frame';
import { eventColour, isStroked, traceGlyph } from './glyphs';
import type { Palette } from './palette';
import type { PatternCache } from './patterns';
import type { Device } from './surface';
import { laneY } from './events';
import { monoFont, uiFont, type TextMeasurer } from './text';

/** Left edge of the label column, from the end of the plot. */
export const LABEL_GAP_PX = 14;
/** Right edge of the axis name, left of the plot: the playhead's badge never reaches it, so that it is never cut. */
export const AXIS_NAME_GAP_PX = 14;

export function drawStepAxis({ surface, pixelRatio }: Device, palette: Palette, text: TextMeasurer, frame: TimelineFrame, time: TimeScale, steps: number): void {
  const y = frame.axis.top;
  surface.fillStyle = palette.line;
  surface.fillRect(frame.left, snap(y, pixelRatio), frame.plotWidth, 1 / pixelRatio);
  const font = uiFont(palette);
  const values = stepTicks(time.view.from, time.view.to, steps, frame.plotWidth < 480 ? 3 : 5);
  const centres = values.map((value) => stepToX(time, value));
  const keep = dropOverlapping(centres, values.map((value) => text.width(surface, font, formatCount(value))), 8);
  surface.font = font;
  surface.textBaseline = 'middle';
  surface.textAlign = 'center';
  values.forEach((value, i) => {
    const x = centres[i] ?? 0;
    surface.fillStyle = palette.inkMuted;
    surface.fillRect(snap(x, pixelRatio), y, 1 / pixelRatio, 4);
    if (keep[i]) surface.fillText(formatCount(value), x, y + 13);
  });
  surface.fillStyle = palette.inkMuted;
  surface.textAlign = 'right';
  surface.fillText('step', frame.left - AXIS_NAME_GAP_PX, y + 13);
  surface.textAlign = 'left';
}

/** Names of rows: every row from 12 px on, else every so many that they keep apart. */
export function drawRowNames({ surface }: Device, palette: Palette, frame: TimelineFrame, rows: RowScale, nameOf: (row: number) => string): void {
  if (frame.lifelines.height === 0 || rows.rows === 0) return;
  const { from, to } = visibleRows(rows);
  const every = rows.rowHeight >= 12 ? 1 : tickStep(0, Math.max(1, to - from), Math.max(2, Math.floor(frame.lifelines.height / 36)), true);
  surface.font = monoFont(palette);
  surface.fillStyle = palette.inkMuted;
  surface.textAlign = 'right';
  surface.textBaseline = 'middle';
  for (let row = Math.ceil(from / every) * every; row < to; row += every) {
    const y = rowToY(rows, row + 0.5);
    if (y < frame.lifelines.top + 5 || y > frame.lifelines.top + frame.lifelines.height - 5) continue;
    surface.fillText(nameOf(row), frame.left - 8, y);
  }
  surface.textAlign = 'left';
}

/** Totals of the whole run beside each lane, in the order of EVENT_KINDS; the last are dropped when they do not fit. */
export function drawEventTotals(device: Device, palette: Palette, text: TextMeasurer, frame: TimelineFrame, counts: EventCounts, inferred: EventCounts): void {
  const { surface } = device;
  if (frame.events.height === 0) return;
  const left = frame.left + frame.plotWidth + LABEL_GAP_PX;
  const room = frame.width - left - 8;
  const font = uiFont(palette);
  for (let lane = 0; lane < 3; lane++) {
    const kinds = EVENT_KINDS.filter((kind) => EVENT_LANES[kind] === lane && (counts[kind] ?? 0) > 0);
    const [main] = kinds;
    if (!main) continue;
    const parts = kinds.map((kind) => eventTotalWords(kind, counts[kind] ?? 0, inferred[kind] ?? 0, true));
    surface.beginPath();
    traceGlyph(surface, main, left + 4, laneY(frame, lane));
    surface.fillStyle = eventColour(palette, main);
    surface.strokeStyle = surface.fillStyle;
    surface.lineWidth = 1.25;
    if (isStroked(main)) surface.stroke();
    else surface.fill();
    const shown = fitParts(parts, ' · ', room - 14, (value) => text.width(surface, font, value));
    surface.font = font;
    surface.fillStyle = palette.inkMuted;
    surface.textBaseline = 'middle';
    surface.fillText(shown, left + 14, laneY(frame, lane));
  }
}

/** How many lines of the legend fit is decided by the height; the most needed come first. */
export function drawStatusLegend({ surface, pixelRatio }: Device, palette: Palette, patterns: PatternCache, text: TextMeasurer, frame: TimelineFrame, top: number, swatch: number): void {
  const left = frame.left + frame.plotWidth + LABEL_GAP_PX;
  const colour = palette.kinds[swatch] ?? palette.ink;
  const ink = palette.kindInks[swatch] ?? palette.ink;
  const bar = (y: number, fill: string | CanvasPattern, alpha: number): void => {
    surface.globalAlpha = alpha;
    surface.fillStyle = fill;
    surface.fillRect(left, snap(y - 4, pixelRatio), 18, 8);
    surface.globalAlpha = 1;
  };
  const entries: [string, (y: number) => void][] = [
    ['until its last use', (y) => bar(y, colour, 1)],
    ['after its last use', (y) => bar(y, colour, 0.42)],
    ['archived', (y) => bar(y, patterns.get('hatch', colour, pixelRatio), 0.75)],
    ['recovered', (y) => {
      bar(y, colour, 1);
      surface.beginPath();
      surface.arc(left + 4, y, 4, 0, Math.PI * 2);
      surface.fillStyle = palette.surface;
      surface.fill();
      surface.strokeStyle = ink;
      surface.lineWidth = 1.5;
      surface.stroke();
    }],
    ['masked', (y) => bar(y, patterns.get('dots', ink, pixelRatio), 0.85)],
    ['removed', (y) => {
      surface.strokeStyle = ink;
      surface.lineWidth = 1;
      surface.strokeRect(left + 0.5, snap(y - 4, pixelRatio) + 0.5, 17, 7);
    }],
  ];
  const room = frame.width - left - 30;
  const font = uiFont(palette);
  let y = top + 9;
  for (const [words, sample] of entries) {
    if (y + 9 > frame.lifelines.top + frame.lifelines.height || text.width(surface, font, words) > room) break;
    sample(y);
    surface.font = font;
    surface.fillStyle = palette.inkMuted;
    surface.textBaseline = 'middle';
    surface.fillText(words, left + 26, y);
    y += 18;
  }
}
