import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RandomStream } from '../numerics/random-stream';
import { unitRows, unitVector } from '../numerics/unit-rows';
import { capacityAt } from './capacity';
import { checkpointView, naturalCore, type CheckpointView } from './checkpoint-view';
import { buildLab, labCapacities, LAB_PARTS, LAB_TARGETS, type LabSettings } from './lab';
import { lazyGram, SELECTORS, selectorById } from './selectors';
import { chosenWithinTokens } from './token-match';
import type { BlockDetection } from './detect-block';

const D = 12;
const encoder = { id: 'test@1', dim: D, sha256: null };
const quiet: BlockDetection = { operations: [], error: null, source: null };

function viewOf(n: number, seed: number, action = true): CheckpointView {
  const stream = new RandomStream(seed);
  const random = (count: number): Float32Array => Float32Array.from({ length: count * D }, () => stream.normal());
  const unit = (): Float64Array => unitVector(random(1));
  return checkpointView({
    rows: unitRows(random(n), n, D), detections: Array.from({ length: n }, () => quiet), sizes: Array.from({ length: n }, (_, i) => ({ tokens: 10 + ((i * 37) % 90), chars: 40 + ((i * 53) % 400) })),
    goal: unit(), stateQuery: unit(), stateQueryText: '', action: action ? unit() : null, final: unit(), seed: 0,
  });
}
const settings = (n: number, change: Partial<LabSettings> = {}): LabSettings => ({ checkpoint: n, k: 'auto', tau: 0.9, seed: 0, selectors: ['gem', 'recency'], ...change });

describe('capacity', () => {
  it('is 16 unless given, and the exact ceiling of 0.45 n when scaled', () => {
    expect([capacityAt(undefined, 100), capacityAt(20, 100)]).toEqual([16, 20]);
    // 0.45 * 140 is 63.000000000000007 in binary.
    expect([1, 20, 21, 140, 500].map((n) => capacityAt('scaled', n))).toEqual([1, 9, 10, 63, 225]);
  });

  it('is swept from 8 to 20, or in rising steps to 0.45 n that hold 16', () => {
    expect(labCapacities(500)).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
    expect(labCapacities(30, true)).toEqual(labCapacities(30));
    const wide = labCapacities(500, true);
    expect([wide[0], wide.at(-1), wide.includes(16)]).toEqual([8, 225, true]);
    expect(wide.every((k, i) => i === 0 || k > wide[i - 1]!)).toBe(true);
  });
});

describe('the laboratory', () => {
  const n = 40;
  const view = viewOf(n, 7);

  it('names encoder, checkpoint and the size of the protection on every part', () => {
    for (const part of LAB_PARTS) expect(buildLab(view, encoder, part, settings(n))).toMatchObject({ part, encoder, checkpoint: n, protected: view.protection.all.length });
  });

  it('sweeps τ by the natural core at each, at the capacity that is set', () => {
    const lab = buildLab(view, encoder, 'target', settings(n, { capacity: 'scaled' }));
    if (lab.part !== 'target') throw new Error(lab.part);
    expect(lab.capacity).toBe(18);
    expect(lab.rows.map((row) => [row.tau, row.kept, row.stop])).toEqual(LAB_TARGETS.map((tau) => {
      const core = naturalCore(view, 18, tau);
      return [tau, core.kept.length, core.stop];
    }));
  });

  it('completes every ablation to the same number of blocks', () => {
    const lab = buildLab(view, encoder, 'ablation', settings(n, { k: 11 }));
    if (lab.part !== 'ablation') throw new Error(lab.part);
    expect(lab.k).toBe(11);
    expect(lab.rows.map((row) => row.selector)).toEqual(['gem', 'gem-recent', 'gem-goal', 'gem-state', 'gem-error', 'gem-source']);
  });

  it('shows both blocks of a replacement with what they are matched by, both arms, and their difference', () => {
    const lab = buildLab(view, encoder, 'replacement', settings(n), (index) => `text ${index}`);
    if (lab.part !== 'replacement') throw new Error(lab.part);
    const { targeted, matched, replacement, arms, effects } = lab;
    const kept = naturalCore(view).kept;
    expect(kept).toContain(targeted?.index);
    expect(kept).toContain(matched?.index);
    expect(kept).not.toContain(replacement?.index);
    expect(targeted?.text).toBe(`text ${targeted?.index}`);
    expect(matched!.alpha).toBeLessThanOrEqual(lab.medianAlpha!);
    expect(targeted!.alpha).toBeGreaterThanOrEqual(matched!.alpha);
    for (const key of ['actionProjection', 'top3', 'centroid', 'coverage'] as const) expect(effects![key]).toBe(arms!.targeted[key] - arms!.matched[key]);
  });

  it('says why there is no pair', () => {
    const none = buildLab(viewOf(n, 3, false), encoder, 'replacement', settings(n));
    expect(none).toMatchObject({ targeted: null, matched: null, effects: null, reason: expect.stringContaining('no next action') as string });
    const whole = buildLab(viewOf(10, 7), encoder, 'replacement', settings(10, { k: 10 }));
    expect(whole).toMatchObject({ replacement: null, arms: null, reason: expect.stringContaining('kept already') as string });
  });
});

describe('matched by tokens', () => {
  it.each(SELECTORS.map((selector) => selector.id))('%s keeps the longest beginning of its order within the tokens', (id) => {
    fc.assert(fc.property(fc.integer({ min: 5, max: 50 }), fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 100, max: 2000 }), (n, seed, budget) => {
      const view = viewOf(n, seed);
      const selector = selectorById(id)!;
      const start = selector.groups.length === 0 ? [] : view.protection.all;
      const tokens = view.sizes.map((size) => size.tokens);
      const sum = (kept: readonly number[]): number => kept.reduce((total, i) => total + tokens[i]!, 0);
      const context = { rows: view.rows, gram: lazyGram(view.rows), start, k: 6, goal: view.targets.goal, seed: 0 };
      const { kept } = chosenWithinTokens(selector, context, tokens, budget);
      expect(new Set(kept).size).toBe(kept.length);
      if (sum(kept) > budget) expect([...kept].sort((a, b) => a - b)).toEqual([...start].sort((a, b) => a - b));
      // One more block of its own order would not fit, or there is none.
      const next = selector.select({ ...context, k: kept.length + 1 }).kept;
      if (next.length > kept.length && kept.length < n) expect(sum(next)).toBeGreaterThan(budget);
    }), { numRuns: 25 });
  });
});
