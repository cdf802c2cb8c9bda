import { MessageFlag, ROLES, type MessageColumns, type Trajectory } from '../core/trace/model';
import type { LibraryRun } from '../storage/rows';

const ASSISTANT = ROLES.indexOf('assistant');

/** The library's row of a trajectory. `peakTokens` is known only after its tokens have been counted. */
export function libraryRun(trajectory: Trajectory, file: Pick<LibraryRun, 'fileId' | 'fileName' | 'sizeBytes' | 'addedMs' | 'example'>): LibraryRun {
  const root = trajectory.threads[0];
  return {
    id: trajectory.id,
    ...file,
    indexInFile: trajectory.indexInFile,
    name: trajectory.name,
    format: trajectory.format,
    model: trajectory.model ?? null,
    steps: root ? countSteps(trajectory.columns, root.main) : 0,
    messages: trajectory.columns.n,
    threads: trajectory.threads.length,
    peakTokens: null,
    createdMs: trajectory.createdMs ?? null,
    pinned: false,
  };
}

/** Model calls of a line: what `isStep` (core/trace) says of each message, from the columns alone. */
export function countSteps(columns: MessageColumns, rows: ArrayLike<number>): number {
  let steps = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (columns.role[row] === ASSISTANT && (columns.flags[row]! & (MessageFlag.synthetic | MessageFlag.demonstration)) === 0) steps++;
  }
  return steps;
}
