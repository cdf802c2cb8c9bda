/** What bringing a block back means: which stored bytes are read, from behind what; or why there is nothing to read. */
import { blockId, KIND, STATUS } from '../kinds';
import type { Workspace } from '../workspace';

export interface Read { holder: number; leaves: number[] }

/** The read that shows a block, or all of what a handle stands for, again. */
export function readOf(ws: Workspace, item: number): Read | { problem: string } {
  const { columns } = ws;
  const kind = columns.kind.get(item);
  if (ws.statusOf(item) === STATUS.deleted) return { problem: `${blockId(item)} was deleted: its bytes no longer exist` };
  if (isStore(kind)) return complete(ws, { holder: item, leaves: leavesOf(ws, item) });
  if (kind === KIND.recovered && !ws.isVisible(item)) {
    // A copy that was put back: the same read again.
    const holder = columns.parent.get(item);
    return complete(ws, { holder, leaves: columns.membersOf(item) });
  }
  if (ws.isVisible(item)) return { problem: `${blockId(item)} is in the context: there is nothing to bring back` };
  if (ws.isHeld(item)) return { problem: `a copy of ${blockId(item)} is in the context already` };
  const holder = columns.container.get(item);
  if (!ws.isStored(item) || holder < 0) return { problem: `${blockId(item)} is stored nowhere` };
  return complete(ws, { holder, leaves: [item] });
}

function complete(ws: Workspace, read: Read): Read | { problem: string } {
  if (read.holder < 0 || read.leaves.length === 0) return { problem: 'nothing is stored behind it' };
  const gone = read.leaves.filter((leaf) => ws.statusOf(leaf) === STATUS.deleted);
  const [first] = gone;
  if (first === undefined) return read.leaves.every((leaf) => ws.isHeld(leaf)) ? { problem: `${namesOf(read.leaves)} ${read.leaves.length === 1 ? 'is' : 'are'} in the context already` } : read;
  if (gone.length === read.leaves.length) return { problem: `${namesOf(gone)} ${gone.length === 1 ? 'was' : 'were'} deleted: the bytes no longer exist` };
  return { problem: `${namesOf(gone)} behind ${blockId(read.holder)} ${gone.length === 1 ? 'was' : 'were'} deleted, so it cannot be read as a whole: recover the other blocks one by one` };
}

/** Blocks with bytes of their own behind a store, in payload order. A recovered copy owns its bytes. */
function leavesOf(ws: Workspace, store: number): number[] {
  const leaves: number[] = [];
  const waiting = [store];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (!isStore(ws.columns.kind.get(at))) leaves.push(at);
    // Deleted as a whole: what was behind it went with it.
    else for (let k = ws.columns.memberCount(at) - 1; k >= 0; k--) waiting.push(ws.columns.member(at, k));
  }
  return leaves;
}

const isStore = (kind: number): boolean => kind === KIND.handle || kind === KIND.placeholder || kind === KIND.notice;

/** `B3, B5 and 4 more`. */
export function namesOf(items: readonly number[], most = 4): string {
  const shown = items.slice(0, most).map(blockId).join(', ');
  return items.length > most ? `${shown} and ${items.length - most} more` : shown;
}
