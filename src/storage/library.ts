import { ContextscopeError } from '../core/base/errors';
import type { LibraryRun } from './rows';

/** Order of the library. Sorts in place. */
export function newestFirst(runs: LibraryRun[]): LibraryRun[] {
  return runs.sort((a, b) => b.addedMs - a.addedMs || a.fileId.localeCompare(b.fileId) || a.indexInFile - b.indexInFile);
}

export function noSuchRun(runId: string): ContextscopeError {
  return new ContextscopeError('not-found', `The run ${runId.slice(0, 12)}… is not in the library: it was forgotten, or its file was never opened here. Open the file again.`);
}
