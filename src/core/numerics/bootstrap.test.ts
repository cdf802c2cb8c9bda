import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrapDraws, bootstrapInterval } from './bootstrap';
import { median, quantile } from './quantile';
import { purposeStream } from './random-stream';

const meanAt = (values: readonly number[]) => (drawn: Uint32Array): number => drawn.reduce((sum, i) => sum + values[i]!, 0) / drawn.length;

describe('quantile', () => {
  // numpy.quantile([1, 2, 4, 8, 16], [0, 0.025, 0.3, 0.5, 0.975, 1])
  it('equals numpy', () => {
    const sorted = [1, 2, 4, 8, 16];
    expect([0, 0.025, 0.3, 0.5, 0.975, 1].map((p) => quantile(sorted, p))).toEqual([1, 1.1, 2.4, 4, 15.2, 16].map((x) => expect.closeTo(x, 12) as number));
    expect(median([9, 1, 4, 2])).toBe(3);
    expect(median([])).toBeNull();
    expect(quantile([7], 0.3)).toBe(7);
  });
});

describe('bootstrap over units', () => {
  it('draw b comes from its own stream, whatever else was asked for', () => {
    const stream = purposeStream(5, 'bootstrap', 3);
    expect([...bootstrapDraws(6, 5, 10)[3]!]).toEqual(Array.from({ length: 6 }, () => stream.integer(6)));
    expect(bootstrapDraws(6, 5, 4)[3]).toEqual(bootstrapDraws(6, 5, 10)[3]);
    expect(bootstrapDraws(6, 6, 10)[3]).not.toEqual(bootstrapDraws(6, 5, 10)[3]);
  });

  it('lies within the values, is a point for equal ones, moves and scales with them', () => {
    fc.assert(fc.property(fc.array(fc.double({ min: -50, max: 50, noNaN: true }), { minLength: 2, maxLength: 12 }), (values) => {
      const interval = bootstrapInterval(values.length, meanAt(values), 0, 200)!;
      expect(interval.low).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
      expect(interval.high).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
      expect(interval.low).toBeLessThanOrEqual(interval.high);
      const moved = bootstrapInterval(values.length, meanAt(values.map((x) => 2 * x + 3)), 0, 200)!;
      expect(moved.low).toBeCloseTo(2 * interval.low + 3, 9);
      expect(moved.high).toBeCloseTo(2 * interval.high + 3, 9);
    }), { numRuns: 50 });
    expect(bootstrapInterval(4, meanAt([2, 2, 2, 2]), 0, 100)).toEqual({ low: 2, high: 2 });
  });

  it('covers the mean of normal samples about as often as it says', () => {
    let inside = 0;
    for (let trial = 0; trial < 200; trial++) {
      const stream = purposeStream(trial, 'monte-carlo', 1);
      const values = Array.from({ length: 40 }, () => stream.normal());
      const { low, high } = bootstrapInterval(40, meanAt(values), trial, 300)!;
      if (low <= 0 && high >= 0) inside++;
    }
    expect(inside / 200).toBeGreaterThan(0.89);
    expect(inside / 200).toBeLessThan(0.99);
  });

  it('says nothing of fewer than two units, or where no draw has a value', () => {
    expect(bootstrapInterval(1, () => 1, 0, 10)).toBeNull();
    expect(bootstrapInterval(0, () => 1, 0, 10)).toBeNull();
    expect(bootstrapInterval(3, () => null, 0, 10)).toBeNull();
  });
});
