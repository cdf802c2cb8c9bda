import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadEncodingData } from './encoding-data';
import { endOfAsciiPiece } from './o200k-ascii';

const { splitPattern } = await loadEncodingData('o200k_base');
const pattern = new RegExp(splitPattern.source, splitPattern.flags);

/** Ends of all pieces by the pattern. */
function endsByPattern(text: string): number[] {
  pattern.lastIndex = 0;
  const ends: number[] = [];
  while (pattern.test(text)) ends.push(pattern.lastIndex);
  return ends;
}

function endsByTable(text: string): number[] {
  const ends: number[] = [];
  for (let from = 0; from < text.length; ) {
    const to = endOfAsciiPiece(text, from);
    if (to < 0) break;
    ends.push((from = to));
  }
  return ends;
}

const ascii = fc.string({ unit: fc.integer({ min: 0, max: 127 }).map((code) => String.fromCharCode(code)), maxLength: 40 });
const awkward = fc.array(
  fc.constantFrom('a', 'B', "'s", "'LL", "'Ve", "'r", "'", '1', '23', ' ', '  ', '\t', '\n', '\r\n', '\v', '/', '//', '=', '_', '\u0000', '\u001c', 'abc', 'XYz', '[B12]'), { maxLength: 30 },
).map((parts) => parts.join(''));

describe('pieces of ASCII', () => {
  it('end where those of the pattern end', () => {
    fc.assert(fc.property(fc.oneof(ascii, awkward), (text) => {
      expect(endsByTable(text)).toEqual(endsByPattern(text));
    }), { numRuns: 5000 });
  });

  it('stop before a piece that a character beyond ASCII may be part of, and only there', () => {
    const beyond = fc.constantFrom('é', '\u0301', '漢', '…', '\u00a0', '\u2028', '٣', '😀', 'ſ');
    fc.assert(fc.property(awkward, beyond, awkward, (before, odd, after) => {
      const text = before + odd + after;
      const ends = endsByTable(text);
      expect(ends).toEqual(endsByPattern(text).slice(0, ends.length));
      // All pieces but those at the odd character itself: a run of white space or signs before it at most.
      expect(ends.length).toBeGreaterThanOrEqual(endsByPattern(before).length - 2);
    }), { numRuns: 3000 });
  });
});
