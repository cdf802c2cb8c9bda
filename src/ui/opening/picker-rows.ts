/** Which runs of a file its picker lists, in which order. Pure, and quick enough for thousands of runs a key press. */
import type { LibraryRun } from '../../workers/api';
import { count, plural } from '../shared/format';

export const PICKER_ORDERS = { file: 'as in the file', steps: 'most steps', messages: 'most messages', name: 'by name' } as const;
export type PickerOrder = keyof typeof PICKER_ORDERS;

const words = new Intl.Collator(undefined, { numeric: true });

/** Every word of the query has to be in the name or the model; a number alone also finds the run at that place, counted from 0 as `--trajectory` does. */
export function pickerRows(runs: readonly LibraryRun[], query: string, order: PickerOrder): LibraryRun[] {
  const wanted = query.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const place = /^#?\d+$/.test(query.trim()) ? Number(query.trim().replace('#', '')) : -1;
  const found = runs.filter((run) => {
    if (run.indexInFile === place) return true;
    const text = `${run.name}\n${run.model ?? ''}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  // What was asked for by its place comes first.
  const first = (run: LibraryRun): number => (run.indexInFile === place ? 0 : 1);
  const by: Record<PickerOrder, (a: LibraryRun, b: LibraryRun) => number> = {
    file: (a, b) => a.indexInFile - b.indexInFile,
    steps: (a, b) => b.steps - a.steps,
    messages: (a, b) => b.messages - a.messages,
    name: (a, b) => words.compare(a.name, b.name),
  };
  return found.sort((a, b) => first(a) - first(b) || by[order](a, b) || a.indexInFile - b.indexInFile);
}

/** "of 1 step" where all runs are as long, else "of 1–9 steps". */
export function pickerLengths({ fewestSteps, mostSteps }: { fewestSteps: number; mostSteps: number }): string {
  return fewestSteps === mostSteps ? `of ${plural(mostSteps, 'step')}` : `of ${count(fewestSteps)}–${plural(mostSteps, 'step')}`;
}

export function pickerTotals(runs: readonly LibraryRun[]): { fewestSteps: number; mostSteps: number; messages: number } {
  let fewestSteps = Infinity;
  let mostSteps = 0;
  let messages = 0;
  for (const run of runs) {
    fewestSteps = Math.min(fewestSteps, run.steps);
    mostSteps = Math.max(mostSteps, run.steps);
    messages += run.messages;
  }
  return { fewestSteps: runs.length === 0 ? 0 : fewestSteps, mostSteps, messages };
}
