import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dot } from './dot';
import { gramMatrix } from './gram-matrix';
import { leadingEigenvectors } from './leading-eigenvectors';
import { rowOf, type Matrix } from './matrix';
import { principalMap } from './principal-map';
import { RandomStream } from './random-stream';

function randomRows(rows: number, columns: number, seed: number): Matrix {
  const stream = new RandomStream(seed);
  return { rows, columns, data: Float64Array.from({ length: rows * columns }, () => stream.normal()) };
}

describe('leadingEigenvectors', () => {
  it('gives orthonormal vectors with A u = λ u', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 }), fc.integer(), (n, d, seed) => {
      const a = gramMatrix(randomRows(n, d, seed));
      const { values, vectors } = leadingEigenvectors(a, n, 3);
      for (let k = 0; k < vectors.rows; k++) {
        const u = rowOf(vectors, k);
        for (let other = 0; other <= k; other++) expect(Math.abs(dot(u, rowOf(vectors, other)) - (other === k ? 1 : 0))).toBeLessThan(1e-9);
        for (let i = 0; i < n; i++) expect(Math.abs(dot(a.subarray(i * n, (i + 1) * n), u) - values[k]! * u[i]!)).toBeLessThan(1e-9 * values[0]!);
      }
    }));
  });

  it('survives the identity and the zero matrix', () => {
    for (const x of [1, 0]) {
      const { vectors } = leadingEigenvectors(Float64Array.of(x, 0, 0, 0, x, 0, 0, 0, x), 3, 2);
      expect([...vectors.data].every(Number.isFinite)).toBe(true);
      expect(Math.abs(dot(rowOf(vectors, 0), rowOf(vectors, 1)))).toBeLessThan(1e-12);
    }
  });
});

describe('principalMap', () => {
  it('keeps the distances of points in a plane, whichever matrix is smaller', () => {
    fc.assert(fc.property(fc.integer({ min: 3, max: 20 }), fc.constantFrom(2, 5, 40), fc.integer(), (n, d, seed) => {
      const plane = randomRows(n, 2, seed);
      const data = new Float64Array(n * d);
      // The plane, turned by 30 degrees and moved off the origin.
      for (let i = 0; i < n; i++) {
        const [x, y] = rowOf(plane, i) as unknown as [number, number];
        data[i * d] = 0.5 * Math.sqrt(3) * x! - 0.5 * y! + 7;
        data[i * d + 1] = 0.5 * x! + 0.5 * Math.sqrt(3) * y!;
      }
      const map = principalMap({ rows: n, columns: d, data });
      for (let i = 1; i < n; i++) {
        const there = Math.hypot(map[2 * i]! - map[0]!, map[2 * i + 1]! - map[1]!);
        const here = Math.hypot(plane.data[2 * i]! - plane.data[0]!, plane.data[2 * i + 1]! - plane.data[1]!);
        expect(Math.abs(there - here)).toBeLessThan(1e-9);
      }
    }));
  });

  it('knows one point, equal points and none', () => {
    expect([...principalMap({ rows: 0, columns: 3, data: new Float64Array(0) })]).toEqual([]);
    expect([...principalMap({ rows: 1, columns: 3, data: Float64Array.of(1, 2, 3) })]).toEqual([0, 0]);
    const same = principalMap({ rows: 2, columns: 2, data: Float64Array.of(1, 2, 1, 2) });
    expect(same.every((x) => Math.abs(x) < 1e-12)).toBe(true);
  });
});
