/** One row of the comparison table from a replay's columns (policies.md "Comparison"). */
import { KIND } from './kinds';
import type { Management } from './management';
import { costUsd, PAPER_PRICES } from './prices';
import { STEP_MODES, type Op, type PagingTotals, type ReplayInput, type ReplayRequest, type ReplaySteps, type ReplayTotals } from './types';

export function sumUp(
  input: ReplayInput, request: ReplayRequest, steps: ReplaySteps, ops: readonly Op[], management: Management, firstLoss: ReplayTotals['firstLoss'], paging: PagingTotals,
): ReplayTotals {
  steps.outputTokens.set(outputTokens(input));
  let peak = 0;
  let sum = 0;
  let cached = 0;
  let generated = 0;
  const weights = { visible: 0, recoverable: 0, lost: 0 };
  const counts = { overflow: 0, over: 0, infeasible: 0, obligations: 0, reads: 0 };
  for (let i = 0; i < steps.n; i++) {
    const tokens = steps.contextTokens[i] ?? 0;
    peak = Math.max(peak, tokens);
    sum += tokens;
    cached += steps.cachedTokens[i] ?? 0;
    generated += steps.outputTokens[i] ?? 0;
    weights.visible += steps.visibleWeight[i] ?? 0;
    weights.recoverable += steps.recoverableWeight[i] ?? 0;
    weights.lost += steps.lostWeight[i] ?? 0;
    const mode = STEP_MODES[steps.mode[i] ?? 0];
    if (mode === 'overflow') counts.overflow += 1;
    else if (mode === 'over') counts.over += 1;
    counts.infeasible += steps.infeasible[i] ?? 0;
    counts.obligations += steps.obligations[i] ?? 0;
    counts.reads += steps.reads[i] ?? 0;
  }
  const opsByKind: Record<string, number> = {};
  for (const op of ops) if (op.op !== 'admit') opsByKind[op.op] = (opsByKind[op.op] ?? 0) + 1;
  return {
    peakContext: peak, meanContext: steps.n > 0 ? sum / steps.n : 0, trajectoryTokens: sum, opsByKind,
    overflowSteps: counts.overflow, overSteps: counts.over, infeasibleSteps: counts.infeasible, firstLoss,
    evidenceVisible: weights.visible, evidenceRecoverable: weights.recoverable, evidenceLost: weights.lost,
    obligations: counts.obligations, reads: counts.reads, cacheRate: sum > 0 ? cached / sum : null,
    usd: steps.n > 0 ? costUsd(PAPER_PRICES, sum - cached, cached, generated) : null,
    managementCalls: management.calls, managementTokens: management.tokens,
    totalBudgetStep: request.totalBudget === undefined ? null : exhaustedAt(input, request.totalBudget, management), paging,
  };
}

/** Output of each call: the provider's record where there is one, else the counted tokens of its assistant block. */
function outputTokens(input: ReplayInput): Float64Array {
  const { blocks, facts } = input;
  const counted = new Map<number, number>();
  for (let b = 0; b < blocks.n; b++) {
    if (blocks.kind[b] !== KIND.assistant) continue;
    const message = blocks.messageIndex[b] ?? 0;
    counted.set(message, (counted.get(message) ?? 0) + (blocks.tokens[b] ?? 0));
  }
  return Float64Array.from({ length: facts.steps }, (_, i) => {
    const measured = facts.measuredOutput[i] ?? NaN;
    return Number.isNaN(measured) ? (counted.get(facts.stepMessage[i] ?? -1) ?? 0) : measured;
  });
}

/** First step whose new content, generated and admitted and summed over the run (VISTA App. G), is above the total budget. */
function exhaustedAt(input: ReplayInput, totalBudget: number, management: Management): number | null {
  const { blocks, facts } = input;
  const byStep = new Float64Array(facts.steps + 2);
  for (let b = 0; b < blocks.n; b++) {
    if (blocks.kind[b] === KIND.system || blocks.kind[b] === KIND.task) continue;
    const step = Math.min(blocks.bornStep[b] ?? 1, facts.steps + 1);
    byStep[step]! += blocks.tokens[b] ?? 0;
  }
  let spent = 0;
  for (let t = 1; t <= facts.steps; t++) {
    spent += (byStep[t] ?? 0) + management.newTokensAt(t);
    if (spent > totalBudget) return t;
  }
  return null;
}
