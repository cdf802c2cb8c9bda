import { describe, expect, it } from 'vitest';
import { MAX_FIT_ROW_PX, revealRow, rowScale, rowToY, scrollThumb, visibleRows, yToRow } from './row-scale';

describe('row scale', () => {
  it('fits all rows, but lets a few grow no taller than they should', () => {
    expect(rowScale(600, 50, 300, null, 0)).toMatchObject({ rowHeight: 0.5, scroll: 0 });
    expect(rowScale(3, 50, 300, null, 99)).toMatchObject({ rowHeight: MAX_FIT_ROW_PX, scroll: 0 });
    expect(rowScale(0, 50, 300, null, 0).rowHeight).toBe(MAX_FIT_ROW_PX);
  });

  it('scrolls to the last of 200 000 rows', () => {
    const scale = rowScale(200_000, 50, 300, 24, Infinity);
    expect(scale.scroll).toBe(200_000 * 24 - 300);
    expect(visibleRows(scale)).toEqual({ from: 199_987, to: 200_000 });
    expect(rowToY(scale, 199_999) + 24).toBe(350);
    expect(Math.floor(yToRow(scale, 349))).toBe(199_999);
    expect(scrollThumb(scale)).toEqual({ height: 24, top: 50 + 276 });
  });

  it('moves only as far as a row needs', () => {
    const scale = rowScale(1000, 0, 240, 24, 480);
    expect(revealRow(scale, 25)).toBe(480);
    expect(revealRow(scale, 3)).toBe(72);
    expect(revealRow(scale, 40)).toBe(41 * 24 - 240);
  });

  it('has no scroll bar when everything is shown', () => {
    expect(scrollThumb(rowScale(10, 0, 240, null, 0))).toBeNull();
  });
});
