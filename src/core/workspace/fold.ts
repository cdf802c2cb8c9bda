/**
 * State as a fold of the op log (model.md §3), with snapshots: any step is a snapshot plus the ops of fewer than
 * `every` steps. Independent of the status history that `stateAt` reads, so that each checks the other.
 */
import { graphOf, type BlockGraph } from './block-graph';
import { blockIndex, STATUS } from './kinds';
import { partition, type StepState } from './state-at';
import { applyTransition, type StatusSink } from './transition';
import type { Replay } from './types';

/** Steps between snapshots: copying the state is dearer than applying the ops of some dozens of steps. */
const SNAPSHOT_STEPS = 64;

export class FoldedState implements StatusSink {
  constructor(readonly status: Uint8Array, readonly pinned: Uint8Array, public step = 0) {}

  static empty(blocks: number): FoldedState {
    return new FoldedState(new Uint8Array(blocks), new Uint8Array(blocks));
  }

  copy(): FoldedState {
    return new FoldedState(this.status.slice(), this.pinned.slice(), this.step);
  }

  statusOf(item: number): number {
    return this.status[item] ?? STATUS.unborn;
  }

  setStatus(item: number, status: number): void {
    this.status[item] = status;
  }

  setPinned(item: number, pinned: boolean): void {
    this.pinned[item] = pinned ? 1 : 0;
  }
}

/** Applies the ops of steps (state.step, step] to the state. */
export function advance(replay: Replay, graph: BlockGraph, state: FoldedState, step: number): void {
  const { opStart } = replay.steps;
  const to = Math.min(step, replay.steps.n);
  for (let k = opStart[Math.min(state.step, replay.steps.n)] ?? 0; k < (opStart[to] ?? 0); k++) {
    const op = replay.ops[k];
    if (op) applyTransition(op.op, op.ids.map(blockIndex), op.result === undefined ? -1 : blockIndex(op.result), graph, state);
  }
  state.step = Math.max(state.step, to);
}

/** Reaches any step of a replay in constant time; snapshots are made as far as they are needed. */
export class Fold {
  private readonly snapshots: FoldedState[];
  private readonly graph: BlockGraph;

  constructor(private readonly replay: Replay, private readonly every = SNAPSHOT_STEPS) {
    this.graph = graphOf(replay.blocks);
    this.snapshots = [FoldedState.empty(replay.blocks.n)];
  }

  stateAt(step: number): StepState {
    const wanted = Math.floor(Math.min(step, this.replay.steps.n) / this.every);
    while (this.snapshots.length <= wanted) {
      const next = (this.snapshots.at(-1) ?? FoldedState.empty(this.replay.blocks.n)).copy();
      advance(this.replay, this.graph, next, this.snapshots.length * this.every);
      this.snapshots.push(next);
    }
    const state = (this.snapshots[wanted] ?? FoldedState.empty(this.replay.blocks.n)).copy();
    advance(this.replay, this.graph, state, step);
    return { step, status: state.status, pinned: state.pinned, ...partition(this.replay, state.status) };
  }
}

/** The same from the first op on, without snapshots. */
export function foldFromStart(replay: Replay, step: number): StepState {
  const state = FoldedState.empty(replay.blocks.n);
  advance(replay, graphOf(replay.blocks), state, step);
  return { step, status: state.status, pinned: state.pinned, ...partition(replay, state.status) };
}
