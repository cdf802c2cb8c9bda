/** Calls whose result the file does not hold (import-cases.md 37): a branched or broken-off session, or a writer that keeps no results. */
import type { MessageColumns } from '../../core/trace/model';

const known = new WeakMap<MessageColumns, ReadonlySet<string>>();

/**
 * Ids of the calls that no result of any thread or branch names. Calls without an id are
 * left out: of these no one can tell; of an id given twice one result answers both. Made once a file of columns.
 */
export function unansweredCalls(columns: MessageColumns): ReadonlySet<string> {
  const found = known.get(columns);
  if (found !== undefined) return found;
  const answered = new Set(columns.resultCallIds);
  const calls = new Set<string>();
  // A result without an id may answer any call.
  if (!answered.has(0)) for (const id of columns.callIds) if (id !== 0 && !answered.has(id)) calls.add(columns.strings[id] ?? '');
  known.set(columns, calls);
  return calls;
}
