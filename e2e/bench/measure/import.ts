import { growthExponent, MB, median, ms } from '../numbers.ts';
import { makeRow, type Row } from '../rows.ts';
import type { Stage } from '../stage.ts';
import { writeSession } from '../trace-files.ts';
import { onBenchPage } from './bench-page.ts';

/** Sizes of the three JSONL files, MB. */
const SIZES = [20, 60, 200] as const;
const QUICK = [5, 15, 50] as const;

export function session(stage: Stage, megabytes: number): Promise<string> {
  return stage.file(`session-${megabytes}.jsonl`, (path) => writeSession(path, megabytes * MB));
}

const repetitions = (stage: Stage): number => (stage.options.quick ? 2 : 3);
/** Product times by size, so that the growth row measures nothing twice. */
const known = new WeakMap<Stage, Map<number, number>>();

export async function measureImport(stage: Stage): Promise<Row> {
  const megabytes = (stage.options.quick ? QUICK : SIZES)[2];
  const path = await session(stage, megabytes);
  const product: number[] = [];
  const bare: number[] = [];
  await onBenchPage(stage, async (driver) => {
    await driver.choose(path);
    for (let i = 0; i < repetitions(stage); i++) {
      bare.push(await driver.bareImport());
      product.push(await driver.importFile());
    }
  });
  timesOf(stage).set(megabytes, median(product));
  return makeRow('import', {
    what: `import with persistence: ${ms(median(product))}, ${(megabytes / (median(product) / 1000)).toFixed(0)} MB/s`,
    ratio: median(product) / median(bare),
    baseline: `a worker that splits the same File stream into lines and runs JSON.parse: ${ms(median(bare))}`,
    size: `${megabytes} MB of Claude Code JSONL`,
  });
}

export async function measureImportGrowth(stage: Stage): Promise<Row> {
  const { quick, full } = stage.options;
  const sizes: number[] = [...(quick ? QUICK : SIZES), ...(full ? [500] : [])];
  const times = timesOf(stage);
  for (const megabytes of sizes) {
    if (times.has(megabytes)) continue;
    const path = await session(stage, megabytes);
    const measured: number[] = [];
    await onBenchPage(stage, async (driver) => {
      await driver.choose(path);
      for (let i = 0; i < (megabytes >= 200 ? 1 : repetitions(stage)); i++) measured.push(await driver.importFile());
    });
    times.set(megabytes, median(measured));
  }
  const points = sizes.map((size) => ({ size, ms: times.get(size)! }));
  return makeRow('import-growth', {
    what: `exponent of time over size: ${points.map((point) => `${point.size} MB ${ms(point.ms)}`).join(', ')}`,
    ratio: growthExponent(points),
    baseline: 'exponent 1 = linear',
    size: `${sizes.join(', ')} MB`,
  });
}

function timesOf(stage: Stage): Map<number, number> {
  let times = known.get(stage);
  if (!times) known.set(stage, (times = new Map()));
  return times;
}

const FIRST_LIMIT_MS = 1000;

export async function measureFirstStep(stage: Stage): Promise<Row> {
  const megabytes = (stage.options.quick ? QUICK : SIZES)[2];
  const path = await session(stage, megabytes);
  const results: { firstMs: number; readMs: number; fraction: number }[] = [];
  for (let i = 0; i < 3; i++) {
    // A fresh browser each: the worker's start is part of what a person waits for.
    results.push(await onBenchPage(stage, async (driver) => {
      await driver.choose(path);
      return driver.page.evaluate(() => window.bench.firstSteps());
    }));
  }
  const first = median(results.map((result) => result.firstMs));
  const read = median(results.map((result) => result.readMs));
  const fraction = Math.max(...results.map((result) => result.fraction));
  return makeRow('first-step', {
    what: `first messages at hand after ${ms(first)} (worker start included), with ${(100 * fraction).toFixed(0)} % of the file read; the first 1 MB takes ${ms(read)} to read`,
    ratio: first / FIRST_LIMIT_MS,
    baseline: '1 s',
    size: `${megabytes} MB`,
    also: fraction < 0.9,
  });
}
