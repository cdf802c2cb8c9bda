import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import type { EncodingName } from '../trace/blocks-types';
import { loadTokenCounter } from './counter';
import { LastText } from './last-text';

const encodings: EncodingName[] = ['o200k_base', 'cl100k_base'];
const AS_TEXT = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
const library: Record<EncodingName, (text: string) => number> = {
  o200k_base: (text) => countO200k(text, AS_TEXT),
  cl100k_base: (text) => countCl100k(text, AS_TEXT),
};
const counters = { o200k_base: await loadTokenCounter('o200k_base'), cl100k_base: await loadTokenCounter('cl100k_base') };
const SHORTEST = 1024;

/** Beginning that both of two texts need, and what makes a line end part of different pieces. */
const HEADING = '[Running summary of everything so far]\n';
const part = fc.constantFrom('a', 'Bc', ' ', '  ', '\n', '\r\n', '\n\n', '\n/', '!\n', '\t\n', "\n's", "'s", '\n[', '12', '\n7', '…', 'é', '\né', '漢', '\n漢', '😀', '\ud83d', '\u00a0\n', '\u2028', '-- ', 'word word word word word word word word word word word word word\n');
const filled = (parts: readonly string[]): string => {
  const text = HEADING + parts.join('');
  return text + parts.join('').repeat(Math.ceil(SHORTEST / Math.max(1, text.length - HEADING.length)));
};
const texts = fc.array(part, { minLength: 40, maxLength: 200 }).map(filled);

describe('counting on from the last text', () => {
  it.each(encodings)('%s: any text after any other with the same beginning equals the library', (encoding) => {
    fc.assert(fc.property(texts, fc.array(part, { maxLength: 20 }), fc.double({ min: 0, max: 1, noNaN: true }), (text, end, share) => {
      // The same beginning cut anywhere with other words after it, the longer one before and after the shorter.
      const cut = text.slice(0, Math.max(SHORTEST, Math.floor(text.length * share)));
      for (const next of [text, cut + end.join(''), text, cut, `${cut}\n`, text]) expect(counters[encoding].count(next)).toBe(library[encoding](next));
    }), { numRuns: 150 });
  });

  it('starts behind what is known, at a line', () => {
    const last = new LastText();
    const counter = counters.o200k_base;
    const line = 'a line of some words that are long enough to be kept as a place to start from\n';
    const text = HEADING + line.repeat(40);
    expect(last.begin(text)).toBe(false);
    expect(last.begin(text)).toBe(true);
    expect(last.from).toBe(0);
    for (let at = text.indexOf('\n') + 1; at > 0; at = text.indexOf('\n', at) + 1) last.passed(at, counter.count(text.slice(0, at)));
    expect(last.begin(`${text.slice(0, -10)}ending otherwise`)).toBe(true);
    expect(last.from).toBe(HEADING.length + line.length * 39);
    expect(last.tokens).toBe(counter.count(text.slice(0, last.from)));
  });

  it('takes no line end before a slash or white space for the end of a piece', () => {
    const last = new LastText();
    const text = `${HEADING}${'x'.repeat(100)}!\n/path ${'y'.repeat(100)}\n  indented ${'z'.repeat(SHORTEST)}`;
    last.begin(text);
    last.begin(text);
    last.passed(text.indexOf('/path'), 1);
    last.passed(text.indexOf('  indented'), 2);
    last.begin(text);
    expect(last.from).toBe(0);
  });

  it('keeps neither short texts nor huge ones', () => {
    const last = new LastText();
    for (const text of ['x'.repeat(SHORTEST - 1), 'x'.repeat(70_000)]) {
      expect(last.begin(text)).toBe(false);
      expect(last.begin(text)).toBe(false);
    }
  });
});
