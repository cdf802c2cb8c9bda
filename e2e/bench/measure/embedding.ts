import { readFileSync } from 'node:fs';
import { median, ms } from '../numbers.ts';
import { makeRow, type Row } from '../rows.ts';
import type { Stage } from '../stage.ts';
import { onBenchPage } from './bench-page.ts';
import { session } from './import.ts';

/** Few texts a round and many rounds: both sides then see the same moments of a busy machine. */
const TEXTS = 8;
const REPETITIONS = { quick: 2, usual: 8 };

/** Tool results and messages of the session, as texts of one to four windows; `round` makes them texts never seen before. */
function textsOf(path: string, count: number, round: number): string[] {
  const lines = readFileSync(path, 'utf8').split('\n', 20 * count);
  const long = lines.filter((line) => line.length > 900).slice(0, count);
  return long.map((line, i) => `${round}.${i} ${line.slice(300, 300 + 600 * (1 + (i % 5)))}`);
}

export async function measureEmbedding(stage: Stage): Promise<Row> {
  const { quick } = stage.options;
  const repetitions = quick ? REPETITIONS.quick : REPETITIONS.usual;
  const path = await session(stage, 5);
  const results = await onBenchPage(stage, async (driver) => {
    await driver.embedding('load', driver.url);
    const measured = [];
    // Round 0 warms the session up.
    for (let round = 0; round <= repetitions; round++) {
      const one = await driver.embedding('embed', driver.url, textsOf(path, TEXTS, round), 10 + round);
      if (round > 0) measured.push(one);
    }
    return measured;
  });
  const { pieces, windows, threads } = results[0]!;
  const spent = median(results.map((one) => one.ms));
  const bare = median(results.map((one) => one.bareMs));
  return makeRow('embedding', {
    what: `texts to stored vectors, MiniLM int8, ${threads} threads: ${ms(spent)}, ${(pieces / (spent / 1000)).toFixed(0)} word pieces/s`,
    ratio: median(results.map((one) => one.bareMs / one.ms)),
    baseline: `a bare loop over the same session with ready ids: ${ms(bare)} (ratio = its time ÷ ours)`,
    size: `${TEXTS} texts a round, ${windows} windows, ${pieces} word pieces`,
  });
}
