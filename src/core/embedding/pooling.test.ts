import { describe, expect, it } from 'vitest';
import { unitVector, WindowPool } from './pooling';

describe('pooling', () => {
  it('weighs window means by their positions', () => {
    const pool = new WindowPool(2);
    pool.add(Float32Array.of(1, 0), 3);
    pool.add(Float32Array.of(0, 1), 4);
    // (3, 4) / 7 has the direction (0.6, 0.8)
    expect(Array.from(pool.finish())).toEqual([Math.fround(0.6), Math.fround(0.8)]);
  });

  it('keeps zero at zero and refuses another dimension', () => {
    expect(Array.from(new WindowPool(3).finish())).toEqual([0, 0, 0]);
    expect(Array.from(unitVector(new Float64Array(2)))).toEqual([0, 0]);
    expect(() => new WindowPool(3).add(Float32Array.of(1), 1)).toThrow('Expected a vector of 3 numbers, found 1');
  });
});
