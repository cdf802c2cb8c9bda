import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { gramMatrix } from './gram-matrix';
import type { Matrix } from './matrix';
import { RandomStream } from './random-stream';
import { RowProducts } from './row-products';
import { rowsTimesVector } from './rows-times-vector';
import { createSimdKernels } from './simd-kernels';
import { symmetricEigenvalues } from './symmetric-eigenvalues';
import { unitRows } from './unit-rows';

function floats(count: number, seed: number): Float32Array {
  const stream = new RandomStream(seed);
  return Float32Array.from({ length: count }, () => stream.normal());
}

function naiveGram({ rows, columns, data }: Matrix): number[] {
  return Array.from({ length: rows * rows }, (_, p) => {
    let sum = 0;
    for (let k = 0; k < columns; k++) sum += data[Math.floor(p / rows) * columns + k]! * data[(p % rows) * columns + k]!;
    return sum;
  });
}

const largestGap = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((gap, x, i) => Math.max(gap, Math.abs(x - b[i]!)), 0);

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe('kernels', () => {
  it('compile here: the tests below do not test the plain paths by accident', () => {
    expect(createSimdKernels()).not.toBeNull();
  });

  it('Gram matrices of every shape equal the definition, also after a larger one', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 70 }), fc.integer({ min: 1, max: 19 }), fc.integer(), (n, d, seed) => {
      const rows = unitRows(floats(n * d, seed), n, d);
      expect(largestGap(gramMatrix(rows), naiveGram(rows))).toBeLessThan(1e-14);
    }), { numRuns: 60 });
  });

  it('row products equal the plain ones; two matrices may take turns; zero rows stay zero', () => {
    const shapes = [[301, 130], [200, 201]] as const;
    const [a, b] = shapes.map(([n, d], s) => {
      const data = floats(n * d, s);
      data.fill(0, 3 * d, 4 * d);
      return unitRows(data, n, d);
    }) as [Matrix, Matrix];
    const products = [new RowProducts(a), new RowProducts(b)] as const;
    for (let turn = 0; turn < 6; turn++) {
      const matrix = turn % 2 === 0 ? a : b;
      const q = Float64Array.from(floats(matrix.columns, 9 + turn));
      const out = products[turn % 2]!.times(q, new Float64Array(matrix.rows));
      expect(largestGap(out, rowsTimesVector(matrix, q, new Float64Array(matrix.rows)))).toBeLessThan(1e-13);
      expect(out[3]).toBe(0);
    }
  });

  it('without WebAssembly the plain paths give the same numbers to rounding', async () => {
    const rows = unitRows(floats(90 * 380, 4), 90, 380);
    const gram = gramMatrix(rows);
    const values = symmetricEigenvalues(gram, 90);
    vi.stubGlobal('WebAssembly', undefined);
    vi.resetModules();
    const plainGram = await import('./gram-matrix');
    const plainEigen = await import('./symmetric-eigenvalues');
    const plainProducts = await import('./row-products');
    expect((await import('./simd-kernels')).createSimdKernels()).toBeNull();
    const other = plainGram.gramMatrix(rows);
    expect(largestGap(gram, other)).toBeLessThan(1e-14);
    expect(largestGap(values, plainEigen.symmetricEigenvalues(other, 90))).toBeLessThan(1e-13);
    const q = Float64Array.from(floats(380, 1));
    expect(new plainProducts.RowProducts(rows).times(q, new Float64Array(90))).toEqual(rowsTimesVector(rows, q, new Float64Array(90)));
  });
});
