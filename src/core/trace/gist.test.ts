import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GIST_LIMIT, gistOf } from './gist';

describe('gist', () => {
  it('leaves a short text as it is, on one line', () => {
    expect(gistOf('All  tests\npass.\n')).toBe('All tests pass.');
  });

  it('takes the ends and what can be looked up again', () => {
    const filler = 'The quick brown fox went on and on about nothing. '.repeat(10);
    const gist = gistOf(`Started the build. ${filler}\n# Results\n${filler}\nTypeError: x is not a function\n${filler}see src/core/app.ts and parse_line with 1234 rows. ${filler}It ended well.`);
    expect(gist.startsWith('Started the build. …')).toBe(true);
    for (const wanted of ['It ended well.', '# Results', 'TypeError: x is not a function', 'src/core/app.ts', 'parse_line', '1234']) expect(gist).toContain(wanted);
  });

  it('is short, on one line, deterministic and never a broken character', () => {
    fc.assert(fc.property(fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('. ', '\n', '# head\n', 'a/b/c.ts ', '😀'.repeat(200))), { maxLength: 80 }), (pieces) => {
      const text = pieces.join(' ');
      const gist = gistOf(text);
      expect(gist.length).toBeLessThanOrEqual(GIST_LIMIT);
      expect(gist).not.toMatch(/[\n\r]/);
      expect(gist).toBe(gistOf(text));
      expect(gist).not.toMatch(/\p{Cs}/u);
    }));
  });
});
