import { growthExponent, median, ms } from '../numbers.ts';
import { makeRow, type Row } from '../rows.ts';
import type { Stage } from '../stage.ts';
import { onBenchPage } from './bench-page.ts';
import { session } from './import.ts';
import { longRun } from './step.ts';

const REPETITIONS = 5;
/** All policies of a comparison together. */
const ALL_POLICIES_MS = 2000;
/** A little above 1: short runs are noisy. */
const LINEAR = 1.2;

/**
 * Every policy over one run, against a plain pass; and over a quarter and a half of it, for the growth. The page compares all
 * policies unless told otherwise: their sum, without those that wait for vectors, is what stands against the two seconds.
 */
export async function measureReplay(stage: Stage): Promise<Row> {
  const steps = stage.options.quick ? 2000 : 10_000;
  const sizes = [steps / 4, steps / 2, steps];
  const bySize: Replays[] = [];
  for (const size of sizes) bySize.push(await replays(stage, size));
  const large = bySize[bySize.length - 1]!;
  const policies = large.policies.map((policy, i) => ({
    ...policy,
    ratio: policy.ms / large.plainMs,
    exponent: growthExponent(bySize.map((at) => ({ size: at.steps, ms: at.policies[i]!.ms }))),
  }));
  const worst = [...policies].sort((a, b) => b.ratio - a.ratio)[0]!;
  const steepest = [...policies].sort((a, b) => b.exponent - a.exponent)[0]!;
  const total = policies.reduce((sum, policy) => sum + policy.ms, 0);
  return makeRow('replay', {
    what: `worst policy ${worst.id}: ${ms(worst.ms)}; the page's default comparison (all ${policies.length} without vectors) together ${ms(total)} (< 2 s); steepest growth ${steepest.id}, exponent ${steepest.exponent.toFixed(2)}; ratio and exponent of each: ${policies.map((policy) => `${policy.id} ${policy.ratio.toFixed(1)} ^${policy.exponent.toFixed(2)}`).join(', ')}`,
    ratio: worst.ratio,
    baseline: `one plain pass: every block as an object, every demand with its sources, a row a step: ${ms(large.plainMs)}`,
    size: `${large.steps} steps, ${large.blocks} blocks, ${large.demands} demands`,
    also: total < ALL_POLICIES_MS && steepest.exponent <= LINEAR,
  });
}

interface Replays { steps: number; blocks: number; demands: number; plainMs: number; policies: { id: string; ms: number }[] }

async function replays(stage: Stage, size: number): Promise<Replays> {
  const path = await longRun(stage, size);
  return onBenchPage(stage, async (driver) => {
    await driver.choose(path);
    const { steps, blocks, demands } = await driver.compute('openLine', 'file');
    const plain: number[] = [];
    const policies = [];
    for (const id of await driver.compute('policies')) {
      const times: number[] = [];
      for (let i = 0; i <= REPETITIONS; i++) {
        const result = await driver.compute('replayPolicy', id);
        if (i === 0) continue;
        times.push(result.ms);
        plain.push(result.plainMs);
      }
      policies.push({ id, ms: median(times) });
    }
    return { steps, blocks, demands, plainMs: median(plain), policies };
  });
}

/** A session of this size as text in memory. */
const TEXT_MB = { quick: 4, usual: 40 };

export async function measureEvidence(stage: Stage): Promise<Row> {
  const megabytes = stage.options.quick ? TEXT_MB.quick : TEXT_MB.usual;
  const path = await session(stage, megabytes);
  const { points, ratios, characters } = await onBenchPage(stage, async (driver) => {
    await driver.choose(path);
    const line = await driver.compute('openLine', 'file');
    const whole: { ms: number; patternMs: number; characters: number }[] = [];
    const quarter: typeof whole = [];
    for (let i = 0; i < REPETITIONS; i++) {
      whole.push(await driver.compute('evidence', 1));
      quarter.push(await driver.compute('evidence', 0.25));
    }
    const mid = (list: typeof whole) => ({ size: list[0]!.characters, ms: median(list.map((one) => one.ms)), patternMs: median(list.map((one) => one.patternMs)) });
    return { points: [mid(quarter), mid(whole)], ratios: whole.map((one) => one.ms / one.patternMs), characters: line.characters };
  });
  const exponent = growthExponent(points);
  const [, whole] = points;
  return makeRow('evidence', {
    what: `evidence index: ${ms(whole!.ms)}, ${(characters / 1e6 / (whole!.ms / 1000)).toFixed(1)} M characters/s; growth exponent ${exponent.toFixed(2)}`,
    ratio: median(ratios),
    baseline: `one pass of LEXEME_PATTERN over the same texts: ${ms(whole!.patternMs)}`,
    size: `${(characters / 1e6).toFixed(1)} M characters of a ${megabytes} MB session`,
    also: exponent <= LINEAR,
  });
}

/** Length of the hostile run, characters. */
const HOSTILE = { quick: 1_000_000, usual: 5_000_000 };
const HOSTILE_REPETITIONS = 3;

export async function measureTokens(stage: Stage): Promise<Row> {
  const { quick } = stage.options;
  const megabytes = quick ? TEXT_MB.quick : TEXT_MB.usual;
  const length = quick ? HOSTILE.quick : HOSTILE.usual;
  const path = await session(stage, megabytes);
  const { results, hostile } = await onBenchPage(stage, async (driver) => {
    await driver.choose(path);
    await driver.compute('openLine', 'file');
    const measured = [];
    for (let i = 0; i <= REPETITIONS; i++) {
      const one = await driver.compute('tokens');
      if (i > 0) measured.push(one);
    }
    const runs = [];
    for (const kind of ['one character', 'base64'] as const) {
      // The least of a few: whatever else the machine does only adds.
      const least = async (characters: number): Promise<number> => {
        const times = [];
        for (let i = 0; i < HOSTILE_REPETITIONS; i++) times.push(await driver.compute('hostileTokens', kind, characters));
        return Math.min(...times);
      };
      const fifth = await least(length / 5);
      const whole = await least(length);
      runs.push({ kind, ms: whole, exponent: growthExponent([{ size: 1, ms: fifth }, { size: 5, ms: whole }]) });
    }
    return { results: measured, hostile: runs };
  });
  const { characters, tokens } = results[0]!;
  const spent = median(results.map((one) => one.ms));
  const library = median(results.map((one) => one.libraryMs));
  return makeRow('tokens', {
    what: `exact o200k_base counts: ${ms(spent)}, ${(characters / 1e6 / (spent / 1000)).toFixed(1)} M characters/s, ${tokens} tokens on both sides; ${length / 1e6} M characters of ${hostile.map((run) => `${run.kind} ${ms(run.ms)}, growth exponent ${run.exponent.toFixed(2)}`).join('; ')}`,
    ratio: median(results.map((one) => one.libraryMs / one.ms)),
    baseline: `gpt-tokenizer alone on the same texts in the same worker: ${ms(library)} (ratio = its time ÷ ours)`,
    size: `${(characters / 1e6).toFixed(1)} M characters`,
    also: hostile.every((run) => run.exponent <= LINEAR),
  });
}
