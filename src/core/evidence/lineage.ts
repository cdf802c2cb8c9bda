import type { EvidenceIndex } from './types';

export interface DemandSource { block: number; echo: boolean }
export interface Demand {
  lexeme: string;
  weight: number;
  /** Blocks that held it then; `sources` may list fewer (the first and the newest). */
  df: number;
  inPrompt: boolean;
  sources: DemandSource[];
}

/** What the call of a step (from 1) demonstrably used, heaviest first. */
export function demandsOfStep(index: EvidenceIndex, step: number): Demand[] {
  if (step < 1 || step > index.steps) return [];
  const demands: Demand[] = [];
  for (let d = index.demandStart[step - 1]!; d < index.demandStart[step]!; d++) {
    const sources: DemandSource[] = [];
    for (let s = index.sourceStart[d]!; s < index.sourceStart[d + 1]!; s++) sources.push({ block: index.sources[s]!, echo: index.sourceIsEcho[s] === 1 });
    demands.push({ lexeme: index.lexemes[index.demandLexeme[d]!]!, weight: index.demandWeight[d]!, df: index.demandDf[d]!, inPrompt: index.demandInPrompt[d] === 1, sources });
  }
  return demands.sort((a, b) => b.weight - a.weight);
}

export interface BlockUse { step: number; weight: number; lexemes: string[] }

/**
 * Steps that used a block, in order: those with a demand it is a source of, echoes apart; demands that the prompt
 * satisfies count for the prompt's own blocks only (`isPrompt`). Agrees with `uses` and `lastUse`. Linear in all sources.
 */
export function usersOfBlock(index: EvidenceIndex, block: number): BlockUse[] {
  const users: BlockUse[] = [];
  for (let step = 1; step <= index.steps; step++) {
    let use: BlockUse | undefined;
    for (let d = index.demandStart[step - 1]!; d < index.demandStart[step]!; d++) {
      for (let s = index.sourceStart[d]!; s < index.sourceStart[d + 1]!; s++) {
        if (index.sources[s] !== block || index.sourceIsEcho[s] === 1) continue;
        if (index.demandInPrompt[d] === 1 && index.isPrompt[block] === 0) continue;
        if (!use) users.push((use = { step, weight: 0, lexemes: [] }));
        use.weight += index.demandWeight[d]!;
        use.lexemes.push(index.lexemes[index.demandLexeme[d]!]!);
      }
    }
  }
  return users;
}
