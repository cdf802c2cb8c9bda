/** When each block is used again: what only an oracle may know. */
import type { EvidenceIndex } from '../../../evidence/types';

export class LaterUses {
  private readonly start: Uint32Array;
  private readonly steps: Uint32Array;
  private readonly at: Uint32Array;

  constructor(evidence: EvidenceIndex) {
    this.start = new Uint32Array(evidence.blocks + 1);
    const each = (visit: (block: number, step: number) => void): void => {
      for (let t = 1; t <= evidence.steps; t++) {
        for (const block of usedAt(evidence, t)) visit(block, t);
      }
    };
    each((block) => { this.start[block + 1]! += 1; });
    for (let b = 0; b < evidence.blocks; b++) this.start[b + 1]! += this.start[b]!;
    this.steps = new Uint32Array(this.start[evidence.blocks] ?? 0);
    this.at = this.start.slice(0, evidence.blocks);
    const fill = this.at.slice();
    each((block, step) => { this.steps[fill[block]!++] = step; });
  }

  /** First step from `step` on that uses the base block; Infinity = never again. Ask with steps that do not fall. */
  next(block: number, step: number): number {
    const end = this.start[block + 1] ?? 0;
    let at = this.at[block] ?? end;
    while (at < end && (this.steps[at] ?? 0) < step) at++;
    this.at[block] = at;
    return at < end ? (this.steps[at] ?? Infinity) : Infinity;
  }
}

/** Base blocks whose text the call of a step repeats; those in the system prompt or task are no matter of choice. */
export function usedAt(evidence: EvidenceIndex, step: number): Set<number> {
  const used = new Set<number>();
  for (let d = evidence.demandStart[step - 1] ?? 0; d < (evidence.demandStart[step] ?? 0); d++) {
    if (evidence.demandInPrompt[d] === 1) continue;
    for (let s = evidence.sourceStart[d] ?? 0; s < (evidence.sourceStart[d + 1] ?? 0); s++) used.add(evidence.sources[s] ?? 0);
  }
  return used;
}
