/** Rows of the corpus page's choice: runs of the library, and files that are read where they lie. Pure. */
import type { InputFile } from '../../state/imports';
import { fileRowId, type CorpusEntry } from '../../state/corpus';
import type { CorpusItemState, LibraryRun } from '../../workers/api';
import { bytes, plural } from '../shared/format';

export interface CorpusRow {
  id: string;
  name: string;
  /** File and place in it. */
  path: string;
  format: string;
  /** Steps of a run, or the size of a file nobody has read yet. */
  length: string;
  /** Null = a file that is not stored. */
  run: LibraryRun | null;
  entry: CorpusEntry;
}

/** A file is weighed as if a step had so many bytes. */
const BYTES_A_STEP = 8_000;

export function corpusRows(runs: readonly LibraryRun[], files: readonly InputFile[]): CorpusRow[] {
  const several = new Set(runs.filter((run) => run.indexInFile > 0).map((run) => run.fileId));
  return [
    ...files.map(({ name, blob }): CorpusRow => {
      const id = fileRowId(name);
      return { id, name, path: name, format: 'not read yet', length: bytes(blob.size), run: null, entry: { id, item: { path: name, size: blob.size / BYTES_A_STEP, blob } } };
    }),
    ...runs.map((run): CorpusRow => ({
      id: run.id, name: run.name, path: several.has(run.fileId) ? `${run.fileName}#${run.indexInFile}` : run.fileName, format: run.format, length: plural(run.steps, 'step'), run,
      entry: { id: run.id, item: { path: run.fileName, size: run.steps, runId: run.id } },
    })),
  ];
}

export function filterRows(rows: readonly CorpusRow[], filter: string): CorpusRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 ? [...rows] : rows.filter(({ name, path, format, run }) => {
    const text = `${name}\n${path}\n${format}\n${run?.model ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** `chosen` null = all. */
export const isChosen = (chosen: ReadonlySet<string> | null, id: string): boolean => chosen === null || chosen.has(id);

/** The choice after rows were put in or taken out; all rows chosen is `null`, so that later runs are in it too. */
export function changeChoice(chosen: ReadonlySet<string> | null, all: readonly CorpusRow[], ids: readonly string[], isIn: boolean): string[] | null {
  const next = new Set(all.filter(({ id }) => isChosen(chosen, id)).map(({ id }) => id));
  for (const id of ids) {
    if (isIn) next.add(id);
    else next.delete(id);
  }
  return all.every(({ id }) => next.has(id)) ? null : [...next];
}

const PHASE_WORDS = { reading: 'reading', embedding: 'embedding', measuring: 'measuring' } as const;

/** What the last column says. `known`: there is a stored result for the settings chosen now. */
export function stateWords(state: CorpusItemState | undefined, known: boolean): string {
  if (state?.state === 'failed') return state.message;
  if (state?.state === 'running') return `${PHASE_WORDS[state.phase]} ${Math.floor(state.share * 100)} %`;
  if (state?.state === 'done' && !state.reused) return 'done';
  return known || state?.state === 'done' ? 'stored result' : '–';
}
