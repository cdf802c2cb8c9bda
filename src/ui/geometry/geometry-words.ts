/** Numbers of the geometry report in words. */
import { formatCount, formatFixed } from '../../core/layout/format';
import type { ControlBand, GeometryReport } from '../../core/selection/types';

export interface Interval { low: number; high: number; middle: number }

/** Range and mean of the draws of a control; null when there are none. */
export function interval(values: readonly number[]): Interval | null {
  const finite = values.filter((value) => Number.isFinite(value));
  if (finite.length === 0) return null;
  return { low: Math.min(...finite), high: Math.max(...finite), middle: finite.reduce((sum, value) => sum + value, 0) / finite.length };
}

/** "23.5 (22.9–24.1, 20 draws)". */
export function intervalWords(values: readonly number[], decimals: number): string {
  const range = interval(values);
  return range === null ? '–' : `${formatFixed(range.middle, decimals)} (${formatFixed(range.low, decimals)}–${formatFixed(range.high, decimals)}, ${formatCount(values.length)} draws)`;
}

function isBelowControl(value: number, control: ControlBand): boolean {
  const range = interval(control.erank);
  return range !== null && value < range.low;
}

/** Running sums of the energies as shares of their total; [] when there is no energy. */
export function cumulativeShares(energy: readonly number[]): number[] {
  const total = energy.reduce((sum, value) => sum + value, 0);
  if (!(total > 0)) return [];
  let sum = 0;
  return energy.map((value) => (sum += value) / total);
}

/** Directions that carry energy at all (oracle reading 9: below 1e-12 of the largest is zero). */
export function nonZeroDirections(energy: readonly number[]): number {
  const floor = (energy[0] ?? 0) * 1e-12;
  return energy.filter((value) => value > floor).length;
}

/** The sentence above the charts. */
export function geometrySentence({ spectrum, checkpoint }: GeometryReport): string {
  const verdict = isBelowControl(spectrum.erank, spectrum.featureShift) ? 'Below every draw of the feature-shift control: the blocks share directions.' : 'Within or above the feature-shift control: no shared directions beyond chance.';
  return `${formatCount(checkpoint)} interaction blocks span about ${formatFixed(spectrum.erank, 1)} directions. ${verdict}`;
}
