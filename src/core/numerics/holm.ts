/** Holm's step-down adjustment of p values, in the order given. */
export function holmAdjusted(pValues: readonly number[]): number[] {
  const order = pValues.map((_, i) => i).sort((a, b) => pValues[a]! - pValues[b]!);
  const adjusted = new Array<number>(pValues.length).fill(0);
  let running = 0;
  order.forEach((i, k) => {
    running = Math.max(running, Math.min(1, (pValues.length - k) * pValues[i]!));
    adjusted[i] = running;
  });
  return adjusted;
}
