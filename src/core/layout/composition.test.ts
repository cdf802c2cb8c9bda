import { describe, expect, it } from 'vitest';
import { blocksOf, countWords, inputOf } from '../../testing/workspace';
import { replay } from '../workspace';
import { SWATCHES } from '../workspace/types';
import { compositionColumns, swatchAt, tokenAxis } from './composition';
import { fitView } from './time-scale';

const RUN = blocksOf('S 100, T 50, A 20, O 500 read, A 20 r=5, O 400 read !, A 30, O 300 grep, A 30');
const { steps } = replay(inputOf(RUN), { policy: 'keep-everything', budget: 1000 }, countWords);
const SPAN = SWATCHES.length + 1;

describe('composition columns', () => {
  it('are one a step, touch without a gap and end at the total', () => {
    const columns = compositionColumns(steps, { view: fitView(steps.n), left: 72, width: 1001 }, 2);
    expect(columns.n).toBe(steps.n);
    expect([...columns.step]).toEqual([1, 2, 3, 4]);
    for (let i = 0; i < columns.n; i++) {
      expect(columns.bounds[i * SPAN + SWATCHES.length]).toBe(steps.contextTokens[i]);
      if (i > 0) expect(columns.left[i]).toBe(columns.right[i - 1]);
      expect((columns.left[i] ?? 0) * 2).toBe(Math.round((columns.left[i] ?? 0) * 2));
    }
    expect(columns.left[0]).toBe(72);
    expect(columns.right[3]).toBe(1073);
  });

  it('show the steps of the view alone', () => {
    const columns = compositionColumns(steps, { view: { from: 1.5, to: 3.5 }, left: 0, width: 100 }, 1);
    expect([...columns.step]).toEqual([2, 3]);
  });

  it('keep the fullest step of a pixel when steps are finer than pixels', () => {
    const n = 10_000;
    const bySwatch = new Uint32Array(n * SWATCHES.length);
    const contextTokens = new Uint32Array(n).fill(10);
    for (let t = 0; t < n; t++) bySwatch[t * SWATCHES.length] = 10;
    const peaks = [0, 4_321, 9_999];
    for (const t of peaks) {
      contextTokens[t] = 900;
      bySwatch[t * SWATCHES.length + 5] = 890;
    }
    const columns = compositionColumns({ ...steps, n, bySwatch, contextTokens }, { view: fitView(n), left: 0, width: 700 }, 1);
    expect(columns.n).toBe(700);
    const shown = [...columns.step].filter((step) => contextTokens[step - 1] === 900);
    expect(shown).toEqual(peaks.map((t) => t + 1));
    // Every pixel shows a step of its own stretch, in order.
    expect([...columns.step].every((step, i, all) => i === 0 || step >= (all[i - 1] ?? 0))).toBe(true);
  });

  it('finds the kind under a height', () => {
    const row = [...steps.bySwatch.subarray(2 * SWATCHES.length, 3 * SWATCHES.length)];
    const system = row[0] ?? 0;
    expect(swatchAt(steps, 3, system - 1)).toBe(SWATCHES.indexOf('system'));
    expect(swatchAt(steps, 3, system + 1)).toBe(SWATCHES.indexOf('task'));
    expect(swatchAt(steps, 3, (steps.contextTokens[2] ?? 0) - 1)).toBe(SWATCHES.indexOf('notice'));
    expect(swatchAt(steps, 3, 1e9)).toBe(-1);
  });
});

describe('token axis', () => {
  const none = new Float64Array(steps.n).fill(NaN);
  const peak = Math.max(...steps.contextTokens);

  it('begins at zero and ends above the peak and the budget', () => {
    expect(tokenAxis(steps, peak * 2, none)).toEqual({ max: peak * 2 * 1.06, budgetOnScale: true, measuredOnScale: true });
    expect(tokenAxis(steps, peak / 2, none).max).toBeCloseTo(peak * 1.06, 6);
  });

  it('leaves out a budget and a measured line that would flatten everything', () => {
    expect(tokenAxis(steps, 1_000_000, none)).toMatchObject({ max: peak * 1.06, budgetOnScale: false });
    expect(tokenAxis(steps, peak, none.map(() => peak * 10))).toMatchObject({ max: peak * 1.06, measuredOnScale: false });
    expect(tokenAxis(steps, Infinity, none).budgetOnScale).toBe(false);
  });
});
