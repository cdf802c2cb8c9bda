import { describe, expect, it } from 'vitest';
import { sha256Hex } from './sha256';
import { cos, exp, log, sin } from './elementary';
import { RandomStream } from '../numerics/random-stream';

/** Distance in units in the last place of the larger. */
function ulps(a: number, b: number): number {
  if (Object.is(a, b) || a === b) return 0;
  const size = Math.max(Math.abs(a), Math.abs(b));
  const unit = Math.max(Number.MIN_VALUE, 2 ** (Math.floor(Math.log2(size)) - 52));
  return Math.abs(a - b) / unit;
}

function numbers(from: number, to: number, n = 20_000): number[] {
  const stream = new RandomStream(7);
  return Array.from({ length: n }, () => from + (to - from) * stream.uniform());
}

describe('elementary functions', () => {
  // The engine's own are right to within a unit as well, so that two may lie between them.
  it.each([
    ['log', log, Math.log, numbers(1e-9, 1).concat(numbers(0.5, 2), numbers(1, 1e9))],
    ['exp', exp, Math.exp, numbers(-1, 1).concat(numbers(-700, 700))],
    ['sin', sin, Math.sin, numbers(-7, 7).concat(numbers(-1e5, 1e5))],
    ['cos', cos, Math.cos, numbers(-7, 7).concat(numbers(-1e5, 1e5))],
  ] as const)('%s stays within two units of the engine’s', (_, ours, engine, xs) => {
    let worst = 0;
    for (const x of xs) worst = Math.max(worst, ulps(ours(x), engine(x)));
    expect(worst).toBeLessThanOrEqual(2);
  });

  it('ends of the range', () => {
    expect([log(0), log(1), log(Infinity), log(Number.MIN_VALUE)]).toEqual([-Infinity, 0, Infinity, Math.log(Number.MIN_VALUE)]);
    expect([log(-1), log(NaN), exp(NaN), sin(Infinity), cos(NaN), sin(1e300)]).toEqual([NaN, NaN, NaN, NaN, NaN, NaN]);
    expect([exp(0), exp(1000), exp(-1000)]).toEqual([1, Infinity, 0]);
    expect([ulps(exp(1), Math.E) <= 1, ulps(exp(709.7), Math.exp(709.7)) <= 2]).toEqual([true, true]);
    expect([sin(0), cos(0)]).toEqual([0, 1]);
    expect(exp(-744)).toBeGreaterThan(0);
  });

  it('gives the same bits on every engine', () => {
    const out = Float64Array.from([...numbers(1e-9, 1, 2_000).map(log), ...numbers(-30, 3, 2_000).map(exp), ...numbers(0, 6.3, 2_000).flatMap((x) => [sin(x), cos(x)])]);
    // The digest of these numbers; the page computes it in Chromium (e2e/corpus.spec.ts holds whole tables against it).
    expect(sha256Hex([...out].join())).toMatchInlineSnapshot(`"4f80b5118e3044a4521cb96ef75f6c5f1cba855a0c180ddb50a059dcaf389229"`);
  });
});
