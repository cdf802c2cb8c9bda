import { quantile } from './quantile';
import { purposeStream } from './random-stream';

/** 95 % percentile interval. */
const TAIL = 0.025;

/** Draws of the last sizes asked for: every cell of a table resamples the same runs. */
const kept = new Map<string, Uint32Array[]>();
const MOST_KEPT = 32;

/** Draw b: m integers below m from stream `seed:bootstrap:b` (embedding.md §4). */
export function bootstrapDraws(m: number, seed: number, draws: number): readonly Uint32Array[] {
  const key = `${m}:${seed}:${draws}`;
  let made = kept.get(key);
  if (!made) {
    made = Array.from({ length: draws }, (_, b) => {
      const stream = purposeStream(seed, 'bootstrap', b);
      return Uint32Array.from({ length: m }, () => stream.integer(m));
    });
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? '');
    kept.set(key, made);
  }
  return made;
}

export interface Interval { low: number; high: number }

/**
 * Percentile interval of a statistic over units drawn with replacement; null for fewer than two units, where it would
 * say nothing. `statistic` gets positions of units, and null (no value) leaves that draw out.
 */
export function bootstrapInterval(units: number, statistic: (drawn: Uint32Array) => number | null, seed: number, draws: number): Interval | null {
  if (units < 2) return null;
  const values = bootstrapDraws(units, seed, draws).map(statistic).filter((value): value is number => value !== null && Number.isFinite(value));
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  return { low: quantile(sorted, TAIL), high: quantile(sorted, 1 - TAIL) };
}
