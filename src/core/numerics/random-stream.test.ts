import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../base/sha256';
import { hasShared, sharedPath } from '../../testing/shared';
import { purposeSeed, purposeStream, RandomStream, type RandomPurpose } from './random-stream';

const many = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

interface Oracle {
  words: Record<string, { first8: number[] }>;
  uniform: Record<string, number[]>;
  integers: Record<string, { below10: number[]; below366: number[] }>;
  normals: Record<string, number[]>;
  subStreams: { seed: number; purpose: RandomPurpose; index: number; seed32: number; firstWord: number }[];
  samples: { from: string; k: number; seed?: number; stream?: string; result: number[] }[];
  featureShift: { n: number; d: number; draw: number; first16: number[]; sha256OfAll: string }[];
  gaussian: { draw: number; n: number; d: number; rows: number[][] }[];
}

describe('RandomStream', () => {
  it('prints the published first words of seed 1', () => {
    const stream = new RandomStream(1);
    expect(many(4, () => stream.word())).toEqual([393288148, 2174103013, 3814759091, 2092745082]);
  });

  it('samples without replacement and never more than there is', () => {
    const sample = new RandomStream(5).sample([1, 2, 3], 9);
    expect([...sample].sort()).toEqual([1, 2, 3]);
    expect(new RandomStream(5).sample([1, 2, 3], -1)).toEqual([]);
  });
});

describe.skipIf(!hasShared)('RandomStream against the Python streams', () => {
  const oracle = JSON.parse(hasShared ? readFileSync(sharedPath('oracles/prng.json'), 'utf8') : '{}') as Oracle;

  it('words, uniforms, integers equal; normals to 1e-12', () => {
    for (const seed of ['0', '1', '42']) {
      const of = (): RandomStream => new RandomStream(Number(seed));
      let stream = of();
      expect(many(8, () => stream.word())).toEqual(oracle.words[seed]!.first8);
      stream = of();
      expect(many(8, () => stream.uniform())).toEqual(oracle.uniform[seed]);
      stream = of();
      expect(many(16, () => stream.integer(10))).toEqual(oracle.integers[seed]!.below10);
      stream = of();
      expect(many(16, () => stream.integer(366))).toEqual(oracle.integers[seed]!.below366);
      stream = of();
      for (const expected of oracle.normals[seed]!) expect(Math.abs(stream.normal() - expected)).toBeLessThan(1e-12);
    }
  });

  it('sub-streams and samples equal', () => {
    for (const row of oracle.subStreams) {
      expect(purposeSeed(row.seed, row.purpose, row.index)).toBe(row.seed32);
      expect(purposeStream(row.seed, row.purpose, row.index).word()).toBe(row.firstWord);
    }
    for (const row of oracle.samples) {
      const size = Number(row.from.split('..')[1]) + 1;
      const stream = row.seed === undefined ? purposeStream(0, 'random-completion', 32) : new RandomStream(row.seed);
      expect(stream.sample(many(size, () => 0).map((_, i) => i), row.k)).toEqual(row.result);
    }
  });

  it('feature-shift numbers and Gaussian rows in the stated order', () => {
    for (const row of oracle.featureShift) {
      const stream = purposeStream(0, 'feature-shift', row.draw);
      const numbers = many(row.d, () => stream.integer(row.n));
      expect(numbers.slice(0, 16)).toEqual(row.first16);
      expect(sha256Hex(numbers.join(','))).toBe(row.sha256OfAll);
    }
    for (const row of oracle.gaussian) {
      const stream = purposeStream(0, 'gaussian', row.draw);
      for (const x of row.rows.flat()) expect(Math.abs(stream.normal() - x)).toBeLessThan(1e-12);
    }
  });
});
