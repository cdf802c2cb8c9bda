/** Everything a corpus run writes, as file names and texts. The page offers them for download, the command line writes them. */
import { tableFigure } from './figures';
import { BOOTSTRAP_DRAWS, PART_VERSION, type CorpusTables } from './types';
import { runsCsv, tableCsv } from './write-csv';
import { tableLatex } from './write-latex';
import { tableMarkdown } from './write-markdown';

export interface CorpusFile { name: string; text: string }

/** A file that could not be mapped; it does not stop the others. */
export interface CorpusFailure { file: string; code: string; message: string }

/** runs.csv, table-<id>.csv|md|tex, figure-<id>.svg, summary.json; the same tables give the same bytes. */
export function corpusFiles(tables: CorpusTables, failures: readonly CorpusFailure[] = []): CorpusFile[] {
  return [
    { name: 'runs.csv', text: runsCsv(tables) },
    ...tables.tables.flatMap((table) => [
      { name: `table-${table.id}.csv`, text: tableCsv(table) },
      { name: `table-${table.id}.md`, text: tableMarkdown(table, tables) },
      { name: `table-${table.id}.tex`, text: tableLatex(table, tables) },
      { name: `figure-${table.id}.svg`, text: tableFigure(table, tables) },
    ]),
    { name: 'summary.json', text: `${JSON.stringify(corpusSummary(tables, failures), null, 1)}\n` },
  ];
}

/** `summary.json` (cli.md): settings, encoder, versions, seeds, intervals, tests; rows of single runs stand in runs.csv. */
function corpusSummary({ encoder, settings, runs, duplicates, tables }: CorpusTables, failures: readonly CorpusFailure[]): object {
  return {
    version: PART_VERSION,
    encoder,
    settings,
    bootstrap: { draws: BOOTSTRAP_DRAWS, units: 'trajectories', level: 0.95, seed: settings.seed, stream: 'bootstrap' },
    runs: runs.map(({ key, part }) => ({ run: key, ...part.run, interactionBlocks: part.blocks, leftOut: part.leftOut })),
    duplicates,
    unreadable: failures,
    tables: tables.map(({ id, title, origin, notes, rows }) => ({ table: id, title, ...(origin === undefined ? {} : { origin }), notes, rows: rows.filter((row) => row.scope !== 'run') })),
    tests: tables.flatMap((table) => table.tests),
  };
}
