/**
 * Null models of the spectrum (gem.md §2): each feature shifted round the blocks by its own amount, which keeps every
 * feature's values and destroys their agreement; and rows of independent normal numbers.
 */
import type { Matrix } from '../numerics/matrix';
import { purposeStream } from '../numerics/random-stream';
import { centredEnergies, effectiveRank, energyRank } from './spectrum';
import type { ControlBand } from './types';

/** Draws of a band. */
export const CONTROL_DRAWS = 20;

/** Shift of each feature, in blocks. */
export function shiftNumbers(n: number, d: number, seed: number, draw: number): Int32Array {
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

export function gaussianRows(n: number, d: number, seed: number, draw: number): Matrix {
  const stream = purposeStream(seed, 'gaussian', draw);
  const data = new Float64Array(n * d);
  for (let p = 0; p < data.length; p++) data[p] = stream.normal();
  return { rows: n, columns: d, data };
}

function band(seed: number, draws: number, rowsOf: (draw: number) => Matrix): ControlBand {
  const out: ControlBand = { erank: [], r90: [], seed };
  for (let draw = 0; draw < draws; draw++) {
    const energies = centredEnergies(rowsOf(draw));
    out.erank.push(effectiveRank(energies));
    out.r90.push(energyRank(energies));
  }
  return out;
}

export function featureShiftBand(rows: Matrix, seed: number, draws = CONTROL_DRAWS): ControlBand {
  return band(seed, draws, (draw) => featureShift(rows, seed, draw));
}

/** Depends on the shape and the seed alone, so the last few are kept: scrubbing back costs nothing. */
const gaussianBands = new Map<string, ControlBand>();
const KEPT_BANDS = 64;

export function gaussianBand(n: number, d: number, seed: number, draws = CONTROL_DRAWS): ControlBand {
  const key = `${n}:${d}:${seed}:${draws}`;
  const known = gaussianBands.get(key);
  if (known) return { ...known, erank: [...known.erank], r90: [...known.r90] };
  const made = band(seed, draws, (draw) => gaussianRows(n, d, seed, draw));
  if (gaussianBands.size >= KEPT_BANDS) gaussianBands.delete(gaussianBands.keys().next().value ?? '');
  gaussianBands.set(key, made);
  return { ...made, erank: [...made.erank], r90: [...made.r90] };
}
