/** Scores within this relative distance count as tied (embedding.md §3). */
export const TIE = 1e-12;

/** Index of the largest score among `candidates`; ties go to the larger index (the newer block); −1 when there is none. */
export function bestIndex(scores: ArrayLike<number>, candidates: Iterable<number>): number {
  const list = Array.isArray(candidates) ? (candidates as number[]) : [...candidates];
  let top = -Infinity;
  for (const i of list) if (scores[i]! > top) top = scores[i]!;
  const limit = top - TIE * Math.abs(top);
  let best = -1;
  for (const i of list) if (scores[i]! >= limit && i > best) best = i;
  return best;
}

/** The `count` best, in order of choice. */
export function bestIndices(scores: ArrayLike<number>, candidates: Iterable<number>, count: number): number[] {
  const left = new Set(candidates);
  const out: number[] = [];
  while (out.length < count && left.size > 0) {
    const j = bestIndex(scores, [...left]);
    if (j < 0) break;
    out.push(j);
    left.delete(j);
  }
  return out;
}
