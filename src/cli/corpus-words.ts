/** What `corpus` prints for a person: how many runs, the two findings of the paper on them, and where the files are. */
import type { CorpusFailure } from '../core/corpus/corpus-files';
import { findings } from '../core/corpus/findings';
import type { CorpusTables } from '../core/corpus/types';

export function corpusWords(tables: CorpusTables, failures: readonly CorpusFailure[], folder: string): string {
  const { runs, duplicates, encoder } = tables;
  const measured = runs.filter(({ part }) => part.leftOut === null).length;
  const lines = [`${runs.length} ${runs.length === 1 ? 'run' : 'runs'}, ${measured} of them with checkpoints (more than 16 blocks); encoder ${encoder.id}.`];
  if (failures.length > 0) lines.push(`${failures.length} files could not be read as runs (summary.json lists them).`);
  if (duplicates.length > 0) lines.push(`${duplicates.length} runs stand in another file as well and are counted once.`);
  for (const table of tables.tables) {
    const said = findings(table);
    if (said.length > 0) lines.push('', ...said);
  }
  return [...lines, '', `Written to ${folder}.`].join('\n');
}
