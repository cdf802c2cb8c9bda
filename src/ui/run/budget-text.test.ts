import { describe, expect, it } from 'vitest';
import { parseBudget } from './budget-text';

describe('a budget as people write it', () => {
  it.each([['32000', 32000], [' 16k ', 16000], ['1.5M', 1_500_000], ['128 K', 128000], ['32 000', 32000], ['32\u202f000', 32000], ['1,000,000', 1_000_000], ['16.5k', 16500], ['999.6', 1000]])('%s', (text, tokens) => {
    expect(parseBudget(text)).toBe(tokens);
  });
  it.each(['', ' ', '0', '-5', '0k', 'k', '16kb', '1,5', '1e3', '9'.repeat(30)])('%s is none', (text) => {
    expect(parseBudget(text)).toBeNull();
  });
});
