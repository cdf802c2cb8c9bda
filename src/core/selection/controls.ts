/**
 * Null models of the spectrum (gem.md §2): each feature shifted round the blocks by its own amount, which keeps every
 * feature's values and destroys their agreement; and rows of independent normal numbers.
 */
import type { Matrix } from '../numerics/matrix';
import { purposeStream } from '../numerics/random-stream';
import { centredEnergies, effectiveRank, energyRank } from './spectrum';
import type { ControlBand, CurveBand } from './types';

/** Draws of a band. */
export const CONTROL_DRAWS = 20;

/** Shift of each feature, in blocks. */
function shiftNumbers(n: number, d: number, seed: number, draw: number): Int32Array {
  const stream = purposeStream(seed, 'feature-shift', draw);
  return Int32Array.from({ length: d }, () => stream.integer(n));
}

/** X_sh(i, k) = X((i + s_k) mod n, k); not normalised again. */
export function featureShift({ rows: n, columns: d, data }: Matrix, seed: number, draw: number): Matrix {
  const shift = shiftNumbers(n, d, seed, draw);
  const out = new Float64Array(n * d);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < d; k++) {
      const from = i + shift[k]!;
      out[i * d + k] = data[(from < n ? from : from - n) * d + k]!;
    }
  }
  return { rows: n, columns: d, data: out };
}

function gaussianRows(n: number, d: number, seed: number, draw: number): Matrix {
  const stream = purposeStream(seed, 'gaussian', draw);
  const data = new Float64Array(n * d);
  for (let p = 0; p < data.length; p++) data[p] = stream.normal();
  return { rows: n, columns: d, data };
}

/** A control's band and, at each rank with energy, the least and largest cumulative share of energy over the draws. */
export interface ControlDraws { band: ControlBand; curve: CurveBand }

function drawsOf(n: number, seed: number, draws: number, rowsOf: (draw: number) => Matrix): ControlDraws {
  const band: ControlBand = { erank: [], r90: [], seed };
  const curve: CurveBand = { low: [], high: [] };
  let directions = 0;
  for (let draw = 0; draw < draws; draw++) {
    const energies = centredEnergies(rowsOf(draw));
    band.erank.push(effectiveRank(energies));
    band.r90.push(energyRank(energies));
    directions = Math.max(directions, energies.filter((e) => e > 0).length);
    widen(curve, energies, n);
  }
  return { band, curve: { low: curve.low.slice(0, directions), high: curve.high.slice(0, directions) } };
}

function widen(curve: CurveBand, energies: Float64Array, n: number): void {
  const total = energies.reduce((sum, e) => sum + e, 0);
  let sum = 0;
  for (let k = 0; k < n; k++) {
    sum += energies[k]!;
    const share = total > 0 ? Math.min(1, sum / total) : 0;
    curve.low[k] = Math.min(curve.low[k] ?? share, share);
    curve.high[k] = Math.max(curve.high[k] ?? share, share);
  }
}

export function featureShiftDraws(rows: Matrix, seed: number, draws = CONTROL_DRAWS): ControlDraws {
  return drawsOf(rows.rows, seed, draws, (draw) => featureShift(rows, seed, draw));
}

export function featureShiftBand(rows: Matrix, seed: number, draws = CONTROL_DRAWS): ControlBand {
  return featureShiftDraws(rows, seed, draws).band;
}

/** Depends on the shape and the seed alone, so the last few are kept: scrubbing back costs nothing. */
const gaussianKept = new Map<string, ControlDraws>();
const KEPT = 64;

export function gaussianDraws(n: number, d: number, seed: number, draws = CONTROL_DRAWS): ControlDraws {
  const key = `${n}:${d}:${seed}:${draws}`;
  let made = gaussianKept.get(key);
  if (!made) {
    made = drawsOf(n, seed, draws, (draw) => gaussianRows(n, d, seed, draw));
    if (gaussianKept.size >= KEPT) gaussianKept.delete(gaussianKept.keys().next().value ?? '');
    gaussianKept.set(key, made);
  }
  const { band, curve } = made;
  return { band: { ...band, erank: [...band.erank], r90: [...band.r90] }, curve: { low: [...curve.low], high: [...curve.high] } };
}

export function gaussianBand(n: number, d: number, seed: number, draws = CONTROL_DRAWS): ControlBand {
  return gaussianDraws(n, d, seed, draws).band;
}
