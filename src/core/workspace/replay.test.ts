import { describe, expect, it } from 'vitest';
import { blocksOf, countWords, inputOf } from '../../testing/workspace';
import { replay } from './replay';
import { stateAt } from './state-at';
import { SWATCHES } from './types';

const RUN = blocksOf('S 100, T 50, A 20, O 500 read, A 20, O 400 read, A 30, O 300 grep, A 30, O 900 bash, A 10, O 200 bash, A 40');

describe('keep-everything', () => {
  it('counts the fixed overhead, every message and the per-message overhead', () => {
    const result = replay(inputOf(RUN, [], 70), { policy: 'keep-everything', budget: 1000 }, countWords);
    // 70 tools + 3 once; 100 system and 50 task with 4 each; then assistant and result of each round.
    expect([...result.steps.contextTokens]).toEqual([231, 231 + 528, 759 + 428, 1187 + 338, 1525 + 938, 2463 + 218]);
    expect(result.steps.mode[1]).toBe(0);
    expect(result.steps.mode[2]).toBe(2);
    // Not bound by B: nothing is enforced, yet four calls were above it.
    expect(result.totals).toMatchObject({ infeasibleSteps: 0, overflowSteps: 0, overSteps: 4 });
    expect([...stateAt(result, 3).visible]).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('splits the context by swatch without a remainder', () => {
    const result = replay(inputOf(RUN, [], 70), { policy: 'keep-everything', budget: 1000 }, countWords);
    for (let t = 0; t < result.steps.n; t++) {
      const row = result.steps.bySwatch.subarray(t * SWATCHES.length, (t + 1) * SWATCHES.length);
      expect(row.reduce((sum, tokens) => sum + tokens, 0)).toBe(result.steps.contextTokens[t]);
    }
  });

  it('reuses the whole previous context as cached prefix, in granules', () => {
    const result = replay(inputOf(RUN, [], 70), { policy: 'keep-everything', budget: 1000 }, countWords);
    // 1187 − 3 of step 3 lie before what step 4 adds: 9 granules of 128.
    expect([...result.steps.cachedTokens]).toEqual([0, 0, 0, 1152, 1408, 2432]);
  });
});

describe('auto-archive', () => {
  it('ends every step within the budget and archives the oldest first', () => {
    const result = replay(inputOf(RUN, [{ step: 4, sources: [3], lexeme: 'needle' }]), { policy: 'auto-archive', budget: 1400 }, countWords);
    expect(Math.max(...result.steps.contextTokens)).toBeLessThanOrEqual(1400);
    expect(result.ops.filter((op) => op.op === 'offload').map((op) => op.ids[0])).toEqual(expect.arrayContaining(['B4']));
    expect(result.steps.recoverableWeight[3]).toBe(1);
    expect(result.steps.reads[3]).toBe(1);
    expect(result.totals.reads).toBe(1);
    expect(result.totals.firstLoss).toBeNull();
  });
});
