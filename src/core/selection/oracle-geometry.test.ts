import { describe, expect, it } from 'vitest';
import { oracleEncoders, oracleJson, oracleMatrix, oracleRuns } from '../../testing/oracles';
import { gramMatrix } from '../numerics/gram-matrix';
import { firstRows, rowOf, type Matrix } from '../numerics/matrix';
import { unitRows } from '../numerics/unit-rows';
import { completeFromGram } from './cholesky-completion';
import { complete } from './completion';
import { featureShiftBand, gaussianBand } from './controls';
import { coverageCeiling } from './coverage';
import { nextActionTop3, selectionMetrics } from './metrics';
import { rankBands } from './rank-bands';
import { controlledReplacement } from './replacement';
import { lazyGram, selectorById } from './selectors';
import { centredEnergies, effectiveRank, energyRank } from './spectrum';
import type { SelectionMetrics } from './types';

interface Band { erank: number[]; r90: number[] }
interface Picked { index: number; residual: number; coverage: number }
interface SpectrumRow { n: number; energy: number[]; erank: number; erankSingular: number; r90: number; featureShift: Band; gaussian: Band }
interface Row extends SpectrumRow {
  geometryGreedy: { picks: Picked[]; stop: string };
  ceiling: number[];
  greedyTo90: { blocks: number };
  gem: { K: number; tau: number; protected: number[]; coverageProtected: number; picks: Picked[]; coverage: number; stop: string; kept: number[]; residuals: number[] };
  top3: number[];
  selectors: Record<string, { kept: number[]; order: number[]; metrics: SelectionMetrics }>;
  rankBands: { share: number | null }[];
  replacement: {
    r90: number; alpha: number[]; targeted: number; median: number; matched: number | null; replacement: number | null;
    effects: Record<'actionProjection' | 'top3' | 'centroid' | 'coverage', number> | null;
  };
}
interface Geometry { checkpoints: Record<string, Row>; earlyReturn?: { blocks: number }; wholeRun?: SpectrumRow }
interface Blocks { checkpoints: number[]; rows: { codePoints: number; o200k_base: number }[] }

const near = (actual: number | null, expected: number | null, tolerance: number): void => {
  if (expected === null || actual === null) expect(actual).toBe(expected);
  else expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance);
};

function checkSpectrum(rows: Matrix, expected: SpectrumRow): void {
  const energies = centredEnergies(rows);
  expect(energies.length).toBe(expected.energy.length);
  energies.forEach((e, k) => near(e, expected.energy[k]!, 1e-9 * expected.energy[0]!));
  near(effectiveRank(energies), expected.erank, 1e-9 * expected.erank);
  near(effectiveRank(energies, true), expected.erankSingular, 1e-9 * expected.erankSingular);
  expect(energyRank(energies)).toBe(expected.r90);
  const bands = [[featureShiftBand(rows, 0), expected.featureShift], [gaussianBand(rows.rows, rows.columns, 0), expected.gaussian]] as const;
  for (const [actual, band] of bands) {
    expect(actual.r90).toEqual(band.r90);
    actual.erank.forEach((x, j) => near(x, band.erank[j]!, 1e-9 * x));
  }
}

function checkPicks(actual: readonly Picked[], expected: readonly Picked[]): void {
  expect(actual.map((p) => p.index)).toEqual(expected.map((p) => p.index));
  actual.forEach((p, i) => {
    near(p.residual, expected[i]!.residual, 1e-9);
    near(p.coverage, expected[i]!.coverage, 1e-9);
  });
}

describe.each(oracleRuns.flatMap((run) => oracleEncoders.map((encoder) => [run, encoder] as const)))('%s, %s', (run, encoder) => {
  const geometry = oracleJson<Geometry>('runs', run, `geometry-${encoder}.json`);
  const blocks = oracleJson<Blocks>('runs', run, 'blocks.json');
  const vectors = oracleMatrix(run, `vectors-${encoder}`);
  const all = unitRows(vectors.data, vectors.rows, vectors.columns);
  const matrixOf = (file: string): Matrix => {
    const { data, rows, columns } = oracleMatrix(run, `${file}-${encoder}`);
    return unitRows(data, rows, columns);
  };

  it.runIf(geometry.wholeRun)('spectrum of the whole short run', () => {
    checkSpectrum(all, geometry.wholeRun!);
  });

  it.each(Object.keys(geometry.checkpoints).map(Number))('checkpoint %i', (n) => {
    const expected = geometry.checkpoints[n]!;
    const at = blocks.checkpoints.indexOf(n);
    const rows = firstRows(all, n);
    const action = rowOf(matrixOf('actions'), at);
    const goals = matrixOf('goal-final');
    const goal = rowOf(goals, at);
    const final = rowOf(goals, goals.rows - 1);
    const sizes = blocks.rows.map((row) => ({ chars: row.codePoints, tokens: row.o200k_base }));
    checkSpectrum(rows, expected);

    const greedy = complete(rows, [], { capacity: 24, tau: 0.95 });
    checkPicks(greedy.picks, expected.geometryGreedy.picks);
    expect(greedy.stop).toBe(expected.geometryGreedy.stop);
    expect(complete(rows, [], { capacity: n, tau: 0.9 }).kept.length).toBe(expected.greedyTo90.blocks);
    coverageCeiling(rows, 24).forEach((x, b) => near(x, expected.ceiling[b] ?? 1, 1e-9));

    const limits = { capacity: expected.gem.K, tau: expected.gem.tau };
    const start = expected.gem.protected;
    for (const gem of [complete(rows, start, limits), completeFromGram(gramMatrix(rows), n, start, limits)]) {
      checkPicks(gem.picks, expected.gem.picks);
      expect(gem.stop).toBe(expected.gem.stop);
      expect([...gem.kept].sort((a, b) => a - b)).toEqual(expected.gem.kept);
      near(gem.coverageStart, expected.gem.coverageProtected, 1e-9);
      gem.residuals.forEach((r, i) => near(r, expected.gem.residuals[i]!, 1e-9));
    }

    expect(nextActionTop3(rows, action)).toEqual(expected.top3);
    const k = expected.gem.kept.length;
    const gram = lazyGram(rows);
    for (const [id, result] of Object.entries(expected.selectors)) {
      const selector = selectorById(id)!;
      const selected = selector.select({ rows, gram, start: selector.groups.length > 0 ? start : [], k, goal, seed: 0 });
      expect(selected.kept, id).toEqual(result.order);
      const metrics = selectionMetrics(rows, selected.kept, { action, final, goal }, sizes);
      for (const key of Object.keys(result.metrics) as (keyof SelectionMetrics)[]) near(metrics[key], result.metrics[key], 1e-9);
    }

    rankBands(rows, action).forEach((share, b) => near(share, expected.rankBands[b]!.share, 1e-9));
    const replaced = controlledReplacement(rows, expected.gem.kept, action, sizes.slice(0, n).map((s) => s.chars));
    expect(replaced.r90).toBe(expected.replacement.r90);
    replaced.alpha.forEach((x, i) => near(x, expected.replacement.alpha[i]!, 1e-7));
    expect([replaced.targeted, replaced.matched, replaced.replacement]).toEqual([expected.replacement.targeted, expected.replacement.matched, expected.replacement.replacement]);
    if (expected.replacement.effects) {
      for (const key of ['actionProjection', 'top3', 'centroid', 'coverage'] as const) near(replaced.effects![key], expected.replacement.effects[key], 1e-9);
    }
  });
});
