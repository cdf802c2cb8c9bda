/** `npm run bench`: the speeds of quality.md §1 as ratios, measured side by side in one run in real Chromium. */
import { parseOptions } from './options.ts';
import { failedRow, ROW_IDS, table, type Row, type RowId } from './rows.ts';
import { Stage } from './stage.ts';
import { measureCompletion, measureSpectrum } from './measure/numerics.ts';
import { measureEmbedding } from './measure/embedding.ts';
import { measureFirstLoad, measureLongTask, measureReopen } from './measure/product.ts';
import { measureFirstStep, measureImport, measureImportGrowth } from './measure/import.ts';
import { measureMemory } from './measure/memory.ts';
import { measureEvidence, measureReplay, measureTokens } from './measure/text.ts';
import { measureStep } from './measure/step.ts';

const MEASURES: Record<RowId, (stage: Stage) => Promise<Row>> = {
  import: measureImport,
  'import-growth': measureImportGrowth,
  memory: measureMemory,
  'first-step': measureFirstStep,
  'long-task': measureLongTask,
  step: measureStep,
  replay: measureReplay,
  evidence: measureEvidence,
  tokens: measureTokens,
  completion: measureCompletion,
  spectrum: measureSpectrum,
  embedding: measureEmbedding,
  reopen: measureReopen,
  'first-load': measureFirstLoad,
};

// Standard output is the table or the JSON and nothing else.
const log = (line: string): void => void process.stderr.write(`${line}\n`);
const options = parseOptions(process.argv.slice(2));
const stage = await Stage.open(options, log);
const rows: Row[] = [];
try {
  for (const id of ROW_IDS) {
    if (!options.only.has(id)) continue;
    log(`Measuring ${id}`);
    const row = await MEASURES[id](stage).catch((error: unknown) => failedRow(id, error));
    log(`  ${row.ratio ?? '-'} (target ${row.target}) ${row.what}`);
    rows.push(row);
  }
} finally {
  await stage.close();
}
console.log(options.json ? JSON.stringify({ rows }) : table(rows));
