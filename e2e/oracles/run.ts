/**
 * All reference numbers, not the sample that `npm test` checks: npm run oracles -- [--run NAME] [--encoder NAME].
 * Exit status 1 when a number is outside its tolerance. MiniLM over every run takes about a quarter of an hour.
 */
import { parseArgs } from 'node:util';
import { hasShared } from '../../src/testing/shared';
import { embeddingOracles, type OracleRow } from './embedding';

const { values } = parseArgs({ options: { run: { type: 'string' }, encoder: { type: 'string' } } });

const print = ({ state, run, what, rows, found, limit }: OracleRow): void => {
  console.log([state.padEnd(8), run.padEnd(21), what.padEnd(36), String(rows).padStart(4), found.slice(0, 70).padStart(14), limit].join('  '));
};
const progress = (line: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
};

if (!hasShared) process.exit(1);
const counts: Record<OracleRow['state'], number> = { ok: 0, FAILED: 0, skipped: 0 };
for await (const row of embeddingOracles(values, progress)) {
  progress('');
  print(row);
  counts[row.state]++;
}
console.log(`${counts.ok} ok, ${counts.FAILED} failed, ${counts.skipped} skipped`);
// Nothing compared at all would be a mistake in the call, not a success.
process.exit(counts.FAILED > 0 || counts.ok === 0 ? 1 : 0);
