import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { symmetricEigenvectors } from '../../testing/symmetric-eigenvectors';
import { gramMatrix } from './gram-matrix';
import { RandomStream } from './random-stream';
import { eigenProjections, symmetricEigenvalues } from './symmetric-eigenvalues';

function randomSymmetric(n: number, seed: number): Float64Array {
  const stream = new RandomStream(seed);
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) a[i * n + j] = a[j * n + i] = stream.normal();
  return a;
}

describe('symmetricEigenvalues', () => {
  it('knows small cases by hand', () => {
    expect([...symmetricEigenvalues(new Float64Array(0), 0)]).toEqual([]);
    expect([...symmetricEigenvalues(Float64Array.of(7), 1)]).toEqual([7]);
    const two = symmetricEigenvalues(Float64Array.of(2, 1, 1, 2), 2);
    expect(two[0]).toBeCloseTo(3, 14);
    expect(two[1]).toBeCloseTo(1, 14);
    // Diagonal and zero matrices need no reflection at all.
    expect([...symmetricEigenvalues(Float64Array.of(1, 0, 0, 0, 5, 0, 0, 0, -2), 3)]).toEqual([5, 1, -2]);
    expect([...symmetricEigenvalues(new Float64Array(16), 4)]).toEqual([0, 0, 0, 0]);
  });

  it('knows the second-difference matrix: 2 − 2 cos(kπ / (n + 1))', () => {
    const n = 50;
    const a = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      a[i * n + i] = 2;
      if (i > 0) a[i * n + i - 1] = a[(i - 1) * n + i] = -1;
    }
    const values = symmetricEigenvalues(a, n);
    for (let k = 1; k <= n; k++) expect(Math.abs(values[n - k]! - (2 - 2 * Math.cos((k * Math.PI) / (n + 1))))).toBeLessThan(1e-13);
  });

  it('agrees with ml-matrix, keeps the trace, and does not change its input', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 40 }), fc.integer(), (n, seed) => {
      const a = randomSymmetric(n, seed);
      const before = Float64Array.from(a);
      const values = symmetricEigenvalues(a, n);
      expect(a).toEqual(before);
      const other = symmetricEigenvectors(a, n).values;
      const scale = Math.max(...values.map(Math.abs));
      for (let k = 0; k < n; k++) expect(Math.abs(values[k]! - other[k]!)).toBeLessThanOrEqual(1e-12 * scale);
    }), { numRuns: 60 });
  });

  it('finds the rank of a Gram matrix of repeated rows', () => {
    const data = Float64Array.from({ length: 12 * 5 }, (_, p) => ((p % 10) + 1) / 7);
    const values = symmetricEigenvalues(gramMatrix({ rows: 12, columns: 5, data }), 12);
    expect(values[1]! / values[0]!).toBeGreaterThan(1e-3);
    expect(Math.abs(values[2]! / values[0]!)).toBeLessThan(1e-13);
  });

  it('refuses a shape that does not fit, with both numbers', () => {
    expect(() => symmetricEigenvalues(new Float64Array(5), 2)).toThrow(/5 numbers .* 2 × 2/);
  });
});

describe('eigenProjections', () => {
  it('gives the components of vectors along the eigenvectors', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 25 }), fc.integer(), (n, seed) => {
      const a = randomSymmetric(n, seed);
      const stream = new RandomStream(seed ^ 1);
      const x = Float64Array.from({ length: n }, () => stream.normal());
      const { values, components } = eigenProjections(a, n, [x]);
      const { vectors } = symmetricEigenvectors(a, n);
      const spread = Math.max(...values.map(Math.abs));
      for (let k = 0; k < n; k++) {
        const gap = Math.min(k > 0 ? values[k - 1]! - values[k]! : Infinity, k < n - 1 ? values[k]! - values[k + 1]! : Infinity);
        if (gap < 1e-3 * spread) continue;
        let expected = 0;
        for (let i = 0; i < n; i++) expected += vectors.data[k * n + i]! * x[i]!;
        expect(Math.abs(Math.abs(components[0]![k]!) - Math.abs(expected))).toBeLessThan(1e-9);
      }
    }), { numRuns: 60 });
  });
});
