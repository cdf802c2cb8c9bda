import { describe, expect, it } from 'vitest';
import { readNpy, writeNpy } from './npy';

describe('npy', () => {
  it('writes what it reads, data starting at a multiple of 64', () => {
    const data = Float32Array.of(1, -2.5, 3e-7, 0, 5, 6);
    const bytes = writeNpy(data, 3, 2);
    expect((bytes.length - 24) % 64).toBe(0);
    expect(readNpy(bytes)).toEqual({ rows: 3, columns: 2, data });
    // Also at an odd offset of a larger buffer.
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    expect(readNpy(shifted.subarray(1)).data).toEqual(data);
  });

  it('keeps an empty matrix empty', () => {
    expect(readNpy(writeNpy(new Float32Array(0), 0, 384))).toMatchObject({ rows: 0, columns: 384 });
  });

  it('says what is wrong', () => {
    const bytes = writeNpy(Float32Array.of(1, 2), 1, 2);
    expect(() => readNpy(bytes.subarray(0, bytes.length - 1))).toThrow(/7 bytes of data; 1 × 2 needs 8/);
    expect(() => readNpy(new Uint8Array(20))).toThrow(/NUMPY/);
    const ints = new TextDecoder('latin1').decode(bytes).replace('<f4', '<i4');
    expect(() => readNpy(Uint8Array.from(ints, (c) => c.charCodeAt(0)))).toThrow(/'?<i4'?/);
    expect(() => writeNpy(new Float32Array(5), 2, 3)).toThrow(/5 numbers do not make 2 × 3/);
  });
});
