import { describe, expect, it } from 'vitest';
import { listPolicies } from '../../core/workspace/policies';
import { layoutStrip, stripStepAt, stripX } from '../../core/layout/policy-strip';
import { summarise } from '../../core/workspace/summary';
import { stateAt } from '../../core/workspace/state-at';
import { SWATCHES, type PolicyInfo } from '../../core/workspace/types';
import { lineOf, replayOf } from '../../testing/line';
import { toCsv } from '../shared/table-text';
import { comparisonTable } from './comparison-export';
import { LAYOUT_KEYS, vistaTable } from './comparison-layouts';
import { invariantsTable } from './invariants-model';
import { COMPARISON_KEYS, comparisonRows, eventWords, familyOf, orderComparison, referenceWords, valueOf } from './comparison-model';
import { differenceAt, tokensOf } from './difference-model';
import { nearestRemovals } from './removals';
import { crossingsOf, type SweepLine } from './sweep-model';

const LINE = lineOf('S 100, T 20, A 10, O 500 read, A 12, O 700 bash, A 5, O 300 read, A 5', [{ step: 4, sources: [3], weight: 3, lexeme: 'E1234' }]);
const POLICIES = listPolicies();
const held = (ids: readonly string[], budget: number, current = true) => new Map(ids.map((policy) => {
  const request = { policy, budget };
  return [policy, { outcome: { request, summary: summarise(replayOf(LINE, request), true) }, current }] as const;
}));
const rowsAt = (budget: number, pinned: string[] = []) => comparisonRows(POLICIES, held(POLICIES.map(({ id }) => id), budget), 'recorded', pinned);

describe('comparison rows', () => {
  it('are the totals of the replays', () => {
    for (const row of rowsAt(900)) {
      const { totals } = replayOf(LINE, { policy: row.info.id, budget: 900 });
      expect([valueOf(row, 'peak'), valueOf(row, 'mean'), valueOf(row, 'trajectory'), valueOf(row, 'firstLoss')]).toEqual([totals.peakContext, totals.meanContext, totals.trajectoryTokens, totals.firstLoss?.step ?? null]);
    }
  });

  it('sort by a column, unknown last both ways, pinned first whatever the order', () => {
    for (const descending of [false, true]) {
      const ordered = orderComparison(rowsAt(900, ['vista']), { sort: 'firstLoss', descending });
      expect(ordered[0]?.info.id).toBe('vista');
      const steps = ordered.slice(1).map((row) => valueOf(row, 'firstLoss'));
      const known = steps.filter((step) => step !== null) as number[];
      expect(steps.slice(0, known.length)).toEqual(known);
      expect(known).toEqual([...known].sort((a, b) => (descending ? b - a : a - b)));
      expect(known.length).toBeGreaterThan(0);
    }
    expect(orderComparison(rowsAt(900), { sort: null, descending: false }).map(({ info }) => info.id)).toEqual(POLICIES.map(({ id }) => id));
  });

  it('call what knows the future and what nobody would run by their names', () => {
    const info = POLICIES.find(({ id }) => id === 'keep-everything') as PolicyInfo;
    expect(referenceWords(info)).toBe('reference');
    expect(referenceWords({ ...info, causal: false })).toBe('not causal');
    expect(POLICIES.filter(({ reference }) => reference).map(({ id }) => id)).toEqual(['keep-everything', 'oracle', 'random-archive', 'recency']);
    expect(referenceWords(POLICIES.find(({ id }) => id === 'append-truncate') as PolicyInfo)).toBeNull();
  });

  it('are copied only when they are of the budget shown', () => {
    const old = comparisonRows(POLICIES, held(['vista'], 900, false), 'recorded', []);
    expect(comparisonTable(old)).toHaveLength(1);
    const rows = comparisonRows(POLICIES, held(['recorded', 'vista'], 900), 'recorded', []);
    const [names, first] = toCsv(comparisonTable(rows)).split('\r\n').map((line) => line.split(','));
    expect(Object.fromEntries(names!.map((name, i) => [name, first![i]]))).toMatchObject({ policy: 'recorded', budget: '900', peakContext: String(replayOf(LINE, { policy: 'recorded', budget: 900 }).totals.peakContext) });
  });
});

