import { REMOVING_OPS } from '../../core/workspace/removing-ops';
import type { Replay } from '../../core/workspace/types';

const stepsOf = new WeakMap<Replay, number[]>();

/** Steps whose ops took something out of the context, ascending; once a replay. */
function removalSteps(replay: Replay): number[] {
  let steps = stepsOf.get(replay);
  if (steps === undefined) stepsOf.set(replay, (steps = [...new Set(replay.ops.filter(({ op, step }) => REMOVING_OPS.has(op) && step <= replay.steps.n).map(({ step }) => step))]));
  return steps;
}

export function nearestRemovals(replay: Replay, step: number): { previous: number | null; next: number | null; total: number } {
  const steps = removalSteps(replay);
  return { previous: steps.findLast((one) => one < step) ?? null, next: steps.find((one) => one > step) ?? null, total: steps.length };
}
