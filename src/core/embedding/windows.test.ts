import { describe, expect, it } from 'vitest';
import { windowRanges } from './windows';

const sizes = (count: number, most: number | null): number[] => windowRanges(count, most).map(({ from, to }) => to - from);

describe('windows of 254 pieces', () => {
  it('cover a text of up to four windows', () => {
    expect(sizes(0, 4)).toEqual([]);
    expect(sizes(1, 4)).toEqual([1]);
    expect(sizes(254, 4)).toEqual([254]);
    expect(sizes(255, 4)).toEqual([254, 1]);
    expect(sizes(1016, 4)).toEqual([254, 254, 254, 254]);
  });

  it('beyond that are the first two and the last two', () => {
    expect(windowRanges(1017, 4)).toEqual([{ from: 0, to: 254 }, { from: 254, to: 508 }, { from: 762, to: 1016 }, { from: 1016, to: 1017 }]);
    expect(windowRanges(2540, 4).map(({ from }) => from)).toEqual([0, 254, 2032, 2286]);
  });

  it('are all of them when there is no limit', () => {
    const ranges = windowRanges(2000, null);
    expect(ranges).toHaveLength(8);
    expect(ranges.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(2000);
  });
});
