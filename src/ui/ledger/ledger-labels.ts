/** Names under which blocks were put away (ACM, by hand): of the handle, and of everything behind it. */
import { blockIndex } from '../../core/workspace/kinds';
import type { Replay } from '../../core/workspace/types';

const labelsByReplay = new WeakMap<Replay, ReadonlyMap<number, string>>();

/** Replay index → label; the last one counts. Made once a replay, from its ops. */
export function labelsOf(replay: Replay): ReadonlyMap<number, string> {
  const known = labelsByReplay.get(replay);
  if (known !== undefined) return known;
  const labels = new Map<number, string>();
  for (const { op, label, ids, result } of replay.ops) {
    if (op !== 'archive' || label === undefined) continue;
    for (const id of ids) labels.set(blockIndex(id), label);
    if (result !== undefined) labels.set(blockIndex(result), label);
  }
  labelsByReplay.set(replay, labels);
  return labels;
}
