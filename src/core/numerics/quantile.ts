/** Quantile by linear interpolation, type 7 as in numpy and R; `sorted` rising. NaN for no values. */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  if (sorted.length === 0) return NaN;
  const at = (sorted.length - 1) * p;
  const low = Math.floor(at);
  const a = sorted[low]!;
  const b = sorted[Math.min(low + 1, sorted.length - 1)]!;
  return a + (b - a) * (at - low);
}

export function median(values: readonly number[]): number | null {
  return values.length > 0 ? quantile([...values].sort((a, b) => a - b), 0.5) : null;
}
