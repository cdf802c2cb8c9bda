import { centreGram } from '../numerics/centre-gram';
import { centredRows } from '../numerics/column-means';
import { exp, log } from '../base/elementary';
import { gramMatrix } from '../numerics/gram-matrix';
import type { Matrix } from '../numerics/matrix';
import { symmetricEigenvalues } from '../numerics/symmetric-eigenvalues';
import { transpose } from '../numerics/transpose';
import { ENERGY_FLOOR } from './constants';

/**
 * σ² of the centred rows, n numbers, largest first (gem.md §2); values below 1e-12 of the largest are 0. From the
 * smaller of the Gram matrix (n × n) and the scatter matrix (d × d). `gram` is asked for the former.
 */
export function centredEnergies(rows: Matrix, gram = (): Float64Array => gramMatrix(rows)): Float64Array {
  const { rows: n, columns: d } = rows;
  const energies = new Float64Array(n);
  if (n <= d) {
    energies.set(symmetricEigenvalues(centreGram(gram(), n), n));
  } else {
    energies.set(symmetricEigenvalues(gramMatrix(transpose(centredRows(rows))), d));
  }
  return dropSmall(energies);
}

/** Sets energies below the floor (and rounding below zero) to exactly 0. */
export function dropSmall(energies: Float64Array): Float64Array {
  const floor = ENERGY_FLOOR * Math.max(0, energies[0] ?? 0);
  for (let k = 0; k < energies.length; k++) if (!(energies[k]! >= floor) || energies[k]! <= 0) energies[k] = 0;
  return energies;
}

/**
 * exp of the entropy of the shares. Default: energy shares σ²/Σσ² (Roy and Vetterli's form on energies); `singular`:
 * σ/Σσ, the other convention. 0 when all rows coincide.
 */
export function effectiveRank(energies: Float64Array, singular = false): number {
  const weights = singular ? energies.map(Math.sqrt) : energies;
  let total = 0;
  for (const w of weights) total += w;
  if (!(total > 0)) return 0;
  let entropy = 0;
  for (const w of weights) if (w > 0) entropy -= (w / total) * log(w / total);
  return exp(entropy);
}

/** Smallest number of directions that hold the share `rho` of the energy; 0 when there is none. */
export function energyRank(energies: Float64Array, rho = 0.9): number {
  let total = 0;
  for (const e of energies) total += e;
  if (!(total > 0)) return 0;
  let sum = 0;
  for (let k = 0; k < energies.length; k++) {
    sum += energies[k]!;
    if (sum >= rho * total * (1 - 1e-12)) return k + 1;
  }
  return energies.length;
}
