import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oracleJson, oracleMatrix, oracleRuns } from '../../testing/oracles';
import { firstRows, rowOf } from '../numerics/matrix';
import { RandomStream } from '../numerics/random-stream';
import { unitRows } from '../numerics/unit-rows';
import { checkpointView, leadingGram, naturalCore, type CheckpointView } from './checkpoint-view';
import { measure, measureAlong } from './measured';
import { selectionMetrics } from './metrics';
import { olderTop3 } from './older-top3';
import { lazyGram, SELECTORS } from './selectors';
import { ablationTable, capacitySweep, chosen, replacementAt, SWEPT_CAPACITIES, targetSweep } from './sweeps';
import type { SelectionMetrics } from './types';

interface Row {
  gem: { K: number; tau: number; protected: number[]; kept: number[]; coverage: number; stop: string };
  selectors: Record<string, { kept: number[]; metrics: SelectionMetrics }>;
  replacement: { targeted: number; matched: number | null; replacement: number | null; effects: Record<'actionProjection' | 'top3' | 'centroid' | 'coverage', number> | null };
}
interface Blocks { checkpoints: number[]; rows: { codePoints: number; o200k_base: number }[] }

const near = (actual: number | null, expected: number | null): void => {
  if (expected === null || actual === null) expect(actual).toBe(expected);
  else expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-9);
};

const cases = oracleRuns.flatMap((run) => oracleJson<Blocks>('runs', run, 'blocks.json').checkpoints.map((n, at) => ({ run, n, at })));

/** The parts are compared with every encoder in oracle-geometry.test.ts. */
const encoder = 'static-minilm-384';

describe('against the reference', () => {
  it.runIf(cases.length > 0).each(cases)('$run, $n blocks: sweeps meet the known points', ({ run, n, at }) => {
    const { rows: blocks, checkpoints } = oracleJson<Blocks>('runs', run, 'blocks.json');
    const expected = oracleJson<{ checkpoints: Record<string, Row> }>('runs', run, `geometry-${encoder}.json`).checkpoints[n]!;
    const of = (what: string) => {
      const { data, rows, columns } = oracleMatrix(run, `${what}-${encoder}`);
      return unitRows(data, rows, columns);
    };
    const rows = firstRows(of('vectors'), n);
    const goals = of('goal-final');
    const view: CheckpointView = {
      rows, gram: lazyGram(rows), seed: 0,
      evidence: { rows, detections: [], goal: null, stateQuery: null, stateQueryText: '' },
      protection: { groups: { recent: [], goal: [], state: [], error: [], source: [] }, why: {}, all: expected.gem.protected },
      targets: { action: rowOf(of('actions'), at), goal: rowOf(goals, at), final: rowOf(goals, checkpoints.length + 1) },
      sizes: blocks.map((b) => ({ chars: b.codePoints, tokens: b.o200k_base })),
    };
    const core = naturalCore(view, expected.gem.K, expected.gem.tau);
    expect([...core.kept].sort((a, b) => a - b)).toEqual(expected.gem.kept);
    const k = core.kept.length;
    const swept = capacitySweep(view, Object.keys(expected.selectors), [k]);
    for (const row of swept) {
      const reference = expected.selectors[row.selector]!.metrics;
      for (const key of Object.keys(reference) as (keyof SelectionMetrics)[]) near(row.metrics[key], reference[key]);
    }
    const [atTau] = targetSweep(view, [expected.gem.tau], expected.gem.K);
    expect([atTau!.kept, atTau!.stop]).toEqual([k, expected.gem.stop]);
    near(atTau!.metrics.coverage, expected.gem.coverage);
    const replaced = replacementAt(view, expected.gem.kept)!;
    expect([replaced.targeted, replaced.matched, replaced.replacement]).toEqual([expected.replacement.targeted, expected.replacement.matched, expected.replacement.replacement]);
    if (expected.replacement.effects) for (const key of ['actionProjection', 'top3', 'centroid', 'coverage'] as const) near(replaced.effects![key], expected.replacement.effects[key]);
  });
});

const DIM = 12;

function randomView(n: number, seed: number): CheckpointView {
  const stream = new RandomStream(seed);
  const vector = (): Float32Array => Float32Array.from({ length: DIM }, (_, k) => stream.normal() + (k === 0 ? 1 : 0));
  const unit = (): Float64Array => unitRows(vector(), 1, DIM).data;
  const data = new Float32Array(n * DIM);
  // Some blocks have no text, some repeat another.
  for (let i = 0; i < n; i++) data.set(i % 11 === 5 ? new Float32Array(DIM) : i % 7 === 6 ? data.subarray((i - 3) * DIM, (i - 2) * DIM) : vector(), i * DIM);
  return checkpointView({
    rows: unitRows(data, n, DIM),
    detections: Array.from({ length: n }, (_, i) => ({
      operations: i % 4 === 0 ? [{ role: 'write' as const, path: `src/f${i % 3}.ts`, rule: 'test' }] : [], error: i % 9 === 0 ? 'exit code 1' : null, source: null,
    })),
    sizes: Array.from({ length: n }, (_, i) => ({ tokens: 10 + i, chars: 40 + ((i * 7) % 50) })),
    goal: unit(), stateQuery: unit(), stateQueryText: '', action: unit(), final: unit(), seed: 3,
  });
}

