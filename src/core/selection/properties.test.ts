/** The properties of gem.md §12 that need vectors alone. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gramMatrix } from '../numerics/gram-matrix';
import { firstRows, rowOf, type Matrix } from '../numerics/matrix';
import { RandomStream } from '../numerics/random-stream';
import { unitRows } from '../numerics/unit-rows';
import { completeFromGram } from './cholesky-completion';
import { complete } from './completion';
import { RESIDUAL_FLOOR } from './constants';
import { coverageCeiling } from './coverage';
import type { BlockDetection } from './detect-block';
import { removeWithinGuard, replayForwarding, type ForwardRequest } from './forwarding';
import { completeByGain } from './gain-completion';
import { liveRows } from './live-rows';
import { nextActionTop3, selectionMetrics } from './metrics';
import { lazyGram, SELECTORS } from './selectors';
import { Span } from './span';
import { centredEnergies, effectiveRank, energyRank } from './spectrum';
import type { SelectMode } from './types';

const NOTHING: BlockDetection = { operations: [], error: null, source: null };

/** Rows around a few centres, so that residuals fall as real runs' do; duplicates and zero rows now and then. */
const history = fc.record({
  n: fc.integer({ min: 1, max: 40 }), d: fc.integer({ min: 1, max: 24 }), seed: fc.integer(),
  duplicates: fc.boolean(), zeros: fc.boolean(),
}).map(({ n, d, seed, duplicates, zeros }) => {
  const stream = new RandomStream(seed);
  const data = new Float32Array(n * d);
  const centres = Array.from({ length: 3 }, () => Array.from({ length: d }, () => stream.normal()));
  for (let i = 0; i < n; i++) {
    const centre = centres[stream.integer(3)]!;
    for (let k = 0; k < d; k++) data[i * d + k] = centre[k]! + 0.7 * stream.normal();
    if (duplicates && i > 0 && stream.integer(4) === 0) data.copyWithin(i * d, 0, d);
    if (zeros && stream.integer(5) === 0) data.fill(0, i * d, (i + 1) * d);
  }
  return { rows: unitRows(data, n, d), seed };
});

const start = (rows: Matrix, seed: number): number[] => {
  const stream = new RandomStream(seed ^ 77);
  return stream.sample(Array.from({ length: rows.rows }, (_, i) => i), stream.integer(Math.min(6, rows.rows) + 1)).sort((a, b) => a - b);
};

const total = (xs: readonly number[]): number => xs.reduce((sum, x) => sum + x, 0);

describe('completion', () => {
  it('P ⊆ B, |B| ≤ K_t, coverage rises by at least r/n, stays under the ceiling, and names its stop', () => {
    fc.assert(fc.property(history, fc.integer({ min: 0, max: 20 }), fc.constantFrom(0.5, 0.9, 2), ({ rows, seed }, capacity, tau) => {
      const protectedSet = start(rows, seed);
      const live = liveRows(rows);
      const c = complete(rows, protectedSet, { capacity, tau });
      expect(c.kept.slice(0, protectedSet.length)).toEqual(protectedSet);
      expect(new Set(c.kept).size).toBe(c.kept.length);
      expect(c.kept.length).toBeLessThanOrEqual(Math.max(capacity, protectedSet.length));
      let before = c.coverageStart;
      for (const pick of c.picks) {
        expect(pick.residual).toBeGreaterThan(RESIDUAL_FLOOR);
        expect(pick.coverage - before).toBeGreaterThanOrEqual(pick.residual / live.length - 1e-9);
        before = pick.coverage;
      }
      const ceiling = coverageCeiling(rows, c.rank);
      if (c.rank > 0) expect(c.coverage).toBeLessThanOrEqual(ceiling[c.rank - 1]! + 1e-9);
      const finished = c.coverage >= tau ? 'coverage' : c.kept.length >= Math.max(capacity, protectedSet.length) ? 'capacity' : 'exhausted';
      expect(c.stop).toBe(finished);
    }));
  });

  it('residuals are 1 − ‖Qᵀx‖², recomputed by least squares on the Gram matrix', () => {
    fc.assert(fc.property(history, ({ rows, seed }) => {
      const c = complete(rows, start(rows, seed), { capacity: 8, tau: 2 });
      const gram = gramMatrix(rows);
      for (const i of liveRows(rows)) {
        expect(Math.abs(c.residuals[i]! - residualByElimination(gram, rows.rows, c.kept, i))).toBeLessThan(1e-7);
      }
    }), { numRuns: 60 });
  });

  it('a duplicate is never a candidate but stays when it is protected', () => {
    const rows = unitRows(Float32Array.of(1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0), 4, 3);
    const free = complete(rows, [], { capacity: 4, tau: 2 });
    expect(free.kept.length).toBe(2);
    expect(free.stop).toBe('exhausted');
    const kept = complete(rows, [0, 1], { capacity: 4, tau: 2 });
    expect(kept.kept).toEqual([0, 1, 3]);
    expect(kept.rank).toBe(2);
  });

  it('the Gram path chooses the same blocks, and a rotation changes nothing', () => {
    fc.assert(fc.property(history, ({ rows, seed }) => {
      const protectedSet = start(rows, seed);
      const limits = { capacity: 10, tau: 0.95 };
      const a = complete(rows, protectedSet, limits);
      for (const b of [completeFromGram(gramMatrix(rows), rows.rows, protectedSet, limits), complete(rotated(rows, seed), protectedSet, limits)]) {
        if (separated(rows, a.kept, protectedSet.length)) expect(b.kept).toEqual(a.kept);
        expect(Math.abs(b.coverageStart - a.coverageStart)).toBeLessThan(1e-8);
      }
    }));
  });

  it('largest gain: the long-run path agrees with the Gram path, and beats the largest residual at its first pick', () => {
    for (let seed = 0; seed < 20; seed++) {
      const stream = new RandomStream(seed);
      const rows = unitRows(Float32Array.from({ length: 60 * 30 }, (_, p) => stream.normal() + (p % 30 < 3 ? 1 : 0)), 60, 30);
      const byGram = completeFromGram(gramMatrix(rows), 60, [58, 59], { capacity: 14, tau: 2 }, 'gain');
      const byScatter = completeByGain(rows, [58, 59], 14);
      expect(byScatter.kept).toEqual(byGram.kept);
      expect(byScatter.coverage).toBeCloseTo(byGram.coverage, 12);
      expect(byGram.picks[0]!.coverage).toBeGreaterThanOrEqual(complete(rows, [58, 59], { capacity: 3, tau: 2 }).coverage - 1e-12);
    }
  });

  it('knows one block, equal blocks, none and only zeros', () => {
    const limits = { capacity: 16, tau: 0.9 };
    const none = complete({ rows: 0, columns: 4, data: new Float64Array(0) }, [], limits);
    expect(none).toMatchObject({ kept: [], coverage: 0, stop: 'exhausted' });
    expect(complete(unitRows(Float32Array.of(3, 4), 1, 2), [], limits)).toMatchObject({ kept: [0], stop: 'coverage' });
    const equal = complete(unitRows(Float32Array.of(1, 2, 1, 2, 1, 2), 3, 2), [], limits);
    // All tie: the newest.
    expect(equal.kept).toEqual([2]);
    const zero = complete(unitRows(new Float32Array(6), 3, 2), [1], limits);
    expect(zero).toMatchObject({ kept: [1], coverage: 0, stop: 'exhausted' });
  });
});

