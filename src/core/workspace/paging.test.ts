import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRun } from '../../testing/random-runs';
import { runTwelve } from '../../testing/twelve-blocks';
import { countQuarters, inputOf } from '../../testing/workspace';
import { listPolicies } from './policies';
import { replay } from './replay';

/** Call 6 uses "needle" (6 bytes: 2 tokens, estimated), which stands in block 3 (1 000 tokens) alone. */
describe('paging of the twelve-block run', () => {
  it('keep-everything never faults and sends what it carries again and again', () => {
    const { totals, steps } = runTwelve('keep-everything');
    // 161 + 1108 + 708 + 408 + 908 + 308, each call carrying all before it; 11 blocks of 3 250 tokens, 4 a message, once each.
    const admitted = 100 + 50 + 5 * 100 + 1000 + 600 + 300 + 800 + 200 + 12 * 4;
    const sent = [...steps.contextTokens].reduce((sum, tokens) => sum + tokens, 0);
    expect(totals.paging).toEqual({ faults: 0, faultsPerStep: 0, evictions: 0, faultRate: null, tokensRead: 0, tokensNeeded: 0, readAmplification: null, amplification: sent / admitted });
  });

  it('a trimmed block that is needed again is one fault, with nothing to read back', () => {
    const { totals, steps } = runTwelve('append-truncate');
    expect(steps.faults[5]).toBe(1);
    expect(totals.paging).toMatchObject({ faults: 1, faultsPerStep: 1 / 6, tokensRead: 0, tokensNeeded: 2, readAmplification: 0 });
    // Rounds 1 (100 + 1 000) and then 2 (100 + 600) go: four blocks.
    expect(totals.paging).toMatchObject({ evictions: 4, faultRate: 1 / 4 });
  });

  it('an archived block that is needed again is read back whole', () => {
    const { totals, steps } = runTwelve('auto-archive');
    expect(totals.paging.faults).toBe(1);
    expect(totals.reads).toBe(1);
    expect(totals.paging.tokensRead).toBe(steps.readTokens[5]);
    expect(totals.paging.tokensRead).toBeGreaterThanOrEqual(1000);
    expect(totals.paging.readAmplification).toBe(totals.paging.tokensRead / 2);
  });
});

it('faults are the obligations where a policy can read back, and there are none where nothing is missing', () => {
  fc.assert(fc.property(randomRun(), fc.integer({ min: 600, max: 6000 }), fc.constantFrom(...listPolicies().map(({ id }) => id)), (run, budget, policy) => {
    const { steps, totals, exactRecovery } = replay(inputOf(run.blocks, run.demands, run.tools), { policy, budget }, countQuarters);
    for (let i = 0; i < steps.n; i++) {
      const missing = (steps.recoverableWeight[i] ?? 0) + (steps.lostWeight[i] ?? 0);
      expect((steps.faults[i] ?? 0) > 0).toBe(missing > 0);
      expect((steps.neededTokens[i] ?? 0) > 0).toBe(missing > 0);
      expect(steps.faults[i]).toBeGreaterThanOrEqual(steps.obligations[i] ?? 0);
      if (exactRecovery && steps.lostWeight[i] === 0 && (steps.obligations[i] ?? 0) > 0) expect(steps.faults[i]).toBe(steps.obligations[i]);
    }
    expect(totals.paging.faults).toBe(steps.faults.reduce((sum, n) => sum + n, 0));
  }), { numRuns: 150 });
});
