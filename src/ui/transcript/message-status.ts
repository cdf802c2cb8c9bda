/** What of a message is in the context at a step, from the blocks made of it. */
import type { Replay, BlockStatus } from '../../core/workspace/types';
import { statusAt } from '../../core/layout/status-at';
import type { OpenLine } from '../../workers/api';

export interface MessageBlocks {
  /** Base blocks of each message position: those of position p are order[start[p] .. start[p + 1]). */
  start: Uint32Array;
  order: Uint32Array;
}

/** Built once a line. */
export function blocksByMessage(line: OpenLine): MessageBlocks {
  const { blocks, rows } = line;
  const start = new Uint32Array(rows.length + 1);
  for (let b = 0; b < blocks.n; b++) {
    const at = (blocks.messageIndex[b] ?? 0) + 1;
    if (at < start.length) start[at] = (start[at] ?? 0) + 1;
  }
  for (let p = 1; p < start.length; p++) start[p] = (start[p] ?? 0) + (start[p - 1] ?? 0);
  const next = start.slice();
  const order = new Uint32Array(blocks.n);
  for (let b = 0; b < blocks.n; b++) {
    const p = blocks.messageIndex[b] ?? 0;
    const at = next[p] ?? 0;
    order[at] = b;
    next[p] = at + 1;
  }
  return { start, order };
}

/** Base block → replay index; −1 = the replay has not admitted it. */
export function replayIndexOfBase(replay: Replay, baseBlocks: number): Int32Array {
  const out = new Int32Array(baseBlocks).fill(-1);
  for (let i = 0; i < replay.blocks.n; i++) {
    const base = replay.blocks.base[i] ?? -1;
    if (base >= 0) out[base] = i;
  }
  return out;
}

/** The status shown for a message: visible while any of its blocks is; else that of its first block. null = no block. */
export function messageStatus(replay: Replay, indexOfBase: Int32Array, ofMessage: MessageBlocks, position: number, step: number): { status: BlockStatus; pinned: boolean } | null {
  let first: { status: BlockStatus; pinned: boolean } | null = null;
  for (let at = ofMessage.start[position] ?? 0; at < (ofMessage.start[position + 1] ?? 0); at++) {
    const index = indexOfBase[ofMessage.order[at] ?? 0] ?? -1;
    const now = index < 0 ? { status: 'unborn' as const, pinned: false } : statusAt(replay.history, index, step);
    if (now.status === 'visible') return now;
    first ??= now;
  }
  return first;
}
