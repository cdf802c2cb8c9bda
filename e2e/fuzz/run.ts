import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { HANG_MS_A_MEGABYTE, importFault } from '../../src/core/import/fuzz';
import { containerFiles } from '../../src/testing/container-files';
import { corpusFiles } from '../../src/testing/corpus-files';
import { mutant, seededRandom } from '../../src/testing/mutate';

/**
 * Any number of mutants of every sample, fixture and container of ours: `npx tsx e2e/fuzz/run.ts --count 100000 --seed 1 [--max-bytes N]
 * [--only TEXT] [--keep DIR]`. Mutant i of seed s is always the same bytes. Ends with 1 if any is at fault.
 */
const { values } = parseArgs({ options: { count: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' }, 'max-bytes': { type: 'string', default: '300000' }, only: { type: 'string' }, keep: { type: 'string' } } });
const count = Number(values.count);
const seed = Number(values.seed);
const files = [...corpusFiles(Number(values['max-bytes'])), ...(await containerFiles())].filter(({ name }) => values.only === undefined || name.includes(values.only));
const MAX_RSS_BYTES = 2 * 1024 ** 3;
const MAX_SHOWN = 40;

async function main(): Promise<void> {
  if (files.length === 0) throw new Error('No sample matches.');
  const startMs = Date.now();
  const faults = new Map<string, number>();
  for (let i = 0; i < count; i++) {
    const random = seededRandom(seed * 1_000_003 + i);
    const file = files[Math.floor(random() * files.length)]!;
    const other = files[Math.floor(random() * files.length)]!;
    const { bytes, how } = mutant(file.bytes, other.bytes, random);
    const fault = await importFault(bytes, {}, HANG_MS_A_MEGABYTE);
    if (fault !== null) {
      const short = fault.split('\n').slice(0, 4).join(' | ').slice(0, 400);
      const kind = short.replace(/\d+/g, 'N');
      faults.set(kind, (faults.get(kind) ?? 0) + 1);
      if (faults.get(kind) === 1 && faults.size <= MAX_SHOWN) {
        console.log(`mutant ${i} of seed ${seed}: ${file.name} (${how}, ${bytes.length} bytes): ${short}`);
        if (values.keep !== undefined) {
          mkdirSync(values.keep, { recursive: true });
          writeFileSync(join(values.keep, `${seed}-${i}-${file.name.replaceAll('/', '_')}`), bytes);
        }
      }
    }
    const { rss } = process.memoryUsage();
    if (rss > MAX_RSS_BYTES) throw new Error(`Memory grew to ${Math.round(rss / 1024 ** 2)} MiB at mutant ${i}.`);
    if (i % 5000 === 4999) console.log(`${i + 1} mutants, ${[...faults.values()].reduce((sum, n) => sum + n, 0)} at fault, ${Math.round((Date.now() - startMs) / 1000)} s, ${Math.round(rss / 1024 ** 2)} MiB`);
  }
  console.log(`${count} mutants of ${files.length} files, seed ${seed}: ${faults.size === 0 ? 'no fault' : `${faults.size} kinds of faults`}`);
  if (faults.size > 0) process.exitCode = 1;
}

await main();
