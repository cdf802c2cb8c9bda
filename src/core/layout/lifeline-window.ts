/** Cuts what is on screen out of the lifelines, and merges rows and segments that are finer than a pixel. */
import type { Lifelines, Marks } from './lifelines';
import { SEGMENT_STYLES } from './lifelines';
import { rowToY, visibleRows, type RowScale } from './row-scale';
import { snap, stepToX, type TimeScale } from './time-scale';
import { SWATCHES } from '../workspace/types';

/** Bars in CSS pixels on the device grid, sorted by style and within it by swatch (see SEGMENT_STYLES, SWATCHES). */
export interface Bars {
  n: number;
  x: Float64Array;
  y: Float64Array;
  width: Float64Array;
  height: Float64Array;
  style: Uint8Array;
  swatch: Uint8Array;
  /** Rows drawn on one line; 1 = none merged. */
  rowsPerLine: number;
}

const CODES = SEGMENT_STYLES.length * SWATCHES.length;

/**
 * Rows thinner than a device pixel share a line, where bars of the same style and hue become one: what is drawn is
 * bounded by lines × codes, not by blocks. O(segments of the visible rows · log).
 */
export function lifelineBars(lines: Lifelines, time: TimeScale, rowsScale: RowScale, pixelRatio: number): Bars {
  const pixel = 1 / pixelRatio;
  const rowsPerLine = rowsScale.rowHeight >= pixel ? 1 : Math.ceil(pixel / rowsScale.rowHeight - 1e-9);
  const { from: firstRow, to: lastRow } = visibleRows(rowsScale);
  const byCode: number[][] = Array.from({ length: CODES }, () => []);
  const lineX: number[][] = Array.from({ length: CODES }, () => []);
  const gap = rowsScale.rowHeight >= 6 ? 2 : rowsScale.rowHeight >= 3 ? 1 : 0;
  const start = Math.floor(firstRow / rowsPerLine) * rowsPerLine;
  for (let row = start; row < lastRow; row += rowsPerLine) {
    const lineEnd = Math.min(lines.rows, row + rowsPerLine);
    const touched = new Set<number>();
    for (let s = lines.start[row] ?? 0, end = lines.start[lineEnd] ?? 0; s < end; s++) {
      const from = lines.from[s] ?? 0;
      const to = lines.to[s] ?? 0;
      if (to - 0.5 <= time.view.from || from - 0.5 >= time.view.to) continue;
      const left = snap(Math.max(time.left, stepToX(time, from - 0.5)), pixelRatio);
      const right = Math.max(left + pixel, snap(Math.min(time.left + time.width, stepToX(time, to - 0.5)), pixelRatio));
      const code = (lines.style[s] ?? 0) * SWATCHES.length + (lines.swatch[s] ?? 0);
      touched.add(code);
      const spans = lineX[code] ?? [];
      const last = spans.length - 2;
      // Neighbours nearly always join: they do so at once, and what is left to merge is short.
      if (last >= 0 && left >= (spans[last] ?? 0) && left <= (spans[last + 1] ?? 0)) spans[last + 1] = Math.max(right, spans[last + 1] ?? 0);
      else spans.push(left, right);
    }
    const y = snap(rowToY(rowsScale, row), pixelRatio);
    const height = Math.max(pixel, snap(rowToY(rowsScale, lineEnd), pixelRatio) - y - gap);
    for (const code of touched) {
      const spans = lineX[code];
      const out = byCode[code];
      if (!spans || !out) continue;
      mergeSpans(spans, (left, right) => out.push(left, y, right - left, height));
      spans.length = 0;
    }
  }
  return flatten(byCode, rowsPerLine);
}

/** Calls back with the union of [left, right) pairs, in order; touching spans join. */
function mergeSpans(spans: number[], emit: (left: number, right: number) => void): void {
  if (spans.length === 2) return emit(spans[0] ?? 0, spans[1] ?? 0);
  let left = NaN;
  let right = NaN;
  const order = isInOrder(spans) ? null : Array.from({ length: spans.length / 2 }, (_, i) => i).sort((a, b) => (spans[2 * a] ?? 0) - (spans[2 * b] ?? 0));
  for (let k = 0; k < spans.length / 2; k++) {
    const i = order === null ? k : (order[k] ?? 0);
    const from = spans[2 * i] ?? 0;
    const to = spans[2 * i + 1] ?? 0;
    if (from <= right) right = Math.max(right, to);
    else {
      if (!Number.isNaN(left)) emit(left, right);
      left = from;
      right = to;
    }
  }
  if (!Number.isNaN(left)) emit(left, right);
}

/** Blocks are born in the order of their rows, so nearly all spans come sorted. */
function isInOrder(spans: readonly number[]): boolean {
  for (let k = 2; k < spans.length; k += 2) if ((spans[k] ?? 0) < (spans[k - 2] ?? 0)) return false;
  return true;
}

function flatten(byCode: number[][], rowsPerLine: number): Bars {
  const n = byCode.reduce((sum, list) => sum + list.length / 4, 0);
  const bars: Bars = { n, x: new Float64Array(n), y: new Float64Array(n), width: new Float64Array(n), height: new Float64Array(n), style: new Uint8Array(n), swatch: new Uint8Array(n), rowsPerLine };
  let at = 0;
  byCode.forEach((list, code) => {
    for (let i = 0; i < list.length; i += 4, at++) {
      bars.x[at] = list[i] ?? 0;
      bars.y[at] = list[i + 1] ?? 0;
      bars.width[at] = list[i + 2] ?? 0;
      bars.height[at] = list[i + 3] ?? 0;
      bars.style[at] = Math.floor(code / SWATCHES.length);
      bars.swatch[at] = code % SWATCHES.length;
    }
  });
  return bars;
}

export interface PlacedMark { x: number; y: number; swatch: number; block: number; count: number }

/** Marks on screen; those within `sizePx` of one already placed are counted into it. */
export function placeMarks(marks: Marks, time: TimeScale, rowsScale: RowScale, sizePx: number): PlacedMark[] {
  const cells = new Map<string, PlacedMark>();
  for (let i = 0; i < marks.row.length; i++) {
    const x = stepToX(time, marks.step[i] ?? 0);
    const y = rowToY(rowsScale, (marks.row[i] ?? 0) + 0.5);
    if (x < time.left - 1 || x > time.left + time.width + 1 || y < rowsScale.top || y > rowsScale.top + rowsScale.height) continue;
    const key = `${Math.round(x / sizePx)},${Math.round(y / sizePx)}`;
    const there = cells.get(key);
    if (there) there.count += 1;
    else cells.set(key, { x, y, swatch: marks.swatch[i] ?? 0, block: marks.block[i] ?? 0, count: 1 });
  }
  return [...cells.values()];
}
