import type { Matrix } from '../numerics/matrix';

/** Indices of the rows that are not zero: an empty text has the zero vector and counts nothing (embedding.md §2). */
export function liveRows({ rows, columns, data }: Matrix): number[] {
  const out: number[] = [];
  for (let i = 0; i < rows; i++) {
    for (let k = i * columns; k < (i + 1) * columns; k++) {
      if (data[k] !== 0) {
        out.push(i);
        break;
      }
    }
  }
  return out;
}

export function isZero(vector: Float64Array): boolean {
  return vector.every((x) => x === 0);
}
