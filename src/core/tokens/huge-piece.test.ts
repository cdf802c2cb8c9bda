import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EncodingName } from '../trace/blocks-types';
import { loadEncodingData } from './encoding-data';
import { endOfPiece } from './huge-piece';

const encodings: EncodingName[] = ['o200k_base', 'cl100k_base'];
const patterns = { o200k_base: (await loadEncodingData('o200k_base')).splitPattern, cl100k_base: (await loadEncodingData('cl100k_base')).splitPattern };

function cuts(encoding: EncodingName, text: string): number[] {
  const ends: number[] = [];
  for (let at = 0; at < text.length; ) ends.push((at = endOfPiece(encoding, text, at)));
  return ends;
}

describe('endOfPiece', () => {
  const unit = fc.constantFrom('a', 'B', 'é', '\u0301', '漢', 'ʰ', 'ǅ', '𝒜', '𝓪', '😀', '\ud83d', '\udc00', ' ', '\t', '\n', '\r', '\u00a0', '\u0085', '\ufeff', "'s", "'LL", "'ſ", '1', '٣', '/', '=', '_');
  const texts = fc.array(fc.tuple(unit, fc.integer({ min: 1, max: 4 })), { maxLength: 14 }).map((runs) => runs.map(([u, n]) => u.repeat(n)).join(''));

  it.each(encodings)('%s cuts where the split pattern cuts', (encoding) => {
    fc.assert(
      fc.property(texts, (text) => {
        const matched = [...text.matchAll(patterns[encoding])];
        expect(matched.map((m) => m[0]).join('')).toBe(text);
        expect(cuts(encoding, text)).toEqual(matched.map((m) => m.index + m[0].length));
      }),
      { numRuns: 5000 },
    );
  });

  it('goes on across bites', () => {
    const text = `${'漢'.repeat(40_000)}A${' '.repeat(40_000)}x`;
    for (const encoding of encodings) expect(cuts(encoding, text)).toEqual([...text.matchAll(patterns[encoding])].map((m) => m.index + m[0].length));
  });
});