describe('spectrum', () => {
  it('1 ≤ erank ≤ n − 1, the energies sum to the spread, r90 between 1 and n − 1; no NaN', () => {
    fc.assert(fc.property(history, ({ rows }) => {
      const energies = centredEnergies(rows);
      expect(energies.length).toBe(rows.rows);
      expect([...energies].every((e) => Number.isFinite(e) && e >= 0)).toBe(true);
      const rank = effectiveRank(energies);
      if (total([...energies]) < 1e-9) return;
      expect(rank).toBeGreaterThanOrEqual(1 - 1e-9);
      expect(rank).toBeLessThanOrEqual(Math.min(rows.rows - 1, rows.columns) + 1e-9);
      expect(energyRank(energies)).toBeGreaterThanOrEqual(1);
      expect(energyRank(energies)).toBeLessThanOrEqual(Math.max(1, rows.rows - 1));
    }));
  });

  it('is 0 when all rows coincide', () => {
    const energies = centredEnergies(unitRows(Float32Array.of(1, 0, 1, 0, 1, 0), 3, 2));
    expect(effectiveRank(energies)).toBe(0);
    expect(energyRank(energies)).toBe(0);
  });
});

describe('selectors', () => {
  it('keep the protected set, exactly k blocks (or all they can), each once; measures are finite or absent', () => {
    fc.assert(fc.property(history, fc.integer({ min: 1, max: 12 }), ({ rows, seed }, wanted) => {
      const k = Math.min(wanted, rows.rows);
      const protectedSet = start(rows, seed);
      const goal = rowOf(rows, 0);
      const gram = lazyGram(rows);
      const sizes = Array.from({ length: rows.rows }, () => ({ tokens: 1, chars: 2 }));
      for (const selector of SELECTORS) {
        const from = selector.groups.length > 0 ? protectedSet : [];
        const { kept, exhausted } = selector.select({ rows, gram, start: from, k, goal, seed });
        expect(new Set(kept).size).toBe(kept.length);
        for (const i of from) expect(kept).toContain(i);
        if (!exhausted) expect(kept.length).toBe(Math.max(k, from.length));
        const metrics = selectionMetrics(rows, kept, { action: goal, final: goal, goal }, sizes);
        expect(Object.values(metrics).every((x) => x === null || Number.isFinite(x))).toBe(true);
        expect(metrics.tokens).toBe(kept.length);
      }
    }), { numRuns: 50 });
  });

  it('the three nearest are sorted by similarity', () => {
    const rows = unitRows(Float32Array.of(1, 0, 0.9, 0.1, 0, 1, 0.5, 0.5), 4, 2);
    expect(nextActionTop3(rows, Float64Array.of(1, 0))).toEqual([0, 1, 3]);
    expect(nextActionTop3(rows, new Float64Array(2))).toEqual([]);
  });
});

