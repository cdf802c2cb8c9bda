/** A line as it stood at a call: what causality is checked with (model.md §3, invariant 6). */
import type { EvidenceIndex } from '../evidence/types';
import type { ReplayInput } from './types';

/**
 * The trajectory cut at call `step`: just before it (`after` false: its action is unknown) or just after (what it used is
 * known, nothing that came later). Columns are shared, not copied; whatever tells of later calls is cut or counted anew.
 */
export function cutInput<T extends ReplayInput>(input: T, step: number, after: boolean): T {
  const { blocks, facts, evidence } = input;
  let n = 0;
  while (n < blocks.n && (blocks.bornStep[n] ?? 0) <= step) n++;
  return {
    ...input,
    blocks: { ...blocks, n },
    facts: {
      ...facts, steps: step, stepMessage: facts.stepMessage.slice(0, step),
      measuredInput: facts.measuredInput.slice(0, step), measuredCached: facts.measuredCached.slice(0, step), measuredOutput: facts.measuredOutput.slice(0, step),
    },
    evidence: cutEvidence(evidence, step, n, after),
    recorded: input.recorded.filter((op) => op.step <= step),
  };
}

function cutEvidence(evidence: EvidenceIndex, step: number, blocks: number, after: boolean): EvidenceIndex {
  const demandStart = evidence.demandStart.slice(0, step + 1);
  if (!after) demandStart[step] = demandStart[step - 1] ?? 0;
  const lastUse = new Uint32Array(blocks);
  const uses = new Uint32Array(blocks);
  for (let t = 1; t <= step; t++) {
    for (let d = demandStart[t - 1] ?? 0; d < (demandStart[t] ?? 0); d++) {
      for (let s = evidence.sourceStart[d] ?? 0; s < (evidence.sourceStart[d + 1] ?? 0); s++) {
        const block = evidence.sources[s] ?? 0;
        if (evidence.sourceIsEcho[s] === 1 || (evidence.demandInPrompt[d] === 1 && evidence.isPrompt[block] === 0)) continue;
        if (lastUse[block] !== t) uses[block]! += 1;
        lastUse[block] = t;
      }
    }
  }
  return { ...evidence, steps: step, blocks, demandStart, lastUse, uses };
}
