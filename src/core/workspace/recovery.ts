/** Recovery on demand (policies.md): the engine reads back what the recorded action uses, grouped into as few reads as it takes. */
import { TOKENS_PER_MESSAGE } from '../trace/blocks-types';
import { standsForOthers } from './block-graph';
import { labelOf } from './dashboard-rows';
import { blockId, KIND } from './kinds';
import type { Management } from './management';
import { note, recover, recoverCost } from './operations';
import { freshItems } from './preflight';
import type { Workspace } from './workspace';

/** Kept free for the dashboard row and for the handles that make room. */
const RESERVE_TOKENS = 256;

interface Read { holder: number; leaves: number[] }

/** Brings back what fits beside the parts that must stay. Returns the new blocks. `labelled`: handles are asked for by label. */
export function recoverBlocks(ws: Workspace, obligations: readonly number[], bound: boolean, management: Management, labelled = false): number[] {
  const copies: number[] = [];
  let room = bound ? roomFor(ws) : Infinity;
  const input = ws.size;
  let outputTokens = 0;
  for (const read of groupReads(ws, obligations)) {
    const cost = recoverCost(ws, read.holder, read.leaves) + TOKENS_PER_MESSAGE;
    const names = read.leaves.map(blockId).join(', ');
    if (cost > room) {
      note(ws, { actor: 'engine', reason: `${names} is needed (~${cost} tokens) but does not fit beside what must stay (~${Math.max(0, Math.floor(room))} free)` }, read.leaves);
      continue;
    }
    room -= cost;
    const label = labelled && ws.columns.kind.get(read.holder) === KIND.handle ? { label: labelOf(read.holder) } : {};
    copies.push(recover(ws, read.holder, read.leaves, { actor: 'engine', reason: `the action uses text of ${names}`, ...label }));
    outputTokens += ws.setup.count(`{"block_id":"${blockId(read.holder)}"}`);
  }
  // Reads of one step are calls of one turn.
  if (copies.length > 0) management.charge(ws.step, input, outputTokens, copies.reduce((sum, copy) => sum + ws.columns.tokens.get(copy), 0));
  return copies;
}

/** Tokens that a read may take beside what must stay, once everything older has gone. */
export function roomFor(ws: Workspace): number {
  let fresh = 0;
  for (const item of freshItems(ws)) if (ws.isFree(item)) fresh += ws.costOf(item);
  return ws.budget - ws.fixedTokens - ws.protectedSize - fresh - ws.dashboardSize - RESERVE_TOKENS;
}

/** Blocks that lie side by side in the payload of the same, smallest holder are one read. */
function groupReads(ws: Workspace, obligations: readonly number[]): Read[] {
  const byHolder = new Map<number, number[]>();
  for (const item of obligations) {
    const holder = ws.columns.container.get(item);
    // A summary's payload is its own words: what it stands for is read by its own id.
    const at = holder >= 0 && standsForOthers(ws.columns.kind.get(holder)) ? holder : item;
    const list = byHolder.get(at);
    if (list) list.push(item);
    else byHolder.set(at, [item]);
  }
  const reads: Read[] = [];
  for (const [holder, wanted] of byHolder) {
    wanted.sort((a, b) => ws.columns.offset.get(a) - ws.columns.offset.get(b) || a - b);
    let end = -1;
    for (const item of wanted) {
      const from = item === holder ? 0 : ws.columns.offset.get(item);
      const open = reads.at(-1);
      if (open && open.holder === holder && from === end) open.leaves.push(item);
      else reads.push({ holder, leaves: [item] });
      end = from + ws.columns.payloadBytes.get(item);
    }
  }
  return reads;
}
