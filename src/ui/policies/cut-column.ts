/** Room for the mark that says that there is more to the right, CSS pixels. */
const MARK_PX = 14;

/**
 * Width at the right edge of a scrolled table that no whole column fills; null = nothing is cut off there.
 * A number of which half is to be seen reads as another number, so this much is covered.
 * @param widths of all columns in order; @param end right edge of what is seen, in the table's own pixels.
 */
export function cutWidth(widths: readonly number[], end: number): number | null {
  const total = widths.reduce((sum, width) => sum + width, 0);
  if (end >= total - 1) return null;
  let whole = 0;
  let sum = 0;
  for (const width of widths) {
    sum += width;
    if (sum > end - MARK_PX) break;
    whole = sum;
  }
  // Where not even the first column fits, covering it would hide everything.
  return whole === 0 ? null : end - whole;
}
