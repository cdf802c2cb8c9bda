import type { ReplayInput } from '../../../src/core/workspace/types.ts';

interface Admitted { base: number; kind: number; tokens: number; bornStep: number; lastUse: number }

/**
 * What every replay must do at least, as one plain loop without any policy: each block becomes an object in a list, each
 * step sums what is in the context by kind, looks at every demand with its sources, and writes its row of numbers.
 */
export function plainPass({ blocks, facts, evidence }: ReplayInput): number {
  const admitted: Admitted[] = [];
  const byKind = new Float64Array(16);
  const rows: { tokens: number; visible: number; prompt: number; kinds: Float64Array }[] = [];
  let tokens = facts.fixedOverhead;
  for (let t = 1, next = 0; t <= facts.steps; t++) {
    for (; next < blocks.n && blocks.bornStep[next]! <= t; next++) {
      const block: Admitted = { base: next, kind: blocks.kind[next]!, tokens: blocks.tokens[next]!, bornStep: t, lastUse: 0 };
      admitted.push(block);
      tokens += block.tokens;
      byKind[block.kind] = byKind[block.kind]! + block.tokens;
    }
    let visible = 0;
    let prompt = 0;
    for (let d = evidence.demandStart[t - 1]!; d < evidence.demandStart[t]!; d++) {
      let found = false;
      for (let s = evidence.sourceStart[d]!; s < evidence.sourceStart[d + 1]!; s++) {
        const source = admitted[evidence.sources[s]!];
        if (!source) continue;
        source.lastUse = t;
        found = true;
      }
      if (evidence.demandInPrompt[d]) prompt += evidence.demandWeight[d]!;
      else if (found) visible += evidence.demandWeight[d]!;
    }
    rows.push({ tokens, visible, prompt, kinds: byKind.slice() });
  }
  return rows.reduce((sum, row) => sum + row.tokens + row.visible, 0);
}
