/** Invariant 1: |C_t| ≤ B, or the step says that it cannot be and what would do. */
import { ensurePolicy } from '../policies';
import type { Replay } from '../types';
import { holds, stepWords, violated } from './sample';
import type { InvariantReport, InvariantResult } from './types';

export function infeasibleOf({ steps }: Replay): InvariantReport['infeasible'] {
  let number = 0;
  let first = 0;
  let smallest = 0;
  for (let i = 0; i < steps.n; i++) {
    if (steps.infeasible[i] !== 1) continue;
    number += 1;
    first ||= i + 1;
    smallest = Math.max(smallest, steps.smallestFeasibleBudget[i] ?? 0);
  }
  return number === 0 ? null : { steps: number, first, smallestFeasibleBudget: smallest };
}

export function withinBudget(replay: Replay): InvariantResult {
  const { steps, budget } = replay;
  const checked = stepWords(steps.n, steps.n);
  let over = 0;
  for (let i = 0; i < steps.n; i++) {
    const tokens = steps.contextTokens[i] ?? 0;
    const isOver = tokens > budget;
    if (isOver) over += 1;
    if (!ensurePolicy(replay.policy).bound) continue;
    if (isOver !== (steps.infeasible[i] === 1)) return violated(1, i + 1, isOver ? `${tokens} tokens are above B and the step does not say so` : 'the step is within B and yet called infeasible', checked);
    if (isOver && (steps.smallestFeasibleBudget[i] ?? 0) <= budget) return violated(1, i + 1, 'infeasible without the budget that would do', checked);
  }
  if (!ensurePolicy(replay.policy).bound) return { ...holds(1, checked, `not bound by B (policies.md); ${over} ${over === 1 ? 'step is' : 'steps are'} above it`), verdict: 'exempt' };
  const cannot = infeasibleOf(replay);
  return holds(1, checked, cannot === null ? '' : `${cannot.steps} infeasible from step ${cannot.first}; B = ${cannot.smallestFeasibleBudget} would do`);
}
