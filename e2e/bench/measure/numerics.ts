import { median, ms } from '../numbers.ts';
import { Numpy } from '../numpy.ts';
import { makeRow, type Row } from '../rows.ts';
import type { Stage } from '../stage.ts';
import { writeUnitRows } from '../trace-files.ts';
import { onBenchPage, type BenchDriver } from './bench-page.ts';

const NO_NUMPY = 'not measured: python3 with numpy is not installed here';
const REPETITIONS = 7;
/** One frame for n = 500, K = 16. */
const SMALL_LIMIT_MS = 16;
/** eigvalsh and ours agree to so much of the largest eigenvalue; the rows are float32. */
const EIGEN_TOLERANCE = 1e-9;

const unitRowsFile = (stage: Stage, n: number, d: number): Promise<string> => stage.file(`rows-${n}-${d}.f32`, (path) => writeUnitRows(path, n, d));

async function withNumpy<T>(run: (numpy: Numpy) => Promise<T>): Promise<T | null> {
  const numpy = await Numpy.start();
  if (!numpy) return null;
  try {
    return await run(numpy);
  } finally {
    numpy.stop();
  }
}

export async function measureCompletion(stage: Stage): Promise<Row> {
  const [n, d, k] = stage.options.quick ? [2000, 384, 64] : [5000, 384, 200];
  const path = await unitRowsFile(stage, n, d);
  const size = `n = ${n}, d = ${d}, K = ${k}`;
  const baseline = 'numpy float32 doing the same arithmetic, 1 BLAS thread';
  const measured = await withNumpy((numpy) => onBenchPage(stage, async (driver) => {
    await driver.choose(path);
    await driver.compute('openRows', 'file');
    const ours: number[] = [];
    const theirs: number[] = [];
    const small: number[] = [];
    // In float64 both must choose the same rows; float32 alone strays at near ties.
    const exact = new Set((await numpy.ask({ op: 'picks', path, n, d, k })).picks);
    let same = 0;
    for (let i = 0; i <= REPETITIONS; i++) {
      const reference = await numpy.ask({ op: 'completion', path, n, d, k });
      const { ms: spent, picks } = await driver.compute('completion', n, d, k);
      const little = await driver.compute('completion', 500, d, 16);
      same = picks.filter((pick) => exact.has(pick)).length;
      // The first of each warms up.
      if (i === 0) continue;
      ours.push(spent);
      theirs.push(reference.ms);
      small.push(little.ms);
    }
    return { ours: median(ours), theirs: median(theirs), small: median(small), same, version: numpy.version };
  }));
  if (!measured) return makeRow('completion', { what: NO_NUMPY, ratio: null, baseline, size });
  const { ours, theirs, small, same, version } = measured;
  return makeRow('completion', {
    what: `GEM completion in float64: ${ms(ours)}; ${ms(small)} at n = 500, K = 16 (≤ ${SMALL_LIMIT_MS} ms); ${same} of ${k} picks are those of numpy in float64`,
    ratio: ours / theirs,
    baseline: `${baseline} (numpy ${version}): ${ms(theirs)}`,
    size,
    also: same === k && small <= SMALL_LIMIT_MS,
  });
}

export async function measureSpectrum(stage: Stage): Promise<Row> {
  const shapes = stage.options.quick ? [[300, 384]] as const : [[500, 384], [500, 1024], [300, 384]] as const;
  const baseline = 'numpy eigvalsh of the same float64 matrix, 1 BLAS thread';
  const size = shapes.map(([n, d]) => `${n} × ${d}`).join(', ');
  const measured = await withNumpy((numpy) => onBenchPage(stage, async (driver) => {
    const results = [];
    for (const [n, d] of shapes) results.push(await oneSpectrum(stage, driver, numpy, n, d));
    return { results, version: numpy.version };
  }));
  if (!measured) return makeRow('spectrum', { what: NO_NUMPY, ratio: null, baseline, size });
  const { results, version } = measured;
  return makeRow('spectrum', {
    what: `eigenvalues, the worst of: ${results.map((r) => `${r.n} × ${r.d} ${ms(r.ours)} / ${ms(r.theirs)} = ${(r.ours / r.theirs).toFixed(1)} (from the rows ${ms(r.whole)} / ${ms(r.theirWhole)} = ${(r.whole / r.theirWhole).toFixed(1)})`).join('; ')}`,
    ratio: Math.max(...results.map((r) => r.ours / r.theirs)),
    baseline: `${baseline} (numpy ${version})`,
    size,
    also: results.every((r) => r.error <= EIGEN_TOLERANCE),
  });
}

async function oneSpectrum(stage: Stage, driver: BenchDriver, numpy: Numpy, n: number, d: number) {
  const path = await unitRowsFile(stage, n, d);
  await driver.choose(path);
  await driver.compute('openRows', 'file');
  const times = { ours: [] as number[], whole: [] as number[], theirs: [] as number[], theirWhole: [] as number[] };
  let error = 0;
  for (let i = 0; i <= REPETITIONS; i++) {
    const reference = await numpy.ask({ op: 'spectrum', path, n, d });
    const { ms: spent, wholeMs, values } = await driver.compute('spectrum', n, d);
    const largest = reference.values![0]!;
    error = Math.max(...values.map((value, k) => Math.abs(value - reference.values![k]!) / largest));
    if (i === 0) continue;
    times.ours.push(spent);
    times.whole.push(wholeMs);
    times.theirs.push(reference.ms);
    times.theirWhole.push(reference.wholeMs!);
  }
  return { n, d, error, ours: median(times.ours), whole: median(times.whole), theirs: median(times.theirs), theirWhole: median(times.theirWhole) };
}
