/** Choice: the newest visible blocks of a kind that fit a length; what a compaction leaves standing. */
import { KIND } from '../../kinds';
import type { Workspace } from '../../workspace';
import { toolOf } from './block-words';

/** The newest tool results of accepted tools, newest first, while they fit `limit` tokens together. */
export function newestWithin(ws: Workspace, limit: number, accepts: (tool: string) => boolean): Set<number> {
  return walk(ws, limit, (item) => ws.columns.kind.get(item) === KIND.tool_result && accepts(toolOf(ws, item)));
}

/** The newest user messages, newest first, while they fit `limit` tokens together. */
export function newestUsers(ws: Workspace, limit: number): Set<number> {
  return walk(ws, limit, (item) => ws.columns.kind.get(item) === KIND.user);
}

function walk(ws: Workspace, limit: number, wanted: (item: number) => boolean): Set<number> {
  const kept = new Set<number>();
  let room = limit;
  for (let slot = ws.stream.tail; slot >= 0 && room > 0; slot = ws.stream.before(slot)) {
    const item = ws.stream.at(slot);
    // What arrived since the last call stays anyway.
    if (!wanted(item) || !ws.isFree(item) || ws.isFresh(item)) continue;
    room -= ws.columns.tokens.get(item);
    if (room >= 0) kept.add(item);
  }
  return kept;
}
