import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomRun } from '../../testing/random-runs';
import { countQuarters, inputOf } from '../../testing/workspace';
import { EvidenceStatus } from './evidence-status';
import { listPolicies } from './policies';
import { replay } from './replay';

it('adds up to what the engine measured, under every policy, at every step', () => {
  fc.assert(fc.property(randomRun(), fc.integer({ min: 600, max: 8000 }), fc.constantFrom(...listPolicies().map(({ id }) => id)), (run, budget, policy) => {
    const input = inputOf(run.blocks, run.demands, run.tools);
    const { evidence } = input;
    const replayed = replay(input, { policy, budget }, countQuarters);
    const status = new EvidenceStatus(replayed, input.blocks.n);
    for (let step = 1; step <= replayed.steps.n; step++) {
      const sums = { visible: 0, recoverable: 0, lost: 0 };
      for (let d = evidence.demandStart[step - 1]!; d < evidence.demandStart[step]!; d++) {
        if (evidence.demandInPrompt[d] === 0) sums[status.ofDemand(evidence, d, step)] += evidence.demandWeight[d]!;
      }
      const { visibleWeight, recoverableWeight, lostWeight } = replayed.steps;
      expect({ policy, step, ...sums }).toEqual({ policy, step, visible: visibleWeight[step - 1], recoverable: recoverableWeight[step - 1], lost: lostWeight[step - 1] });
    }
  }), { numRuns: 600 });
});
