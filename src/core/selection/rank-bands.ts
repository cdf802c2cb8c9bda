import { centreGram } from '../numerics/centre-gram';
import { centredRows, columnMeans } from '../numerics/column-means';
import { gramMatrix } from '../numerics/gram-matrix';
import type { Matrix } from '../numerics/matrix';
import { rowsTimesVector } from '../numerics/rows-times-vector';
import { eigenProjections } from '../numerics/symmetric-eigenvalues';
import { transpose } from '../numerics/transpose';
import { dropSmall } from './spectrum';

/** Upper ends of the bands, as shares of the non-zero directions (gem.md §6, ours). */
const RANK_BANDS: readonly number[] = [0.1, 0.25, 0.5, 0.75, 1];

/**
 * Share of the next action's centred energy Σ (v_kᵀ(a − μ))² by band of directions in order of energy; empty when the
 * action has none. Without eigenvectors: v_kᵀ(a − μ) = u_kᵀ X_c (a − μ) / σ_k.
 */
export function rankBands(rows: Matrix, action: Float64Array): number[] {
  const { rows: n, columns: d } = rows;
  const mean = columnMeans(rows);
  const offset = action.map((x, k) => x - mean[k]!);
  const centred = centredRows(rows);
  const byBlock = n <= d;
  const { values, components } = byBlock
    ? eigenProjections(centreGram(gramMatrix(rows), n), n, [rowsTimesVector(centred, offset, new Float64Array(n))])
    : eigenProjections(gramMatrix(transpose(centred)), d, [offset]);
  const energies = dropSmall(values);
  const directions = energies.filter((e) => e > 0).length;
  const weights = Float64Array.from({ length: directions }, (_, k) => components[0]![k]! ** 2 / (byBlock ? energies[k]! : 1));
  const total = weights.reduce((sum, w) => sum + w, 0);
  if (!(total > 0)) return [];
  let from = 0;
  return RANK_BANDS.map((end) => {
    const to = Math.floor(end * directions + 0.5);
    let sum = 0;
    for (let k = from; k < to; k++) sum += weights[k]!;
    from = to;
    return sum / total;
  });
}
