/** Which runs of the library are shown, in which order. Pure, and quick enough for thousands of runs a key press. */
import type { LibraryRun } from '../../workers/api';

export type LibraryColumn = 'name' | 'format' | 'model' | 'steps' | 'peakTokens' | 'sizeBytes' | 'addedMs';

/** One collator for all: `localeCompare` makes its rules anew at every comparison. */
const words = new Intl.Collator();

/** Pinned first, then by the chosen column; unknown values last in either direction. */
export function sortRuns(runs: readonly LibraryRun[], key: LibraryColumn, descending: boolean): LibraryRun[] {
  const sign = descending ? -1 : 1;
  return [...runs].sort((a, b) => {
    if (a.pinned !== b.pinned) return a.pinned ? -1 : 1;
    const [x, y] = [a[key], b[key]];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    return sign * (typeof x === 'string' ? words.compare(x, String(y)) : x - Number(y));
  });
}

export interface FoundBy { run: LibraryRun; text: string }

/** What the filter looks in, made once for a library. */
export function searchable(runs: readonly LibraryRun[]): FoundBy[] {
  return runs.map((run) => ({ run, text: [run.name, run.fileName, run.format, run.model ?? ''].join('\n').toLowerCase() }));
}

export function filterRuns(all: readonly FoundBy[], filter: string): LibraryRun[] {
  const wanted = filter.trim().toLowerCase();
  return all.flatMap(({ run, text }) => (text.includes(wanted) ? [run] : []));
}
