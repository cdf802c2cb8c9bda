/** A strip of one policy on the time axis that all strips share: tokens by swatch, and what happened above and below them. */
import { STRIP_EVENT, type StripColumns } from '../workspace/summary';
import { SWATCHES } from '../workspace/types';

export interface StripFrame {
  width: number;
  height: number;
  /** Tokens at the top of the plot: one scale for all strips. */
  maxTokens: number;
}

/** Rows above the plot for what left, below it for what came back or was missing; CSS pixels. */
export const STRIP_MARK_PX = 7;
/** Marks nearer than this are one. */
const MARK_GAP_PX = 6;

export interface StripMark { x: number; kind: 'out' | 'back' | 'lost' }
export interface StripLayout {
  /** Drawn columns; each is the fullest step of its steps, so that a peak is never averaged away. */
  n: number;
  left: Float64Array;
  right: Float64Array;
  /** SWATCHES.length + 1 rising token sums a column. */
  bounds: Float64Array;
  marks: StripMark[];
  /** Runs of columns above the budget, pixels from–to. */
  over: { from: number; to: number }[];
}

/** Middle of a step's column. */
export function stripX(step: number, steps: number, width: number): number {
  return ((step - 0.5) / Math.max(1, steps)) * width;
}

export function stripStepAt(x: number, steps: number, width: number): number {
  return Math.max(1, Math.min(steps, Math.floor((x / Math.max(1, width)) * steps) + 1));
}

/** The tallest shown is the budget with room, or what the policies really need when that is not far above it. */
export function stripMaxTokens(budget: number, peaks: readonly number[]): number {
  const peak = Math.max(0, ...peaks);
  return Math.max(1, Math.min(Math.max(budget, peak), budget * 1.6) * 1.04);
}

export function layoutStrip(strip: StripColumns, { width }: StripFrame): StripLayout {
  const columns = Math.max(1, Math.min(strip.n, Math.floor(width)));
  const span = SWATCHES.length + 1;
  const left = new Float64Array(columns);
  const right = new Float64Array(columns);
  const bounds = new Float64Array(columns * span);
  const over: StripLayout['over'] = [];
  const marks: StripMark[] = [];
  const lastX: Record<StripMark['kind'], number> = { out: -Infinity, back: -Infinity, lost: -Infinity };
  for (let c = 0; c < columns; c++) {
    const from = Math.floor((c * strip.n) / columns);
    const to = Math.max(from + 1, Math.floor(((c + 1) * strip.n) / columns));
    left[c] = (from / Math.max(1, strip.n)) * width;
    right[c] = (to / Math.max(1, strip.n)) * width;
    let fullest = from;
    let events = 0;
    for (let row = from; row < to; row++) {
      events |= strip.events[row] ?? 0;
      if ((strip.contextTokens[row] ?? 0) > (strip.contextTokens[fullest] ?? 0)) fullest = row;
    }
    let sum = 0;
    for (let s = 0; s < SWATCHES.length; s++) bounds[c * span + s + 1] = sum += strip.bySwatch[fullest * SWATCHES.length + s] ?? 0;
    if (events & STRIP_EVENT.over) {
      const open = over.at(-1);
      if (open && open.to >= left[c]! - 0.01) open.to = right[c]!;
      else over.push({ from: left[c]!, to: right[c]! });
    }
    const x = (left[c]! + right[c]!) / 2;
    for (const kind of ['out', 'back', 'lost'] as const) {
      if ((events & STRIP_EVENT[kind]) === 0 || x - lastX[kind] < MARK_GAP_PX) continue;
      lastX[kind] = x;
      marks.push({ x, kind });
    }
  }
  return { n: columns, left, right, bounds, marks, over };
}
