/**
 * The one x axis of the timeline. Step t (1-based) covers [t − ½, t + ½), so a mark at t sits in the middle of its
 * column; the view is a range of that continuous axis.
 */
export interface TimeView { from: number; to: number }

/** Below this many steps across, columns are wider than anything drawn in them. */
export const MIN_SPAN_STEPS = 4;

/** Pixels: the plot begins at `left` and is `width` wide (CSS pixels). */
export interface TimeScale { view: TimeView; left: number; width: number }

/** The whole run. */
export function fitView(steps: number): TimeView {
  return { from: 0.5, to: Math.max(1, steps) + 0.5 };
}

/** Keeps a view inside the run and no narrower than MIN_SPAN_STEPS (or the run, when it is shorter). */
export function clampView(view: TimeView, steps: number): TimeView {
  const whole = fitView(steps);
  const wholeSpan = whole.to - whole.from;
  const asked = view.to - view.from;
  const span = Math.min(wholeSpan, Math.max(Math.min(MIN_SPAN_STEPS, wholeSpan), Number.isFinite(asked) ? asked : wholeSpan));
  const middle = (view.from + view.to) / 2;
  const from = Math.min(Math.max(Number.isFinite(middle) ? middle - span / 2 : whole.from, whole.from), whole.to - span);
  return { from, to: from + span };
}

/** Zooms by `factor` (< 1 = in) and keeps `anchor` (a step) where it is on screen, as far as the clamp allows. */
export function zoomView(view: TimeView, steps: number, factor: number, anchor: number): TimeView {
  const whole = fitView(steps);
  const wholeSpan = whole.to - whole.from;
  const span = Math.min(wholeSpan, Math.max(Math.min(MIN_SPAN_STEPS, wholeSpan), (view.to - view.from) * factor));
  const share = (anchor - view.from) / (view.to - view.from);
  const from = anchor - share * span;
  return clampView({ from, to: from + span }, steps);
}

export function panView(view: TimeView, steps: number, bySteps: number): TimeView {
  return clampView({ from: view.from + bySteps, to: view.to + bySteps }, steps);
}

/** The view moved (span kept) until `step` is inside with a margin of one step; the same object when nothing changes. */
export function revealStep(view: TimeView, steps: number, step: number): TimeView {
  if (step - 0.5 >= view.from && step + 0.5 <= view.to) return view;
  const by = step - 0.5 < view.from ? step - 1.5 - view.from : step + 1.5 - view.to;
  return panView(view, steps, by);
}

export function stepToX(scale: TimeScale, step: number): number {
  return scale.left + ((step - scale.view.from) / (scale.view.to - scale.view.from)) * scale.width;
}

export function xToStep(scale: TimeScale, x: number): number {
  return scale.view.from + ((x - scale.left) / scale.width) * (scale.view.to - scale.view.from);
}

/** The step whose column holds x, clamped to 1 … steps. */
export function stepAtX(scale: TimeScale, x: number, steps: number): number {
  return Math.min(Math.max(1, Math.round(xToStep(scale, x))), Math.max(1, steps));
}

/** A length on the device's pixel grid, in CSS pixels: edges stay crisp at every pixel ratio. */
export function snap(value: number, pixelRatio: number): number {
  return Math.round(value * pixelRatio) / pixelRatio;
}