describe('forwarding', () => {
  const runOf = (rows: Matrix, seed: number): { sizes: number[]; detections: BlockDetection[]; requests: ForwardRequest[] } => {
    const stream = new RandomStream(seed ^ 5);
    let prefixChars = 10;
    return {
      sizes: Array.from({ length: rows.rows }, () => 1 + stream.integer(5000)),
      detections: Array.from({ length: rows.rows }, (_, i): BlockDetection => (i % 7 === 3 ? { ...NOTHING, error: 'exit code 1' } : NOTHING)),
      requests: Array.from({ length: rows.rows + 1 }, (_, n) => {
        prefixChars += stream.integer(100);
        return { position: 2 * n, n, prefixChars, goalText: n < 20 ? 'one' : 'two', goal: rowOf(rows, 0), stateQueryText: '', stateQuery: null };
      }),
    };
  };

  it.each<SelectMode>(['core', 'guarded', 'cumulative'])('%s: P ⊆ S, B ⊆ S ⊆ [n], the guard holds, and the future changes nothing', (mode) => {
    fc.assert(fc.property(history, fc.integer({ min: 1, max: 40 }), ({ rows, seed }, cut) => {
      const run = runOf(rows, seed);
      const settings = { mode, minBlocks: 6, capacity: 5, reselectAfter: 10 };
      const steps = replayForwarding({ rows, ...run }, settings);
      for (const step of steps) {
        for (const i of [...step.protected, ...(step.core ?? [])]) expect(step.forwarded).toContain(i);
        expect(step.forwarded.every((i) => i >= 0 && i < step.n)).toBe(true);
        if (step.n < 6) expect(step.forwarded.length).toBe(step.n);
        if (mode === 'guarded') expect(step.forwardedChars).toBeGreaterThanOrEqual(0.95 * step.fullChars - 1e-9);
      }
      const upTo = Math.min(cut, rows.rows);
      const shorter = replayForwarding(
        { rows: firstRows(rows, upTo), sizes: run.sizes.slice(0, upTo), detections: run.detections.slice(0, upTo), requests: run.requests.slice(0, upTo + 1) }, settings);
      expect(shorter.map((step) => step.forwarded)).toEqual(steps.slice(0, upTo + 1).map((step) => step.forwarded));
    }), { numRuns: 30 });
  });

  it('skips a block that is too long and goes on with smaller ones', () => {
    const kept = removeWithinGuard(new Set([0, 1, 2]), new Set([0]), [900, 60, 40], 0, 0.05);
    expect([...kept]).toEqual([0, 1]);
  });
});

/** r_i = g_ii − g_iS G_SS⁺ g_Si by elimination with complete pivoting, dropping pivots below the floor. */
function residualByElimination(gram: Float64Array, n: number, kept: readonly number[], i: number): number {
  const order = [...kept, i];
  const a = order.map((p) => order.map((q) => gram[p * n + q]!));
  const left = new Set(kept.map((_, k) => k));
  while (left.size > 0) {
    const k = [...left].reduce((best, j) => (a[j]![j]! > a[best]![best]! ? j : best));
    const pivot = a[k]![k]!;
    if (pivot <= RESIDUAL_FLOOR) break;
    const row = [...a[k]!];
    for (const line of a) {
      const factor = line[k]! / pivot;
      row.forEach((x, q) => (line[q] = line[q]! - factor * x));
    }
    left.delete(k);
  }
  return Math.max(0, a[kept.length]![kept.length]!);
}

/** All rows turned by one random orthogonal matrix. */
function rotated(rows: Matrix, seed: number): Matrix {
  const d = rows.columns;
  const stream = new RandomStream(seed ^ 99);
  const frame = new Span(unitRows(Float32Array.from({ length: d * d }, () => stream.normal()), d, d));
  for (let k = 0; k < d; k++) frame.add(k);
  if (frame.basis.size < d) return rows;
  const axes = Array.from({ length: d }, (_, k) => frame.basis.vector(k));
  const data = new Float64Array(rows.data.length);
  for (let i = 0; i < rows.rows; i++) axes.forEach((q, k) => (data[i * d + k] = q.reduce((sum, x, j) => sum + x * rows.data[i * d + j]!, 0)));
  return { rows: rows.rows, columns: d, data };
}

/** Was every pick ahead of its runner-up by more than rounding? Duplicates tie by construction. */
function separated(rows: Matrix, order: readonly number[], from: number): boolean {
  const span = new Span(rows);
  const first = rows.rows > 0 && from === 0 ? 1 : 0;
  return order.every((j, position) => {
    const gaps = [...span.residuals].map((r, i) => (order.slice(0, position + 1).includes(i) ? Infinity : span.residuals[j]! - r));
    const clear = position < from + first || Math.min(...gaps) > 1e-9;
    span.add(j);
    return clear;
  });
}
