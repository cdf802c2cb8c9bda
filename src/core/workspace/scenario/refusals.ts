/** Why an operation may not touch a block, in words for a person: what the operations themselves refuse without a word. */
import { BLOCK_STATUSES } from '../types';
import { blockId, KIND, STATUS } from '../kinds';
import type { Workspace } from '../workspace';

/** null = it may be taken out of the stream now. */
export function whyNotRemoved(ws: Workspace, item: number): string | null {
  if (ws.isProtected(item)) return protectedWords(ws, item);
  if (ws.isPinned(item)) return `${blockId(item)} is pinned: unpin it first`;
  return ws.isVisible(item) ? null : goneWords(ws, item);
}

/** null = it may be deleted now: shown, or stored behind something. */
export function whyNotDeleted(ws: Workspace, item: number): string | null {
  if (ws.isProtected(item)) return protectedWords(ws, item);
  if (ws.isPinned(item)) return `${blockId(item)} is pinned: unpin it first`;
  if (ws.statusOf(item) === STATUS.deleted) return `${blockId(item)} was deleted before`;
  const holder = pinnedHolder(ws, item);
  return holder < 0 ? null : `${blockId(item)} is stored behind ${blockId(holder)}, which is pinned: unpin that first`;
}

export function whyNotPinned(ws: Workspace, item: number): string | null {
  if (ws.isPinned(item)) return `${blockId(item)} is pinned already`;
  return ws.isVisible(item) ? null : `${goneWords(ws, item)}; only what is in the context can be pinned`;
}

export const whyNotUnpinned = (ws: Workspace, item: number): string | null => (ws.isPinned(item) ? null : `${blockId(item)} is not pinned`);

/** What became of a block that is no longer shown. */
function goneWords(ws: Workspace, item: number): string {
  const status = ws.statusOf(item);
  if (status === STATUS.deleted) return `${blockId(item)} was deleted: its bytes no longer exist`;
  const holder = ws.columns.container.get(item);
  const where = holder >= 0 && status === STATUS.archived ? ` behind ${blockId(holder)}` : '';
  return `${blockId(item)} is not in the context: it is ${BLOCK_STATUSES[status] ?? 'gone'}${where}`;
}

const protectedWords = (ws: Workspace, item: number): string =>
  `${blockId(item)} is the ${ws.columns.kind.get(item) === KIND.task ? 'task' : 'system prompt'}: it always stays`;

function pinnedHolder(ws: Workspace, item: number): number {
  for (let at = ws.columns.container.get(item); at >= 0; at = ws.columns.container.get(at)) if (ws.isPinned(at)) return at;
  return -1;
}
