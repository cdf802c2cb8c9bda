import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasShared, sharedPath } from '../../testing/shared';
import { fnv1aLow32, fnv1aLow32Ascii } from './fnv';
import { collapseText, createHashedEncoder, hashedVector, wordPieces } from './hashed';

interface HashedOracle {
  fnv1a64: { text: string; hash: string; slot: number; sign: number }[];
  vectors: { text: string; collapsed: string; pieces: string[]; nonzero: [number, number][] }[];
}

describe.skipIf(!hasShared)('hashed-1024@1 against the reference numbers', () => {
  const oracle = JSON.parse(hasShared ? readFileSync(sharedPath('oracles/hashed.json'), 'utf8') : '{}') as HashedOracle;

  it('hashes bytes like 64-bit FNV-1a in the low 32 bits', () => {
    for (const { text, hash, slot, sign } of oracle.fnv1a64) {
      const low = fnv1aLow32(new TextEncoder().encode(text));
      expect(low.toString(16).padStart(8, '0')).toBe(hash.slice(8));
      expect([low & 511, (low & 512) === 0 ? 1 : -1]).toEqual([slot, sign]);
    }
  });

  it('gives the reference vectors to 1e-7', () => {
    expect(oracle.vectors.length).toBeGreaterThanOrEqual(10);
    for (const { text, collapsed, pieces, nonzero } of oracle.vectors) {
      expect(collapseText(text)).toBe(collapsed);
      expect([...new Set(wordPieces(text))]).toEqual([...new Set(pieces)]);
      const expected = new Float64Array(1024);
      for (const [slot, value] of nonzero) expected[slot] = value;
      const vector = hashedVector(text);
      for (let i = 0; i < 1024; i++) expect(Math.abs((vector[i] ?? NaN) - (expected[i] ?? NaN))).toBeLessThan(1e-7);
    }
  });
});

describe('hashed-1024@1', () => {
  it('agrees with a 64-bit FNV-1a in BigInt', () => {
    const slow = (text: string): bigint => {
      let hash = 0xcbf29ce484222325n;
      for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
      return hash;
    };
    for (const text of ['', 'q', 'ab', ' 9', 'observation', 'x'.repeat(300)]) {
      expect(BigInt(fnv1aLow32Ascii(text))).toBe(slow(text) & 0xffffffffn);
    }
  });

  it('splits camel case and drops single letters', () => {
    expect(wordPieces('parseHTTPResponse aB x ABCd XY2z')).toEqual(['parse', 'http', 'response', 'ab', 'cd', 'xy']);
  });

  it('is zero without letters or digits pairs and unit length otherwise', async () => {
    const encoder = createHashedEncoder();
    expect((await encoder.embed('')).vector.every((x) => x === 0)).toBe(true);
    const { vector, tokens } = await encoder.embed('read file src/main.ts');
    expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
    expect(tokens).toBe(5);
  });
});
