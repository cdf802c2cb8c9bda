import type { MessageColumns, Thread } from '../trace/model';

/**
 * Threads as references need them, whatever a damaged file says: each id once (a record that stands twice gives two threads of one
 * name), and started by a call that is in the run. Where that call is lost the thread stays under its parent.
 */
export function soundThreads<Draft extends { threads: Thread[]; columns: MessageColumns }>(draft: Draft): Draft {
  if (draft.threads.length < 2 && draft.threads[0]?.spawnedBy === undefined) return draft;
  const calls = new Set(Array.from(draft.columns.callIds, (at) => draft.columns.strings[at]!));
  const used = new Set<string>();
  let isChanged = false;
  const threads = draft.threads.map((thread): Thread => {
    let { id } = thread;
    while (used.has(id)) id += '+';
    used.add(id);
    const { spawnedBy, ...rest } = thread;
    const isKnown = spawnedBy === undefined || calls.has(spawnedBy);
    if (isKnown && id === thread.id) return thread;
    isChanged = true;
    return isKnown ? { ...thread, id } : { ...rest, id };
  });
  return isChanged ? { ...draft, threads } : draft;
}
