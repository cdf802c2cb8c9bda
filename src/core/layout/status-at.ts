/** Status of blocks at a step, from the status history. */
import { BLOCK_STATUSES, type BlockStatus, type Replay, type StatusHistory } from '../workspace/types';

/** O(log changes of the block). 'unborn' before its first interval. */
export function statusAt(history: StatusHistory, block: number, step: number): { status: BlockStatus; pinned: boolean } {
  const first = history.start[block] ?? 0;
  let low = first;
  let high = history.start[block + 1] ?? first;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((history.step[middle] ?? 0) <= step) low = middle + 1;
    else high = middle;
  }
  if (low === first) return { status: 'unborn', pinned: false };
  return { status: BLOCK_STATUSES[history.status[low - 1] ?? 0] ?? 'unborn', pinned: history.pinned[low - 1] === 1 };
}

/** Visible and born blocks at each step (index 0 = step 1): what the label at the playhead prints without counting. */
export function blockCounts(replay: Replay): { visible: Int32Array; born: Int32Array } {
  const { history, blocks, steps } = replay;
  const visible = new Int32Array(steps.n + 2);
  const born = new Int32Array(steps.n + 2);
  const code = BLOCK_STATUSES.indexOf('visible');
  const add = (column: Int32Array, step: number, by: number): void => {
    const at = Math.min(Math.max(1, step), steps.n + 1) - 1;
    column[at] = (column[at] ?? 0) + by;
  };
  for (let i = 0; i < blocks.n; i++) {
    const from = history.start[i] ?? 0;
    const to = history.start[i + 1] ?? from;
    if (to > from) add(born, history.step[from] ?? 1, 1);
    for (let h = from; h < to; h++) {
      if (history.status[h] !== code) continue;
      add(visible, history.step[h] ?? 1, 1);
      if (h + 1 < to) add(visible, history.step[h + 1] ?? 1, -1);
    }
  }
  for (let t = 1; t < steps.n; t++) {
    visible[t] = (visible[t] ?? 0) + (visible[t - 1] ?? 0);
    born[t] = (born[t] ?? 0) + (born[t - 1] ?? 0);
  }
  return { visible: visible.slice(0, steps.n), born: born.slice(0, steps.n) };
}
