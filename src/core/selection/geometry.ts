/** The Geometry tab: one checkpoint in full, and how the rank grows with the history. */
import { throwIfCancelled } from '../base/errors';
import { yieldToEvents } from '../embedding/yield-to-events';
import type { Matrix } from '../numerics/matrix';
import { firstRows } from '../numerics/matrix';
import { principalMap } from '../numerics/principal-map';
import { unitRows, unitVector } from '../numerics/unit-rows';
import { complete } from './completion';
import { featureShiftBand, CONTROL_DRAWS } from './controls';
import { coverageCeiling } from './coverage';
import { isZero } from './live-rows';
import { rankBands } from './rank-bands';
import { spectrumWithCurves } from './select';
import { lazyGram } from './selectors';
import { centredEnergies, effectiveRank, energyRank } from './spectrum';
import type { EncoderInfo, GeometryOverTime, GeometryReport } from './types';

export interface GeometryOptions {
  /** Most picks of the coverage curve, and the coverage at which it ends. */
  picks?: number;
  tau?: number;
  controlDraws?: number;
}

/** `vectors`: n × dim as the encoder gave them; `action`: the next action's vector, null where there is none. */
export function buildGeometryReport(encoder: EncoderInfo, vectors: Float32Array, n: number, action: Float32Array | null, seed: number, options: GeometryOptions = {}): GeometryReport {
  const { picks = 64, tau = 0.99, controlDraws = CONTROL_DRAWS } = options;
  const rows = unitRows(vectors.subarray(0, n * encoder.dim), n, encoder.dim);
  const gram = lazyGram(rows);
  const greedy = complete(rows, [], { capacity: Math.min(picks, n), tau });
  const next = action && unitVector(action);
  const bands = next && !isZero(next) && n >= 2 ? rankBands(rows, next) : [];
  const { spectrum, curves } = spectrumWithCurves(rows, seed, controlDraws, gram);
  return {
    encoder,
    checkpoint: n,
    spectrum,
    coverage: greedy.picks.map((pick) => pick.coverage),
    ceiling: coverageCeiling(rows, greedy.picks.length, gram),
    rankBands: bands.length > 0 ? bands : null,
    map: [...principalMap(rows, gram)],
    controlCurves: curves,
  };
}

/** Checkpoints of the chart over time, at most so many. */
const POINTS = 40;

/** Growing prefixes, evenly spaced from 2 to n, always with the first eligible one (16) and the last. */
export function overTimeCheckpoints(n: number): number[] {
  const out = new Set<number>();
  for (let i = 1; i <= POINTS; i++) out.add(Math.max(2, Math.round((i * n) / POINTS)));
  if (n >= 16) out.add(16);
  return [...out].filter((c) => c <= n).sort((a, b) => a - b);
}

export interface OverTimeOptions {
  signal?: AbortSignal;
  /** Called after each checkpoint. */
  onPoint?: (done: number, total: number) => void;
}

/**
 * Effective rank and its control (draw 0) at growing prefixes. Other events of the thread are let in after each, so that
 * a newer question is answered in between; rejects with `cancelled`.
 */
export async function buildGeometryOverTime(encoder: EncoderInfo, vectors: Float32Array, n: number, seed: number, { signal, onPoint }: OverTimeOptions = {}): Promise<GeometryOverTime> {
  const rows = unitRows(vectors.subarray(0, n * encoder.dim), n, encoder.dim);
  const out: GeometryOverTime = { checkpoints: overTimeCheckpoints(n), erank: [], r90Share: [], shiftErank: [] };
  for (const [i, checkpoint] of out.checkpoints.entries()) {
    throwIfCancelled(signal);
    const prefix: Matrix = firstRows(rows, checkpoint);
    const energies = centredEnergies(prefix);
    out.erank.push(effectiveRank(energies));
    out.r90Share.push(energyRank(energies) / checkpoint);
    out.shiftErank.push(featureShiftBand(prefix, seed, 1).erank[0]!);
    onPoint?.(i + 1, out.checkpoints.length);
    await yieldToEvents();
  }
  throwIfCancelled(signal);
  return out;
}
