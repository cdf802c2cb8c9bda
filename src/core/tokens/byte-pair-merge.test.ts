import { describe, expect, it } from 'vitest';
import { countMerged } from './byte-pair-merge';
import type { MergeWork } from './byte-pair-merge';
import { loadEncodingData } from './encoding-data';
import { RankTable } from './rank-table';

const table = new RankTable((await loadEncodingData('o200k_base')).ranks);

function heapMoves(text: string): number {
  const work: MergeWork = { heapMoves: 0 };
  const bytes = new TextEncoder().encode(text);
  countMerged(bytes, bytes.length, table, work);
  return work.heapMoves;
}

describe('byte-pair merge', () => {
  it.each(['a', '=', ' ', '漢', '😀', 'abcdefghij', 'aGVsbG8gd29ybGQ'])('the work for a run of %j grows as n log n', (unit) => {
    const run = (characters: number): string => unit.repeat(Math.ceil(characters / unit.length));
    const growth = heapMoves(run(160_000)) / heapMoves(run(20_000));
    // 8 × the bytes: n log n gives about 9.7, a quadratic merge 64.
    expect(growth).toBeGreaterThan(6);
    expect(growth).toBeLessThan(12);
  });

  it('merges the lowest rank first, the leftmost on ties', () => {
    // Ranks: single bytes a, b, c; then ab < bc. "abc" becomes ab + c, never a + bc; "aaa" becomes aa + a.
    const tiny = new RankTable(['a', 'b', 'c', 'ab', 'bc', 'aa', [0xff]]);
    const count = (text: string): number => countMerged(new TextEncoder().encode(text), text.length, tiny);
    expect(count('abc')).toBe(2);
    expect(count('cbc')).toBe(2);
    expect(count('aaa')).toBe(2);
    expect(count('aab')).toBe(2);
    expect(count('ab'.repeat(200))).toBe(200);
    expect(count('a'.repeat(401))).toBe(201);
  });
});