const views = fc.record({ n: fc.integer({ min: 1, max: 60 }), seed: fc.integer({ min: 0, max: 1e6 }) }).map(({ n, seed }) => randomView(n, seed));

describe('properties', () => {
  it('measuring along an order is measuring each beginning of it', () => {
    fc.assert(fc.property(views, (view) => {
      const order = chosen(view, 'gem', 20);
      const sizes = [1, 5, 12, 20];
      measureAlong(view, order, sizes).forEach((metrics, i) => {
        const expected = selectionMetrics(view.rows, order.slice(0, sizes[i]), view.targets, view.sizes);
        for (const key of Object.keys(expected) as (keyof SelectionMetrics)[]) near(metrics[key], expected[key]);
      });
    }), { numRuns: 40 });
  });

  it('the K sweep gives what each selector gives at that k alone, for all selectors', () => {
    fc.assert(fc.property(views, (view) => {
      const ids = SELECTORS.map((selector) => selector.id);
      for (const row of capacitySweep(view, ids, [8, 11, 16])) {
        const alone = chosen(view, row.selector, row.k);
        expect(row.kept, row.selector).toBe(alone.length);
        expect(row.k).toBe(Math.min(view.rows.rows, Math.max(row.capacity, view.protection.all.length)));
        near(row.metrics.coverage, measure(view, alone).coverage);
        near(row.metrics.top3, measure(view, alone).top3);
        expect(row.metrics.chars).toBe(measure(view, alone).chars);
      }
    }), { numRuns: 25 });
  });

  it('a larger K covers more; a higher τ keeps more; the protected set is never cut', () => {
    fc.assert(fc.property(views, (view) => {
      const gem = capacitySweep(view, ['gem']);
      expect(gem.map((row) => row.capacity)).toEqual(SWEPT_CAPACITIES);
      gem.slice(1).forEach((row, i) => expect(row.metrics.coverage).toBeGreaterThanOrEqual(gem[i]!.metrics.coverage - 1e-12));
      const taus = targetSweep(view);
      taus.slice(1).forEach((row, i) => expect(row.kept).toBeGreaterThanOrEqual(taus[i]!.kept));
      for (const row of taus) {
        expect(row.kept).toBeGreaterThanOrEqual(view.protection.all.length);
        if (row.stop === 'coverage') expect(row.metrics.coverage).toBeGreaterThanOrEqual(row.tau - 1e-12);
      }
    }), { numRuns: 40 });
  });

  it('ablations protect no more than gem, and leave the others as they are where a group is empty', () => {
    fc.assert(fc.property(views, (view) => {
      const rows = ablationTable(view);
      const [gem, ...others] = rows;
      expect(rows.map((row) => row.without)).toEqual([null, 'recent', 'goal', 'state', 'error', 'source']);
      for (const row of others) {
        expect(row.protected).toBeLessThanOrEqual(gem!.protected);
        if (view.protection.groups[row.without!].length === 0) expect(row.metrics).toEqual(gem!.metrics);
      }
    }), { numRuns: 40 });
  });

  it('older Top-3 never names one of the newest four, and keeping only those scores nothing', () => {
    fc.assert(fc.property(views, (view) => {
      const n = view.rows.rows;
      const older = olderTop3(view.rows, view.targets.action);
      expect(older.every((i) => i < n - 4)).toBe(true);
      const newest = Array.from({ length: Math.min(4, n) }, (_, i) => n - 1 - i);
      expect(measure(view, newest).top3Older ?? 0).toBe(0);
      if (older.length > 0) expect(measure(view, older).top3Older).toBe(1);
    }), { numRuns: 40 });
  });

  it('both arms of the replacement keep the size, and take nothing from Top-3', () => {
    fc.assert(fc.property(views, (view) => {
      const core = naturalCore(view).kept;
      const found = replacementAt(view);
      if (!found || found.replacement === null) return;
      expect(core).toContain(found.targeted);
      expect(core).toContain(found.matched);
      expect(core).not.toContain(found.replacement);
      expect(found.matched).not.toBe(found.targeted);
    }), { numRuns: 40 });
  });

  it('a Gram matrix cut out of the run is that of its beginning', () => {
    const { rows } = randomView(20, 4);
    expect(leadingGram(lazyGram(rows), 20, 9)()).toEqual(lazyGram(firstRows(rows, 9))());
  });
});
