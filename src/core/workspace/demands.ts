/**
 * Evidence of one step against the workspace (evidence.md §1): every demand is visible, recoverable or lost; and which
 * blocks must come back so that nothing recoverable is missing.
 */
import type { EvidenceIndex } from '../evidence/types';
import { estimatingCounter } from '../trace/blocks-tokens';
import type { Workspace } from './workspace';

export interface DemandReport {
  prompt: number;
  visible: number;
  recoverable: number;
  lost: number;
  /** Lexeme of the heaviest lost demand; null = nothing lost. */
  lostLexeme: string | null;
  /** Demands that only the archive holds (indices into the evidence index). */
  missing: number[];
  /** Demands that nothing holds any more. */
  gone: number[];
}

export function measureDemands(ws: Workspace, evidence: EvidenceIndex, step: number): DemandReport {
  const report: DemandReport = { prompt: 0, visible: 0, recoverable: 0, lost: 0, lostLexeme: null, missing: [], gone: [] };
  let heaviest = -1;
  const to = evidence.demandStart[step] ?? 0;
  for (let d = evidence.demandStart[step - 1] ?? 0; d < to; d++) {
    const weight = evidence.demandWeight[d] ?? 0;
    if (evidence.demandInPrompt[d] === 1) {
      report.prompt += weight;
      continue;
    }
    let recoverable = false;
    let visible = false;
    const end = evidence.sourceStart[d + 1] ?? 0;
    for (let s = evidence.sourceStart[d] ?? 0; s < end; s++) {
      const item = ws.columns.itemOfBase[evidence.sources[s] ?? 0] ?? -1;
      if (item < 0) continue;
      if (ws.isHeld(item)) {
        visible = true;
        break;
      }
      recoverable ||= ws.isStored(item);
    }
    if (visible) report.visible += weight;
    else if (recoverable) {
      report.recoverable += weight;
      report.missing.push(d);
    } else {
      report.lost += weight;
      report.gone.push(d);
      if (weight > heaviest) {
        heaviest = weight;
        report.lostLexeme = evidence.lexemes[evidence.demandLexeme[d] ?? 0] ?? '';
      }
    }
  }
  return report;
}

/** Blocks that must come back for the missing demands, in order of need: each the smallest that serves, one for several where it can. */
export function obligationsOf(ws: Workspace, evidence: EvidenceIndex, missing: readonly number[]): number[] {
  return smallestSources(ws, evidence, missing, (item) => ws.isStored(item));
}

/** The same for demands that nothing holds any more: what a model would have to get again from outside. */
export function lostBlocksOf(ws: Workspace, evidence: EvidenceIndex, gone: readonly number[]): number[] {
  return smallestSources(ws, evidence, gone, () => true);
}

function smallestSources(ws: Workspace, evidence: EvidenceIndex, demands: readonly number[], serves: (item: number) => boolean): number[] {
  const byWeight = [...demands].sort((a, b) => (evidence.demandWeight[b] ?? 0) - (evidence.demandWeight[a] ?? 0) || a - b);
  const chosen = new Set<number>();
  for (const d of byWeight) {
    let smallest = -1;
    let served = false;
    for (let s = evidence.sourceStart[d] ?? 0; s < (evidence.sourceStart[d + 1] ?? 0) && !served; s++) {
      const item = ws.columns.itemOfBase[evidence.sources[s] ?? 0] ?? -1;
      if (item < 0 || !serves(item)) continue;
      served = chosen.has(item);
      if (smallest < 0 || ws.columns.tokens.get(item) < ws.columns.tokens.get(smallest)) smallest = item;
    }
    if (!served && smallest >= 0) chosen.add(smallest);
  }
  return [...chosen];
}

/** Tokens of the strings of some demands; estimated, bytes ÷ 4: no replay waits for a tokenizer to say it. */
export function tokensOfDemands(evidence: EvidenceIndex, demands: readonly number[]): number {
  return demands.reduce((sum, d) => sum + estimatingCounter.count(evidence.lexemes[evidence.demandLexeme[d] ?? 0] ?? ''), 0);
}
