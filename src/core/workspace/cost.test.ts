import { describe, expect, it } from 'vitest';
import { blocksOf, countWords, inputOf } from '../../testing/workspace';
import { costOf } from './cost';
import { PAPER_PRICES, PRICE_PRESETS, type PriceTable } from './prices';
import { replay } from './replay';

const INPUT = inputOf(blocksOf('S 1000, T 500, A 100, O 1000 read, A 100, O 600 bash, A 100'));
const run = (policy: string, budget = 9000): ReturnType<typeof replay> => replay(INPUT, { policy, budget }, countWords);
// Contexts: 1511; + 1108 = 2619; + 708 = 3327. Prefixes: 0; 1508; 2616 (the 3 tokens once a request are in none).
const exact: PriceTable = { ...PAPER_PRICES, cache: { granularity: 1, minimum: 0 } };

describe('cost of a replay', () => {
  it('prices cached, uncached and output of each call', () => {
    const { steps, totals } = costOf(run('keep-everything'), exact);
    expect([...steps.input]).toEqual([1511, 2619, 3327]);
    expect([...steps.cached]).toEqual([0, 1508, 2616]);
    expect([...steps.output]).toEqual([100, 100, 100]);
    expect(steps.usd[1]).toBeCloseTo((1508 * 0.05 + 1111 * 0.5 + 100 * 3) / 1e6, 12);
    expect(totals.cacheRate).toBeCloseTo(4124 / 7457, 12);
    expect(totals.usd).toBeCloseTo((4124 * 0.05 + 3333 * 0.5 + 300 * 3) / 1e6, 12);
    // The totals of the replay are those of the paper's prices.
    expect(costOf(run('keep-everything'), PAPER_PRICES).totals.usd).toBeCloseTo(run('keep-everything').totals.usd ?? NaN, 12);
  });

  it('rounds down to granules and knows a least length', () => {
    const coarse = costOf(run('keep-everything'), { ...exact, cache: { granularity: 1000, minimum: 2000 } });
    expect([...coarse.steps.cached]).toEqual([0, 0, 2000]);
  });

  it('charges what is written to the cache, and forgets a prefix after its time', () => {
    const book: PriceTable = { ...exact, cacheWrite: 0.625, cacheExpiryMs: 1000 };
    const { steps } = costOf(run('keep-everything'), book);
    expect([...steps.written]).toEqual([1511, 1111, 711]);
    expect(steps.usd[2]).toBeCloseTo((2616 * 0.05 + 711 * 0.625 + 100 * 3) / 1e6, 12);
    const late = costOf(run('keep-everything'), book, [0, 900, 5000]);
    expect([...late.steps.cached]).toEqual([0, 1508, 0]);
    expect(late.totals.expiredSteps).toBe(1);
    expect(costOf(run('keep-everything'), book, [0, NaN, 5000]).totals.expiredSteps).toBe(0);
  });

  it('an edit early in the context breaks the cache: fewer tokens, yet dearer input', () => {
    const kept = costOf(run('keep-everything'), exact);
    const masked = costOf(replay(INPUT, { policy: 'observation-masking', params: { turns: 1 }, budget: 9000 }, countWords), exact);
    expect(masked.totals.input).toBeLessThan(kept.totals.input);
    // Step 3 keeps its prefix up to the call whose result was masked.
    expect(masked.steps.cached[2]).toBe(1508 + 104);
    expect(masked.steps.uncached[2]).toBeGreaterThan(kept.steps.uncached[2] ?? 0);
  });

  it('adds management apart', () => {
    const { totals, steps } = costOf(replay(INPUT, { policy: 'resum', params: { summaryTokens: 50 }, budget: 3000 }, countWords), exact);
    expect(totals.usdWithManagement).toBeGreaterThan(totals.usd);
    expect(steps.managementUsd.reduce((sum, usd) => sum + usd, 0)).toBeCloseTo(totals.usdWithManagement - totals.usd, 12);
  });

  it('has dated presets with ids of their own', () => {
    expect(new Set(PRICE_PRESETS.map(({ id }) => id)).size).toBe(PRICE_PRESETS.length);
    for (const { date, cachedInput, uncachedInput } of PRICE_PRESETS) {
      expect(date).toMatch(/^\d{4}-\d{2}$/);
      expect(cachedInput).toBeLessThan(uncachedInput);
    }
  });
});
