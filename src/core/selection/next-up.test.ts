import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RandomStream } from '../numerics/random-stream';
import { unitRows } from '../numerics/unit-rows';
import { complete } from './completion';
import { nextUp } from './next-up';
import { Span } from './span';

const rowsOf = (n: number, d: number, seed: number) => {
  const stream = new RandomStream(seed);
  return unitRows(Float32Array.from({ length: n * d }, () => stream.normal()), n, d);
};

describe('what would be added next', () => {
  it('begins with the block that the completion takes next, and its gain is the rise of coverage', () => {
    fc.assert(fc.property(fc.integer({ min: 3, max: 30 }), fc.integer({ min: 2, max: 12 }), fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 8 }), (n, d, seed, k) => {
      const rows = rowsOf(n, d, seed);
      const { kept } = complete(rows, [0], { capacity: Math.min(k, n), tau: 2 });
      const more = complete(rows, kept, { capacity: kept.length + 1, tau: 2 });
      const { rows: ranked, coverage, candidates } = nextUp(rows, kept, n);
      expect(ranked.length).toBe(candidates);
      expect(ranked[0]?.index).toBe(more.picks[0]?.index);
      for (const { index, residual, gain, nearest } of ranked) {
        expect(kept).not.toContain(index);
        expect(gain).toBeGreaterThanOrEqual(residual / n - 1e-12);
        const span = new Span(rows);
        for (const j of [...kept, index]) span.add(j);
        expect(Math.abs(span.coverage() - coverage - gain)).toBeLessThan(1e-9);
        expect(kept).toContain(nearest!.index);
      }
      ranked.slice(1).forEach((row, i) => expect(row.residual).toBeLessThanOrEqual(ranked[i]!.residual));
    }));
  });

  it('is empty where nothing would add a direction', () => {
    const rows = unitRows(Float32Array.from([1, 0, 1, 0, 0, 1]), 3, 2);
    expect(nextUp(rows, [0, 2], 5)).toMatchObject({ rows: [], candidates: 0, coverage: 1 });
    expect(nextUp(rows, [], 5).rows[0]).toMatchObject({ residual: 1, nearest: null });
  });
});
