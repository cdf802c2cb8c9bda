import type { ImportReport } from '../core/import/types';
import { MessageFlag, ROLES, type MessageColumns, type Trajectory } from '../core/trace/model';
import type { LibraryRun } from '../storage/rows';

const ASSISTANT = ROLES.indexOf('assistant');

/** The library's row of a trajectory. `peakTokens` is known only after its tokens have been counted. */
export function libraryRun(trajectory: Trajectory, report: ImportReport, addedMs: number, example: boolean): LibraryRun {
  const root = trajectory.threads[0];
  return {
    id: trajectory.id,
    fileId: report.sha256,
    indexInFile: trajectory.indexInFile,
    name: trajectory.name,
    fileName: report.file,
    format: trajectory.format,
    model: trajectory.model ?? null,
    steps: root ? countSteps(trajectory.columns, root.main) : 0,
    messages: trajectory.columns.n,
    threads: trajectory.threads.length,
    peakTokens: null,
    sizeBytes: report.bytes,
    createdMs: trajectory.createdMs ?? null,
    addedMs,
    pinned: false,
    example,
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
