import type { MessageColumns, Thread } from '../trace/model';
import { isStep } from './report';

/** Steps and messages of a thread, its branches included, each row once. */
export function threadFacts(columns: MessageColumns, thread: Thread): { steps: number; messages: number } {
  const rows = new Set<number>(thread.main);
  for (const branch of thread.branches) for (const row of branch.rows) rows.add(row);
  let steps = 0;
  for (const row of rows) if (isStep(columns, row)) steps++;
  return { steps, messages: rows.size };
}

/**
 * Interaction blocks of a line (model.md §2): assistant messages with at least one call whose calls are all answered.
 * A re-used id answers its oldest open call.
 */
export function countInteractionBlocks(columns: MessageColumns, rows: ArrayLike<number>): number {
  const open = new Map<number, number[]>();
  const unanswered = new Map<number, number>();
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const calls = columns.callIds.subarray(columns.callStart[row]!, columns.callStart[row + 1]!);
    if (calls.length > 0) unanswered.set(row, calls.length);
    for (const id of calls) {
      if (id === 0) continue;
      const queue = open.get(id);
      if (queue) queue.push(row);
      else open.set(id, [row]);
    }
    for (const id of columns.resultCallIds.subarray(columns.resultStart[row]!, columns.resultStart[row + 1]!)) {
      const caller = open.get(id)?.shift();
      if (caller !== undefined) unanswered.set(caller, unanswered.get(caller)! - 1);
    }
  }
  let blocks = 0;
  for (const left of unanswered.values()) if (left === 0) blocks++;
  return blocks;
}
