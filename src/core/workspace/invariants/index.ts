/**
 * The seven invariants of model.md §3, checked on a real run: for one policy at one budget, which hold, where one is
 * violated first, and what was looked at. Numbers and logs are checked at every step; prompts, folds and causality, which
 * cost a rendering or a replay each, at sampled steps unless all are asked for.
 */
import { throwIfCancelled } from '../../base/errors';
import { bytesReadBack, deletions } from './bytes';
import { deterministic, onlyThePast } from './causality';
import { orderAndPins, prompts } from './prompts';
import { SAMPLE_STEPS, sampledSteps } from './sample';
import type { InvariantOptions, InvariantReport, InvariantResult, InvariantSource } from './types';
import { infeasibleOf, withinBudget } from './within-budget';

export { INVARIANTS } from './types';
export type { InvariantOptions, InvariantReport, InvariantResult, InvariantSource } from './types';

/** Checks all seven. Rejects with `cancelled` between two checks. */
export async function checkInvariants(source: InvariantSource, { sampleSteps = SAMPLE_STEPS, signal, breathe }: InvariantOptions = {}): Promise<InvariantReport> {
  const pause = async (): Promise<void> => {
    await breathe?.();
    throwIfCancelled(signal);
  };
  const { replay } = source;
  const steps = sampledSteps(replay, sampleSteps);
  const results: InvariantResult[] = [withinBudget(replay)];
  results.push(await bytesReadBack(source), deletions(replay));
  await pause();
  results.push(await prompts(source, steps, pause), orderAndPins(replay));
  await pause();
  results.push(await onlyThePast(source, pause));
  results.push(await deterministic(source, steps));
  return { policy: replay.policy, budget: replay.budget, results, infeasible: infeasibleOf(replay) };
}
