/** The state at a step, read from the status history: a binary search a block, so a few milliseconds at 30 000 blocks. */
import { KIND, STATUS } from './kinds';
import { isStripped, slotsOf } from './block-graph';
import type { Replay, ReplayBlocks } from './types';

export interface StepState {
  step: number;
  /** By replay index: status code (BLOCK_STATUSES) and 1 = pinned. Blocks not yet there are `unborn`. */
  status: Uint8Array;
  pinned: Uint8Array;
  /** Replay indices in the order of the rendered stream. */
  visible: Int32Array;
  /** Not visible, but the policy can bring the bytes back; ascending. */
  archived: Int32Array;
  /** Neither; ascending. */
  lost: Int32Array;
}

/** What is visible, archived and lost when C_t is rendered (t from 1; what ops of step t did is in it). */
export function stateAt(replay: Replay, step: number): StepState {
  const { blocks, history } = replay;
  const status = new Uint8Array(blocks.n);
  const pinned = new Uint8Array(blocks.n);
  for (let i = 0; i < blocks.n; i++) {
    let low = history.start[i] ?? 0;
    const first = low;
    let high = history.start[i + 1] ?? 0;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((history.step[middle] ?? 0) <= step) low = middle + 1;
      else high = middle;
    }
    if (low === first) continue;
    status[i] = history.status[low - 1] ?? 0;
    pinned[i] = history.pinned[low - 1] ?? 0;
  }
  return { step, status, pinned, ...partition(replay, status) };
}

/** Visible in stream order, archived, lost: every block that exists is in exactly one. */
export function partition(replay: Pick<Replay, 'blocks' | 'exactRecovery'>, status: Uint8Array): Pick<StepState, 'visible' | 'archived' | 'lost'> {
  const { blocks } = replay;
  const slots = rememberedSlots(blocks);
  const shown = new Int32Array(blocks.n).fill(-1);
  const archived: number[] = [];
  const lost: number[] = [];
  let visible = 0;
  for (let i = 0; i < blocks.n; i++) {
    const code = status[i] ?? 0;
    if (code === STATUS.unborn) continue;
    if (code === STATUS.visible) {
      shown[slots[i] ?? i] = i;
      visible++;
    } else if (isKept(code, replay.exactRecovery)) archived.push(i);
    else lost.push(i);
  }
  const stream = new Int32Array(visible);
  let at = 0;
  for (const item of shown) if (item >= 0) stream[at++] = item;
  return { visible: stream, archived: Int32Array.from(archived), lost: Int32Array.from(lost) };
}

/** Positions do not depend on the step: once a replay. */
const slotsByBlocks = new WeakMap<ReplayBlocks, Int32Array>();

export function rememberedSlots(blocks: ReplayBlocks): Int32Array {
  let slots = slotsByBlocks.get(blocks);
  if (!slots) slotsByBlocks.set(blocks, (slots = slotsOf(blocks)));
  return slots;
}

/** Can a block with this status be brought back byte for byte? */
export function isKept(status: number, exactRecovery: boolean): boolean {
  switch (status) {
    case STATUS.archived: case STATUS.offloaded: case STATUS.rejected: return true;
    case STATUS.masked: case STATUS.cleared: case STATUS.summarised: return exactRecovery;
    default: return false;
  }
}

/** Blocks whose bytes some visible block holds: themselves or a visible recovered copy. By replay index. */
export function heldAt(replay: Replay, state: StepState): Uint8Array {
  const held = new Uint8Array(replay.blocks.n);
  const { memberStart, members, kind } = replay.blocks;
  for (const item of state.visible) {
    held[item] = 1;
    if (kind[item] !== KIND.recovered && !isStripped(kind[item] ?? 0, replay.blocks.base[item] ?? 0)) continue;
    for (let m = memberStart[item] ?? 0; m < (memberStart[item + 1] ?? 0); m++) held[members[m] ?? 0] = 1;
  }
  return held;
}
