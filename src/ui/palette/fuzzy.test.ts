import { describe, expect, it } from 'vitest';
import { fuzzy } from './fuzzy';

const best = (query: string, texts: string[]): string | undefined =>
  texts.flatMap((text) => { const match = fuzzy(query, text); return match ? [{ text, score: match.score }] : []; }).sort((a, b) => b.score - a.score)[0]?.text;

describe('fuzzy match', () => {
  it('marks what matched', () => {
    expect(fuzzy('led', 'Go to Ledger')?.at).toEqual([6, 7, 8]);
    expect(fuzzy('gtl', 'Go to Ledger')?.at).toEqual([0, 3, 6]);
    expect(fuzzy('xyz', 'Go to Ledger')).toBeNull();
    expect(fuzzy('', 'anything')).toEqual({ score: 0, at: [] });
  });

  it('prefers beginnings of words, then short texts', () => {
    expect(best('map', ['bitmap tools', 'Open the map'])).toBe('Open the map');
    expect(best('b1', ['B12 read', 'B1 read', 'B111 read'])).toBe('B1 read');
    expect(best('policy vis', ['Policy: vista', 'Policy: auto-archive', 'visible policies of old'])).toBe('Policy: vista');
  });

  it('words may come in any order; two scattered letters are no match', () => {
    expect(fuzzy('archive policy', 'Policy: auto-archive')).not.toBeNull();
    expect(fuzzy('pv', 'Policy: vista')).toBeNull();
  });
});
