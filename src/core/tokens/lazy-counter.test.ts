import { describe, expect, it } from 'vitest';
import { withCounter } from './lazy-counter';
import type { TokenCounter } from './types';

describe('a counter that is loaded when it is needed', () => {
  it('is not loaded for work that counts nothing, loaded once otherwise, and lets errors of the work through', async () => {
    let loads = 0;
    const load = (): Promise<TokenCounter> => {
      loads++;
      return Promise.resolve({ encoding: 'cl100k_base', count: (text: string) => text.length });
    };
    const begun: string[] = [];
    expect(await withCounter('cl100k_base', () => 1, load)).toBe(1);
    expect(loads).toBe(0);
    expect(await withCounter('cl100k_base', (count) => {
      begun.push('work');
      return count('four');
    }, load)).toBe(4);
    expect(await withCounter('cl100k_base', (count) => count('seven'), load)).toBe(5);
    expect(begun).toHaveLength(2);
    expect(loads).toBe(1);
    await expect(withCounter('cl100k_base', () => {
      throw new RangeError('of the work');
    }, load)).rejects.toThrow('of the work');
  });
});
