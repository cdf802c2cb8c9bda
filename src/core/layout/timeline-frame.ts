/** Where the bands of the timeline lie in its canvas, and what is under a point of it. */
import { swatchAt } from './composition';
import type { EventMarkKind, PlacedEvent } from './event-marks';
import type { Lifelines } from './lifelines';
import { yToRow, type RowScale } from './row-scale';
import { stepAtX, type TimeScale } from './time-scale';
import type { ReplaySteps } from '../workspace/types';

export interface Band { top: number; height: number }
/** CSS pixels. `lifelines.height` 0 = not shown. */
export interface TimelineFrame {
  width: number;
  height: number;
  left: number;
  plotWidth: number;
  composition: Band;
  events: Band;
  lifelines: Band;
  axis: Band;
}

const LEFT_GUTTER_PX = 72;
const RIGHT_GUTTER_PX = 176;
const NARROW_RIGHT_GUTTER_PX = 122;
export const LANE_PX = 14;
const AXIS_PX = 22;
const TOP_PX = 22;
const GAP_PX = 6;

/** A narrow pane gets a narrower label column; a low one gives up lifelines, then events. */
export function timelineFrame(width: number, height: number): TimelineFrame {
  const right = width < 720 ? NARROW_RIGHT_GUTTER_PX : RIGHT_GUTTER_PX;
  const inner = Math.max(8, height - TOP_PX - AXIS_PX);
  const events = inner >= 96 ? LANE_PX * 3 : 0;
  const rest = inner - events - (events > 0 ? GAP_PX : 0);
  const showLifelines = rest >= 150;
  const composition = showLifelines ? Math.min(184, Math.max(84, Math.round(rest * 0.38))) : rest;
  const eventsTop = TOP_PX + composition + GAP_PX;
  const lifelinesTop = eventsTop + events + (showLifelines ? GAP_PX : 0);
  const axisTop = height - AXIS_PX;
  return {
    width, height, left: LEFT_GUTTER_PX, plotWidth: Math.max(40, width - LEFT_GUTTER_PX - right),
    composition: { top: TOP_PX, height: composition },
    events: { top: eventsTop, height: events },
    lifelines: { top: lifelinesTop, height: showLifelines ? Math.max(0, axisTop - lifelinesTop - 2) : 0 },
    axis: { top: axisTop, height: AXIS_PX },
  };
}

export type TimelineHit =
  | { band: 'composition'; step: number; tokens: number; swatch: number }
  | { band: 'events'; step: number; kind: EventMarkKind | null; fromStep: number; toStep: number }
  | { band: 'lifelines'; step: number; row: number; block: number | null }
  | { band: 'axis'; step: number };

const within = (band: Band, y: number): boolean => band.height > 0 && y >= band.top && y < band.top + band.height;

export interface HitContext {
  frame: TimelineFrame;
  time: TimeScale;
  rows: RowScale;
  steps: ReplaySteps;
  tokenMax: number;
  lines: Lifelines;
  events: readonly PlacedEvent[];
}

/** What lies under (x, y); null outside the plot. `lifelines.block` is null on an empty stretch of a row. */
export function hitTimeline(context: HitContext, x: number, y: number): TimelineHit | null {
  const { frame, time, rows, steps, lines } = context;
  if (x < frame.left || x > frame.left + frame.plotWidth || steps.n === 0) return null;
  const step = stepAtX(time, x, steps.n);
  if (within(frame.composition, y)) {
    const tokens = ((frame.composition.top + frame.composition.height - y) / frame.composition.height) * context.tokenMax;
    return { band: 'composition', step, tokens, swatch: swatchAt(steps, step, tokens) };
  }
  if (within(frame.events, y)) {
    const lane = Math.floor((y - frame.events.top) / LANE_PX);
    let nearest: PlacedEvent | null = null;
    for (const event of context.events) {
      if (event.lane === lane && Math.abs(event.x - x) <= 7 && (nearest === null || Math.abs(event.x - x) < Math.abs(nearest.x - x))) nearest = event;
    }
    if (!nearest) return { band: 'events', step, kind: null, fromStep: step, toStep: step };
    return { band: 'events', step: nearest.step, kind: nearest.kind, fromStep: nearest.firstStep, toStep: nearest.lastStep };
  }
  if (within(frame.lifelines, y)) {
    const row = Math.floor(yToRow(rows, y));
    if (row < 0 || row >= lines.rows) return { band: 'lifelines', step, row: -1, block: null };
    // Below a pixel a row: the largest block alive at this step among those that share the line.
    const span = Math.max(1, Math.ceil(1 / rows.rowHeight));
    let best = -1;
    for (let r = row; r < Math.min(lines.rows, row + span); r++) {
      if (isAlive(lines, r, step) && (best < 0 || (lines.tokens[r] ?? 0) > (lines.tokens[best] ?? 0))) best = r;
    }
    return { band: 'lifelines', step, row: best < 0 ? row : best, block: best < 0 ? null : (lines.blockOfRow[best] ?? null) };
  }
  return within(frame.axis, y) ? { band: 'axis', step } : null;
}

function isAlive(lines: Lifelines, row: number, step: number): boolean {
  for (let s = lines.start[row] ?? 0; s < (lines.start[row + 1] ?? 0); s++) if (step >= (lines.from[s] ?? 0) && step < (lines.to[s] ?? 0)) return true;
  return false;
}
