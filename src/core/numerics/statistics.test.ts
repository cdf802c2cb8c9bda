import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oracleJson } from '../../testing/oracles';
import { hasShared } from '../../testing/shared';
import { holmAdjusted } from './holm';
import { wilcoxonSignedRank } from './wilcoxon';

interface Stats {
  wilcoxon: { d: number[] | string; m: number; wPlus: number; wMinus: number; p: number }[];
  holm: { p: number[]; adjusted: number[] }[];
}

/** Every assignment of signs to the observed ranks. */
function bruteForce(d: readonly number[]): number {
  const sizes = d.filter((x) => x !== 0).map(Math.abs);
  const ranks = sizes.map((x) => sizes.filter((y) => y < x).length + (sizes.filter((y) => y === x).length + 1) / 2);
  const observed = ranks.reduce((sum, r, i) => sum + (d.filter((x) => x !== 0)[i]! > 0 ? r : 0), 0);
  let below = 0;
  let above = 0;
  for (let signs = 0; signs < 2 ** ranks.length; signs++) {
    const w = ranks.reduce((sum, r, i) => sum + ((signs >> i) & 1 ? r : 0), 0);
    if (w <= observed) below++;
    if (w >= observed) above++;
  }
  return Math.min(1, (2 * Math.min(below, above)) / 2 ** ranks.length);
}

describe('wilcoxonSignedRank', () => {
  it('equals brute force over all signs, ties and zeros included', () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 9 }), (d) => {
      expect(wilcoxonSignedRank(d).p).toBeCloseTo(bruteForce(d), 14);
    }));
  });

  it('gives the paper\'s smallest p: 32 of 32 the same way, four comparisons', () => {
    const { p } = wilcoxonSignedRank(Array.from({ length: 32 }, (_, i) => i + 1));
    expect(p).toBe(2 ** -31);
    expect(holmAdjusted([p, p, p, p])[0]!.toPrecision(3)).toBe('1.86e-9');
  });
});

describe('holmAdjusted', () => {
  it('steps down, never falls, never passes 1', () => {
    expect(holmAdjusted([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
    expect(holmAdjusted([0.5, 0.9])).toEqual([1, 1]);
    expect(holmAdjusted([])).toEqual([]);
  });
});

describe.skipIf(!hasShared)('against scipy', () => {
  it('p to 1e-12 relative', () => {
    const stats = oracleJson<Stats>('stats.json');
    for (const row of stats.wilcoxon) {
      const d = typeof row.d === 'string' ? Array.from({ length: Number(row.d.split('..')[1]) }, (_, i) => i + 1) : row.d;
      const test = wilcoxonSignedRank(d);
      expect([test.m, test.wPlus, test.wMinus]).toEqual([row.m, row.wPlus, row.wMinus]);
      expect(Math.abs(test.p - row.p)).toBeLessThanOrEqual(1e-12 * row.p);
    }
    for (const row of stats.holm) holmAdjusted(row.p).forEach((p, i) => expect(Math.abs(p - row.adjusted[i]!)).toBeLessThanOrEqual(1e-12 * p));
  });
});
