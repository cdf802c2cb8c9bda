import { describe, expect, it } from 'vitest';
import { costOf } from '../../core/workspace/cost';
import { listPolicies } from '../../core/workspace/policies';
import { PAPER_PRICES, PRICE_PRESETS, type PriceTable } from '../../core/workspace/prices';
import { summarise } from '../../core/workspace/summary';
import { lineOf, replayOf } from '../../testing/line';
import { cacheBreaks, costRows, costTable, costValue, orderCosts, stepTimes } from './cost-model';

const LINE = lineOf('S 1000, T 500, A 100, O 3000 read, A 100, O 2600 bash, A 100, O 900 read, A 50, O 900 read, A 50');
const exact: PriceTable = { ...PAPER_PRICES, cache: { granularity: 1, minimum: 0 } };
const policies = listPolicies();
const outcomes = new Map(policies.map(({ id }) => {
  const request = { policy: id, budget: 6000 };
  return [id, { outcome: { request, summary: summarise(replayOf(LINE, request), true) }, current: true }] as const;
}));

describe('cost rows', () => {
  it('are the costs of the whole replays at any price book', () => {
    for (const prices of PRICE_PRESETS) {
      for (const row of costRows(policies, outcomes, prices, stepTimes(LINE), 'vista')) {
        expect(row.cost.totals).toEqual(costOf(replayOf(LINE, { policy: row.policy, budget: 6000 }), prices, stepTimes(LINE)).totals);
      }
    }
  });

  it('keep fewer tokens apart from cheaper, and sort by either', () => {
    const rows = costRows(policies, outcomes, PAPER_PRICES, stepTimes(LINE), 'vista');
    const base = rows.find(({ policy }) => policy === 'recorded');
    expect([costValue(base!, base, 'tokensRatio'), costValue(base!, base, 'usdRatio')]).toEqual([1, 1]);
    for (const column of ['input', 'allUsd'] as const) {
      const values = orderCosts(rows, base, column, false).map((row) => Number(costValue(row, base, column)));
      expect(values).toEqual([...values].sort((a, b) => a - b));
    }
    expect(costTable(rows.map((row) => ({ ...row, current: row.policy === 'vista' })), base)).toHaveLength(2);
  });
});

describe('cache breaks', () => {
  it('nothing breaks where nothing leaves', () => {
    const run = replayOf(LINE, { policy: 'keep-everything', budget: 6000 });
    expect(cacheBreaks(run, costOf(run, exact))).toEqual([]);
    // What is rounded off to whole granules is no break either.
    expect(cacheBreaks(run, costOf(run, PAPER_PRICES))).toEqual([]);
  });

  it('a trim early in the context breaks what follows it, at its own step', () => {
    const run = replayOf(LINE, { policy: 'append-truncate', budget: 6000 });
    const [worst] = cacheBreaks(run, costOf(run, exact));
    expect(worst?.ops.map(({ op }) => op)).toContain('trim');
    expect(worst?.usd).toBeCloseTo((worst!.lost * 0.45) / 1e6, 12);
  });

  it('an old prefix is sent again as a whole', () => {
    const run = replayOf(LINE, { policy: 'keep-everything', budget: 6000 });
    const times = Float64Array.from({ length: run.steps.n }, (_, i) => (i < 3 ? i * 1000 : 3_600_000 + i * 1000));
    const breaks = cacheBreaks(run, costOf(run, { ...exact, cacheExpiryMs: 60_000 }, times));
    expect(breaks.map(({ step, expired }) => [step, expired])).toEqual([[4, true]]);
  });
});
