import { describe, expect, it } from 'vitest';
import { RandomStream } from '../numerics/random-stream';
import { unitRows } from '../numerics/unit-rows';
import { featureShift } from './controls';
import { buildGeometryOverTime, buildGeometryReport, overTimeCheckpoints } from './geometry';
import { centredEnergies, effectiveRank } from './spectrum';
import { coverageCeiling } from './coverage';

const DIM = 20;
const encoder = { id: 'test@1', dim: DIM, sha256: null };

function vectorsOf(n: number, seed = 1): Float32Array {
  const stream = new RandomStream(seed);
  return Float32Array.from({ length: n * DIM }, (_, p) => stream.normal() + (p % DIM === 0 ? 3 : 0));
}

describe('buildGeometryReport', () => {
  it('describes the first n blocks: coverage under its ceiling, bands that sum to 1, one point a block', () => {
    const vectors = vectorsOf(30);
    for (const n of [12, 30]) {
      const report = buildGeometryReport(encoder, vectors, n, vectorsOf(1, 7), 0, { controlDraws: 2 });
      expect(report.checkpoint).toBe(n);
      expect(report.spectrum.energy.length).toBe(n);
      expect(report.spectrum.featureShift.erank.length).toBe(2);
      expect(report.map.length).toBe(2 * n);
      expect(report.ceiling.length).toBe(report.coverage.length);
      report.coverage.forEach((e, i) => {
        expect(e).toBeLessThanOrEqual(report.ceiling[i]! + 1e-12);
        expect(e).toBeGreaterThan(report.coverage[i - 1] ?? 0);
      });
      expect(report.rankBands!.reduce((sum, x) => sum + x, 0)).toBeCloseTo(1, 12);
      // The spread along the two axes is the two largest energies.
      const spread = [0, 1].map((axis) => report.map.filter((_, p) => p % 2 === axis).reduce((sum, x) => sum + x * x, 0));
      expect(spread[0]).toBeCloseTo(report.spectrum.energy[0]!, 9);
      expect(spread[1]).toBeCloseTo(report.spectrum.energy[1]!, 9);
    }
  });

  it('carries the cumulative curves of the controls: rising, ordered, ending at 1, around draw 0', () => {
    const vectors = vectorsOf(18);
    const { controlCurves } = buildGeometryReport(encoder, vectors, 18, null, 0, { controlDraws: 5 });
    const energies = centredEnergies(featureShift(unitRows(vectors, 18, DIM), 0, 0));
    const total = energies.reduce((sum, e) => sum + e, 0);
    let sum = 0;
    for (const { low, high } of [controlCurves!.featureShift, controlCurves!.gaussian]) {
      expect([low.length, high.length]).toEqual([17, 17]);
      low.forEach((share, k) => {
        expect(share).toBeLessThanOrEqual(high[k]!);
        expect(share).toBeGreaterThanOrEqual(low[k - 1] ?? 0);
      });
      expect(low.at(-1)).toBeCloseTo(1, 12);
    }
    expect(controlCurves!.featureShift.low[2]).toBeLessThan(controlCurves!.featureShift.high[2]!);
    energies.slice(0, 17).forEach((e, k) => {
      sum += e;
      expect(sum / total).toBeGreaterThanOrEqual(controlCurves!.featureShift.low[k]! - 1e-12);
      expect(sum / total).toBeLessThanOrEqual(controlCurves!.featureShift.high[k]! + 1e-12);
    });
  });

  it('has no bands without a next action, and survives no block, one block and zero vectors', () => {
    expect(buildGeometryReport(encoder, vectorsOf(5), 5, null, 0, { controlDraws: 1 }).rankBands).toBeNull();
    for (const n of [0, 1, 3]) {
      const report = buildGeometryReport(encoder, new Float32Array(n * DIM), n, vectorsOf(1), 0, { controlDraws: 1 });
      expect(JSON.stringify(report)).not.toMatch(/NaN|Infinity/);
      expect([...report.map, report.spectrum.erank, report.spectrum.r90Share].every(Number.isFinite)).toBe(true);
    }
  });

  it('more blocks than dimensions give the same numbers through the scatter matrix', () => {
    const rows = unitRows(vectorsOf(50), 50, DIM);
    expect(coverageCeiling(rows, DIM)[DIM - 1]).toBeCloseTo(1, 12);
    expect(centredEnergies(rows).slice(DIM).every((e) => e === 0)).toBe(true);
  });
});

describe('buildGeometryOverTime', () => {
  it('stops in between when it is cancelled', async () => {
    const controller = new AbortController();
    let last = 0;
    const chart = buildGeometryOverTime(encoder, vectorsOf(60), 60, 0, { signal: controller.signal, onPoint: (done) => (last = done) });
    // A task of the same thread, as a cancel message is.
    setTimeout(() => controller.abort(), 0);
    await expect(chart).rejects.toMatchObject({ code: 'cancelled' });
    expect(last).toBeLessThan(overTimeCheckpoints(60).length);
  });

  it('follows growing prefixes, reports progress, and ends at the whole run', async () => {
    const vectors = vectorsOf(60);
    const seen: number[] = [];
    const chart = await buildGeometryOverTime(encoder, vectors, 60, 0, { onPoint: (done) => seen.push(done) });
    expect(chart.checkpoints).toEqual(overTimeCheckpoints(60));
    expect(chart.checkpoints).toContain(16);
    expect(chart.checkpoints.at(-1)).toBe(60);
    expect(seen.length).toBe(chart.checkpoints.length);
    const at = chart.checkpoints.indexOf(16);
    expect(chart.erank[at]).toBeCloseTo(effectiveRank(centredEnergies(unitRows(vectors.subarray(0, 16 * DIM), 16, DIM))), 9);
    expect(overTimeCheckpoints(1)).toEqual([]);
    expect(overTimeCheckpoints(3)).toEqual([2, 3]);
  });
});
