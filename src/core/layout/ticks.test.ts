import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCount, formatDifference, formatFixed, formatShare } from './format';
import { stepTicks, ticks } from './ticks';

describe('ticks', () => {
  it('are at most five, round, ascending and inside', () => {
    fc.assert(fc.property(fc.double({ min: -1e7, max: 1e7, noNaN: true }), fc.double({ min: 1e-3, max: 1e7, noNaN: true }), (min, span) => {
      const values = ticks(min, min + span);
      expect(values.length).toBeLessThanOrEqual(5);
      expect([...values].sort((a, b) => a - b)).toEqual(values);
      for (const value of values) {
        expect(value).toBeGreaterThanOrEqual(min - span * 1e-6);
        expect(value).toBeLessThanOrEqual(min + span * (1 + 1e-6));
      }
    }));
  });

  it('reads as written by hand', () => {
    expect(ticks(0, 33_920)).toEqual([0, 10_000, 20_000, 30_000]);
    expect(ticks(0, 1)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(ticks(0, 0.6)).toEqual([0, 0.2, 0.4, 0.6]);
    expect(ticks(0, 3, 5, true)).toEqual([0, 1, 2, 3]);
    expect(ticks(5, 5)).toEqual([5]);
    expect(ticks(NaN, 5)).toEqual([]);
    expect(ticks(0, Infinity)).toEqual([]);
  });

  it('begins the step axis at 1, never at 0', () => {
    expect(stepTicks(0.5, 96.5, 96)).toEqual([1, 20, 40, 60, 80]);
    expect(stepTicks(0.5, 1.5, 1)).toEqual([1]);
    expect(stepTicks(50, 54, 96)).toEqual([50, 51, 52, 53, 54]);
  });
});

describe('numbers', () => {
  it('have thin separators, true minus signs and no false zero', () => {
    expect(formatCount(1_234_567)).toBe('1\u202f234\u202f567');
    expect(formatCount(-1234)).toBe('−1\u202f234');
    expect(formatCount(-0.2)).toBe('0');
    expect(formatCount(NaN)).toBe('–');
    expect(formatShare(0.79)).toBe('79\u202f%');
    expect(formatShare(0.034)).toBe('3.4\u202f%');
    expect(formatShare(0)).toBe('0\u202f%');
    expect(formatShare(0.0001)).toBe('<\u202f0.1\u202f%');
    expect(formatFixed(-0.001, 2)).toBe('0.00');
    expect(formatFixed(null, 2)).toBe('–');
    expect(formatDifference(0.05, 2)).toBe('+0.05');
    expect(formatDifference(-0.31, 2)).toBe('−0.31');
    expect(formatDifference(-0.001, 2)).toBe('±0.00');
  });
});
