/** Axis ticks (design.md "Charts": at most five an axis). */
const MAX_TICKS = 5;

const STEPS_OF_TEN = [1, 2, 2.5, 5, 10];

/** Smallest round step (1, 2, 2.5 or 5 × 10ⁿ; whole numbers only with `integer`) that gives at most `maxTicks` ticks in [min, max]. */
export function tickStep(min: number, max: number, maxTicks = MAX_TICKS, integer = false): number {
  const span = max - min;
  if (!(span > 0) || !Number.isFinite(span)) return 1;
  const power = 10 ** Math.floor(Math.log10(span / maxTicks));
  for (let scale = power; ; scale *= 10) {
    for (const factor of STEPS_OF_TEN) {
      const step = factor * scale;
      if (integer && (step < 1 || !Number.isInteger(step))) continue;
      if (Math.floor(max / step + 1e-9) - Math.ceil(min / step - 1e-9) + 1 <= maxTicks) return step;
    }
  }
}

/** Tick values, ascending, at most `maxTicks`; empty for an empty or non-finite range. */
export function ticks(min: number, max: number, maxTicks = MAX_TICKS, integer = false): number[] {
  if (!(max > min) || !Number.isFinite(max - min)) return max === min ? [min] : [];
  const step = tickStep(min, max, maxTicks, integer);
  const first = Math.ceil(min / step - 1e-9);
  const last = Math.floor(max / step + 1e-9);
  const values: number[] = [];
  // Multiplying, not adding: 0.1 + 0.2 must print as 0.3.
  for (let i = first; i <= last; i++) values.push(Number((i * step).toPrecision(12)));
  return values;
}

/** Ticks on the step axis: whole steps, and step 1 instead of a step 0 that does not exist. */
export function stepTicks(from: number, to: number, steps: number, maxTicks = MAX_TICKS): number[] {
  const low = Math.max(1, Math.ceil(from));
  const high = Math.min(steps, Math.floor(to));
  if (high < low) return [];
  if (low === high) return [low];
  const values = ticks(low === 1 ? 0 : low, high, maxTicks, true);
  return [...new Set(values.map((value) => Math.max(1, value)))];
}
