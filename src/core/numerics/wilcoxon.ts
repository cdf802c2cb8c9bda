/** Wilcoxon's signed-rank test, exact and two-sided (gem.md §2; zeros dropped, ties share their mean rank). */
export interface SignedRankTest {
  /** Differences that are not zero. */
  m: number;
  wPlus: number;
  wMinus: number;
  /** min(1, 2 min(P(W ≤ w), P(W ≥ w))) over all signs of the observed ranks; 1 when there is no difference. */
  p: number;
}

/** O(m³) time and O(m²) memory for m differences. */
export function wilcoxonSignedRank(differences: readonly number[]): SignedRankTest {
  const d = differences.filter((x) => x !== 0);
  // Twice the rank is a whole number also for ties.
  const doubled = doubledMidRanks(d.map(Math.abs));
  let plus = 0;
  let all = 0;
  doubled.forEach((rank, i) => {
    all += rank;
    if (d[i]! > 0) plus += rank;
  });
  const chances = sumDistribution(doubled, all);
  let below = 0;
  let above = 0;
  for (let s = 0; s <= plus; s++) below += chances[s]!;
  for (let s = all; s >= plus; s--) above += chances[s]!;
  return { m: d.length, wPlus: plus / 2, wMinus: (all - plus) / 2, p: Math.min(1, 2 * Math.min(below, above)) };
}

function doubledMidRanks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Array<number>(values.length).fill(0);
  for (let i = 0; i < order.length; ) {
    let j = i;
    while (j + 1 < order.length && values[order[j + 1]!] === values[order[i]!]) j++;
    for (let k = i; k <= j; k++) ranks[order[k]!] = i + j + 2;
    i = j + 1;
  }
  return ranks;
}

/** Chance of each sum when every weight is in or out with one half; only additions of positive numbers, so no cancellation. */
function sumDistribution(weights: readonly number[], total: number): Float64Array {
  const chances = new Float64Array(total + 1);
  chances[0] = 1;
  let reach = 0;
  for (const weight of weights) {
    reach += weight;
    for (let s = reach; s >= 0; s--) chances[s] = (chances[s]! + (s >= weight ? chances[s - weight]! : 0)) / 2;
  }
  return chances;
}
