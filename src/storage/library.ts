import { ContextscopeError } from '../core/base/errors';
import type { LibraryRun, ScenarioRow } from './rows';

/** Order of the library. Sorts in place. */
export function newestFirst(runs: LibraryRun[]): LibraryRun[] {
  return runs.sort((a, b) => b.addedMs - a.addedMs || a.fileId.localeCompare(b.fileId) || a.indexInFile - b.indexInFile);
}

/** Order of a line's scenarios. Sorts in place. */
export function oldestFirst(rows: ScenarioRow[]): ScenarioRow[] {
  return rows.sort((a, b) => a.createdMs - b.createdMs || a.id.localeCompare(b.id));
}

export function noSuchRun(runId: string): ContextscopeError {
  return new ContextscopeError('not-found', `The run ${runId.slice(0, 12)}… is not in the library: it was forgotten, or its file was never opened here. Open the file again.`);
}
