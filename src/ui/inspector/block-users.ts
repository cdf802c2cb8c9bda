import type { EvidenceIndex } from '../../core/evidence/types';

/** Steps with a demand that this base block is a source of, ascending. One pass over the sources. */
export function usersOf(evidence: EvidenceIndex, base: number): number[] {
  const out: number[] = [];
  for (let step = 1; step <= evidence.steps; step++) {
    const from = evidence.sourceStart[evidence.demandStart[step - 1] ?? 0] ?? 0;
    const to = evidence.sourceStart[evidence.demandStart[step] ?? 0] ?? from;
    for (let s = from; s < to; s++) {
      if (evidence.sources[s] !== base) continue;
      out.push(step);
      break;
    }
  }
  return out;
}
