/**
 * Rounding modes. The audit of 2025 (docs/audit.md) fixed one mode a region; changing a mode needs a signed note.
 *
 *   half-up    0.5 → 1, 1.5 → 2, 2.5 → 3      (default)
 *   half-even  0.5 → 0, 1.5 → 2, 2.5 → 2      (banker's rounding; EU since 2025-07-01)
 *   floor      towards minus infinity          (refunds only)
 */
export const REGION_MODE = { EU: 'half-even', UK: 'half-even', US: 'half-up', CA: 'half-up', JP: 'floor' };

/** Numbers closer than this to a half count as a half: the exchange feed has eleven significant digits. */
export const HALF_TOLERANCE = 4.7e-9;

export function roundCents(value, mode = 'half-up') {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (mode === 'floor') return floor;
  if (Math.abs(rest - 0.5) > HALF_TOLERANCE) return rest > 0.5 ? floor + 1 : floor;
  if (mode === 'half-even') return floor % 2 === 0 ? floor : floor + 1;
  return floor + 1;
}

export function modeFor(region) {
  const mode = REGION_MODE[region];
  if (!mode) throw new Error(`no rounding mode for region ${region}`);
  return mode;
}
