/**
 * Was what a call uses still there? (evidence.md §1), asked of a finished replay: any block at any step, judged as the
 * engine did, after the policy's own ops and preflight and before what this very call needs is brought back (model.md §3).
 */
import type { EvidenceIndex } from '../evidence/types';
import { isStripped } from './block-graph';
import { blockIndex, KIND, STATUS } from './kinds';
import { isKept } from './state-at';
import type { Replay } from './types';

export type Availability = 'visible' | 'recoverable' | 'lost';

/** Built once a replay (O(blocks + ops)); a question costs O(copies of the block · log of its changes). */
export class EvidenceStatus {
  /** Base block → replay index; −1 = never admitted. */
  readonly itemOfBase: Int32Array;
  /** Blocks that show another one's bytes, by that one: recovered copies, messages without their reasoning. */
  private readonly copies = new Map<number, number[]>();
  /** Made or taken out after the evidence of their step was measured: `item → steps`. */
  private readonly lateBirth = new Map<number, number>();
  private readonly lateRemovals = new Map<number, number[]>();

  constructor(private readonly replay: Replay, bases: number) {
    const { blocks } = replay;
    this.itemOfBase = new Int32Array(bases).fill(-1);
    for (let i = 0; i < blocks.n; i++) {
      const base = blocks.base[i] ?? -1;
      if (base >= 0) this.itemOfBase[base] = i;
      if (blocks.kind[i] !== KIND.recovered && !isStripped(blocks.kind[i] ?? 0, base)) continue;
      for (let m = blocks.memberStart[i] ?? 0; m < (blocks.memberStart[i + 1] ?? 0); m++) push(this.copies, blocks.members[m] ?? 0, i);
    }
    this.readOps();
  }

  /** What the engine's reads of a step brought in, and what went to make room for them: both after the measuring. */
  private readOps(): void {
    const { ops, steps } = this.replay;
    for (let step = 1; step <= steps.n; step++) {
      let measured = false;
      for (let at = steps.opStart[step - 1] ?? 0; at < (steps.opStart[step] ?? 0); at++) {
        const op = ops[at];
        if (op === undefined) continue;
        if (op.op === 'recover' && op.actor === 'engine') {
          measured = true;
          if (op.result !== undefined) this.lateBirth.set(blockIndex(op.result), step);
        } else if (measured && op.op !== 'admit' && op.op !== 'note') for (const id of op.ids) push(this.lateRemovals, blockIndex(id), step);
      }
    }
  }

  /** Status code of a block (replay index) when the evidence of the step was measured. */
  statusAt(item: number, step: number): number {
    if (this.lateBirth.get(item) === step) return STATUS.unborn;
    if (this.lateRemovals.get(item)?.includes(step)) return STATUS.visible;
    const { history } = this.replay;
    const first = history.start[item] ?? 0;
    let low = first;
    let high = history.start[item + 1] ?? first;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((history.step[middle] ?? 0) <= step) low = middle + 1;
      else high = middle;
    }
    return low === first ? STATUS.unborn : (history.status[low - 1] ?? STATUS.unborn);
  }

  /** The visible copy of a block at the step, −1 = none. */
  copyOf(item: number, step: number): number {
    for (const copy of this.copies.get(item) ?? []) if (this.statusAt(copy, step) === STATUS.visible) return copy;
    return -1;
  }

  /** Of one block: itself or a copy of it visible, else its bytes stored, else lost. */
  ofItem(item: number, step: number): Availability {
    const status = item < 0 ? STATUS.unborn : this.statusAt(item, step);
    if (status === STATUS.visible || (status !== STATUS.unborn && this.copyOf(item, step) >= 0)) return 'visible';
    return isKept(status, this.replay.exactRecovery) ? 'recoverable' : 'lost';
  }

  /** Of a demand (index into the evidence index) of a step: the best of its sources; what the prompt holds is visible. */
  ofDemand(evidence: EvidenceIndex, demand: number, step: number): Availability {
    if (evidence.demandInPrompt[demand] === 1) return 'visible';
    let best: Availability = 'lost';
    for (let s = evidence.sourceStart[demand] ?? 0; s < (evidence.sourceStart[demand + 1] ?? 0); s++) {
      const one = this.ofItem(this.itemOfBase[evidence.sources[s] ?? 0] ?? -1, step);
      if (one === 'visible') return one;
      if (one === 'recoverable') best = one;
    }
    return best;
  }
}

function push(map: Map<number, number[]>, key: number, value: number): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
