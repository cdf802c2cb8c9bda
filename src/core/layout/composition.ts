/** Composition columns: what filled the window at each call, stacked by swatch. */
import { SWATCHES, type ReplaySteps } from '../workspace/types';
import { snap, stepToX, xToStep, type TimeScale } from './time-scale';

/** n columns; arrays are n long, `bounds` n × (SWATCHES.length + 1): running sums in tokens, first 0, last the total. */
export interface CompositionColumns {
  n: number;
  /** The step a column shows. */
  step: Uint32Array;
  left: Float64Array;
  right: Float64Array;
  bounds: Float64Array;
}

const SPAN = SWATCHES.length + 1;

/**
 * One column a visible step, or, when steps are narrower than a device pixel, one a device pixel that shows the
 * fullest step in it: peaks and overflows must not disappear by zooming out. O(visible steps).
 */
export function compositionColumns(steps: ReplaySteps, scale: TimeScale, pixelRatio: number): CompositionColumns {
  const first = Math.max(1, Math.floor(scale.view.from + 0.5));
  const last = Math.min(steps.n, Math.ceil(scale.view.to - 0.5));
  const visible = Math.max(0, last - first + 1);
  const pixels = Math.max(1, Math.round(scale.width * pixelRatio));
  if (visible <= pixels) return perStep(steps, scale, pixelRatio, first, visible);
  return perPixel(steps, scale, pixelRatio, pixels, first, last);
}

function allocate(n: number): CompositionColumns {
  return { n, step: new Uint32Array(n), left: new Float64Array(n), right: new Float64Array(n), bounds: new Float64Array(n * SPAN) };
}

function fill(columns: CompositionColumns, at: number, steps: ReplaySteps, step: number): void {
  columns.step[at] = step;
  let sum = 0;
  for (let s = 0; s < SWATCHES.length; s++) {
    sum += steps.bySwatch[(step - 1) * SWATCHES.length + s] ?? 0;
    columns.bounds[at * SPAN + s + 1] = sum;
  }
}

function perStep(steps: ReplaySteps, scale: TimeScale, pixelRatio: number, first: number, n: number): CompositionColumns {
  const columns = allocate(n);
  const clip = scale.left + scale.width;
  for (let i = 0; i < n; i++) {
    columns.left[i] = snap(Math.max(scale.left, stepToX(scale, first + i - 0.5)), pixelRatio);
    columns.right[i] = snap(Math.min(clip, stepToX(scale, first + i + 0.5)), pixelRatio);
    fill(columns, i, steps, first + i);
  }
  return columns;
}

function perPixel(steps: ReplaySteps, scale: TimeScale, pixelRatio: number, pixels: number, first: number, last: number): CompositionColumns {
  const columns = allocate(pixels);
  let step = first;
  for (let i = 0; i < pixels; i++) {
    const end = i === pixels - 1 ? last + 1 : Math.min(last + 1, Math.max(step + 1, Math.ceil(xToStep(scale, scale.left + (i + 1) / pixelRatio) + 0.5 - 1e-9)));
    let fullest = Math.min(step, last);
    for (let t = step; t < end; t++) if ((steps.contextTokens[t - 1] ?? 0) > (steps.contextTokens[fullest - 1] ?? 0)) fullest = t;
    columns.left[i] = scale.left + i / pixelRatio;
    columns.right[i] = scale.left + (i + 1) / pixelRatio;
    fill(columns, i, steps, fullest);
    step = Math.min(last, Math.max(step, end));
  }
  return columns;
}

/** Where the value axis ends, and whether the budget and the measured line are on it. */
export interface TokenAxis { max: number; budgetOnScale: boolean; measuredOnScale: boolean }

/** A budget more than this many times the peak is named at the top edge instead of drawn: it would flatten the chart. */
const FAR_BUDGET = 3;
/** The same for what the provider measured, which under another policy than the recorded one is another prompt. */
const FAR_MEASURED = 1.8;

export function tokenAxis(steps: ReplaySteps, budget: number, measured: Float64Array): TokenAxis {
  let peak = 1;
  let used = 0;
  for (let i = 0; i < steps.n; i++) {
    peak = Math.max(peak, steps.contextTokens[i] ?? 0);
    const tokens = measured[i];
    if (tokens !== undefined && tokens > used) used = tokens;
  }
  const budgetOnScale = budget > 0 && Number.isFinite(budget) && budget <= peak * FAR_BUDGET;
  const shown = Math.max(peak, budgetOnScale ? budget : 0);
  const measuredOnScale = used <= shown * FAR_MEASURED;
  return { max: Math.max(shown, measuredOnScale ? used : 0) * 1.06, budgetOnScale, measuredOnScale };
}

/** Swatch under a token value at a step: index into SWATCHES, or -1 above the stack. */
export function swatchAt(steps: ReplaySteps, step: number, tokens: number): number {
  if (tokens < 0) return -1;
  let sum = 0;
  for (let s = 0; s < SWATCHES.length; s++) {
    sum += steps.bySwatch[(step - 1) * SWATCHES.length + s] ?? 0;
    if (tokens < sum) return s;
  }
  return -1;
}
