import type { MessageColumns, Thread } from '../trace/model';

/**
 * Threads whose starting call is in the run. In a damaged file the call may be lost while the sub-agent still names it: then
 * the thread stays under its parent, and no call is said to have started it.
 */
export function withKnownSpawns<Draft extends { threads: Thread[]; columns: MessageColumns }>(draft: Draft): Draft {
  if (draft.threads.every(({ spawnedBy }) => spawnedBy === undefined)) return draft;
  const calls = new Set(Array.from(draft.columns.callIds, (at) => draft.columns.strings[at]!));
  if (draft.threads.every(({ spawnedBy }) => spawnedBy === undefined || calls.has(spawnedBy))) return draft;
  return {
    ...draft,
    threads: draft.threads.map((thread) => {
      const { spawnedBy, ...rest } = thread;
      return spawnedBy === undefined || calls.has(spawnedBy) ? thread : rest;
    }),
  };
}
