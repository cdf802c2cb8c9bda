import type { Matrix } from './matrix';

/** out[i] = row i · q, for every row; four rows at a time, so that each q is loaded once for four products. */
export function rowsTimesVector({ rows: n, columns: d, data: x }: Matrix, q: Float64Array, out: Float64Array): Float64Array {
  let i = 0;
  for (; i + 3 < n; i += 4) {
    let p0 = i * d;
    let p1 = p0 + d;
    let p2 = p1 + d;
    let p3 = p2 + d;
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    for (let k = 0; k < d; k++) {
      const b = q[k]!;
      s0 += x[p0++]! * b;
      s1 += x[p1++]! * b;
      s2 += x[p2++]! * b;
      s3 += x[p3++]! * b;
    }
    out[i] = s0;
    out[i + 1] = s1;
    out[i + 2] = s2;
    out[i + 3] = s3;
  }
  for (; i < n; i++) {
    let s = 0;
    for (let k = 0, p = i * d; k < d; k++) s += x[p + k]! * q[k]!;
    out[i] = s;
  }
  return out;
}