describe('rows of VISTA’s tables', () => {
  const rows = rowsAt(900).filter(({ info }) => ['append-truncate', 'auto-archive', 'vista'].includes(info.id));
  const asObjects = (layout: 'vista-1' | 'vista-2' | 'vista-7') => {
    const [head = [], ...body] = vistaTable(layout, rows);
    return body.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])));
  };

  it('1: mechanism, evidence and trajectory', () => {
    expect(asObjects('vista-1').map((row) => [row['Method'], row['State'], row['Ctrl'], row['Recov']])).toEqual([['append-truncate', 'no', 'no', 'no'], ['auto-archive', 'no', 'no', 'yes'], ['vista', 'yes', 'yes', 'yes']]);
    const { totals } = replayOf(LINE, { policy: 'append-truncate', budget: 900 });
    expect(asObjects('vista-1')[0]).toMatchObject({ 'Evidence visible (%)': 0, 'Evidence lost (%)': 100, 'Traj. tokens': totals.trajectoryTokens });
  });

  it('2: input and output in millions, cache rate and cost', () => {
    const { totals } = replayOf(LINE, { policy: 'auto-archive', budget: 900 });
    expect(asObjects('vista-2')[1]).toMatchObject({ 'Input (M)': Number((totals.trajectoryTokens / 1e6).toFixed(3)), 'Cost (USD)': Number((totals.usd ?? 0).toFixed(4)), 'Cache rate (%)': Number(((totals.cacheRate ?? 0) * 100).toFixed(1)) });
  });

  it('7: steps, tokens and what the manager did', () => {
    expect(asObjects('vista-7')[0]).toMatchObject({ Family: 'fixed external policy', Steps: 4, 'Mgmt. events': '2 trim', Notes: 'exact' });
    expect(asObjects('vista-7')[1]?.['Mgmt. events']).toBe('2 offload');
    const { totals } = replayOf(LINE, { policy: 'auto-archive', budget: 900 });
    expect(eventWords({ ...totals, opsByKind: { recover: 2, expand: 1, archive: 3, offload: 7, pin: 1 } })).toBe('7 offload / 3 archive / 3 read');
  });

  it('families follow the capability row; every column has a place in some layout', () => {
    expect(new Set(POLICIES.map(familyOf))).toEqual(new Set(['as recorded', 'reference line', 'fixed external policy', 'agent-mediated, lossy', 'lossless external store', 'state + control + recovery']));
    expect(new Set(Object.values(LAYOUT_KEYS).flat())).toEqual(new Set(COMPARISON_KEYS));
  });
});

describe('invariants as a table', () => {
  it('has a row a policy that was checked, and the budget that would do', () => {
    const results = [1, 2, 3, 4, 5, 6, 7].map((invariant) => ({ invariant, verdict: invariant === 4 ? 'violated' as const : 'holds' as const, at: invariant === 4 ? 12 : null, detail: '', checked: '' }));
    const request = { policy: 'vista', budget: 900 };
    const outcomes = new Map([['vista', { request, report: { policy: 'vista', budget: 900, results, infeasible: { steps: 2, first: 3, smallestFeasibleBudget: 1100 } } }], ['acm', { request, error: 'no' }]] as const);
    expect(invariantsTable(POLICIES, outcomes).slice(1)).toEqual([['vista', 900, 'holds', 'holds', 'holds', 'violated at 12', 'holds', 'holds', 'holds', 2, 3, 1100]]);
  });
});

describe('strips', () => {
  it('keep peaks when steps are narrower than pixels, and lose no mark kind', () => {
    const { strip } = summarise(replayOf(LINE, { policy: 'append-truncate', budget: 900 }), true);
    const layout = layoutStrip(strip!, { width: 2, height: 50, maxTokens: 1000 });
    const span = SWATCHES.length + 1;
    const tops = Array.from({ length: layout.n }, (_, c) => layout.bounds[c * span + SWATCHES.length]);
    expect(Math.max(...tops as number[])).toBe(Math.max(...strip!.contextTokens));
    expect(new Set(layout.marks.map(({ kind }) => kind))).toEqual(new Set(['out', 'lost']));
  });

  it('a click on a step goes to that step', () => {
    for (const steps of [1, 7, 400]) for (let step = 1; step <= steps; step++) expect(stripStepAt(stripX(step, steps, 613), steps, 613)).toBe(step);
  });
});

describe('difference of two policies', () => {
  it('puts every block of the step in one of four lists; against itself nothing differs', () => {
    const a = replayOf(LINE, { policy: 'auto-archive', budget: 900 });
    const b = replayOf(LINE, { policy: 'append-truncate', budget: 900 });
    for (let step = 1; step <= a.steps.n; step++) {
      const { onlyA, onlyB, both, neither } = differenceAt(a, b, LINE.blocks, step);
      const born = [...LINE.blocks.bornStep].filter((at) => at <= step).length;
      expect(onlyA.length + onlyB.length + both.length + neither.length).toBe(born);
      const bases = [...both, ...onlyB].map(({ base }) => base);
      for (const item of stateAt(b, step).visible) if ((b.blocks.base[item] ?? -1) >= 0) expect(bases).toContain(b.blocks.base[item]);
      const same = differenceAt(a, a, LINE.blocks, step);
      expect([tokensOf(same.onlyA), tokensOf(same.onlyB)]).toEqual([0, 0]);
    }
  });

  it('removal steps are found on both sides of the playhead', () => {
    const run = replayOf(LINE, { policy: 'append-truncate', budget: 900 });
    const trims = [...new Set(run.ops.filter(({ op }) => op === 'trim').map(({ step }) => step))];
    expect(trims.length).toBeGreaterThan(0);
    expect(nearestRemovals(run, 0)).toEqual({ previous: null, next: trims[0], total: trims.length });
    expect(nearestRemovals(run, trims[0]!).next).toBe(trims[1] ?? null);
  });
});

describe('pressure sweep', () => {
  it('marks where two lines change order', () => {
    const line = (policy: string, values: number[]): SweepLine => ({ policy, colour: '', dash: '', strong: true, points: values.map((value, i) => ({ window: 4000 * 2 ** i, value, infeasible: false })) });
    const found = crossingsOf([line('a', [0, 1, 2]), line('b', [1, 0, 3])]);
    expect(found.map(({ a, b, window, value }) => [a, b, Math.round(window), value])).toEqual([['a', 'b', Math.round(4000 * Math.SQRT2), 0.5], ['a', 'b', Math.round(8000 * Math.SQRT2), 1.5]]);
    expect(crossingsOf([line('a', [0, 1]), line('b', [NaN, 0])])).toEqual([]);
  });
});
