/**
 * What an op does to the status of blocks (model.md §3). The only place that says so: the live workspace and the fold of
 * a finished log both go through it.
 */
import { standsForOthers, type BlockGraph } from './block-graph';
import { KIND, STATUS } from './kinds';
import type { OpName } from './types';

export interface StatusSink {
  statusOf(item: number): number;
  setStatus(item: number, status: number): void;
  setPinned(item: number, pinned: boolean): void;
}

const REMOVED_AS: Partial<Record<OpName, number>> = {
  archive: STATUS.archived, offload: STATUS.offloaded, mask: STATUS.masked, clear: STATUS.cleared, reject: STATUS.rejected,
  summarise: STATUS.summarised, fold: STATUS.summarised, trim: STATUS.trimmed,
};

/** Applies one op to the sink. `result` = -1 when it made no block. Removals come first, so the made block finds its place free. */
export function applyTransition(op: OpName, items: readonly number[], result: number, graph: BlockGraph, sink: StatusSink): void {
  const removedAs = REMOVED_AS[op];
  if (removedAs !== undefined) {
    for (const item of items) sink.setStatus(item, removedAs);
  } else if (op === 'admit' || (op === 'recover' && result < 0)) {
    // Without a copy the blocks themselves stand in their places again.
    for (const item of items) sink.setStatus(item, STATUS.visible);
  } else if (op === 'delete') {
    for (const item of items) destroy(item, graph, sink);
  } else if (op === 'expand') {
    for (const item of items) {
      sink.setStatus(item, STATUS.archived);
      for (let k = 0; k < graph.memberCount(item); k++) {
        const member = graph.member(item, k);
        if (sink.statusOf(member) !== STATUS.deleted) sink.setStatus(member, STATUS.visible);
      }
    }
  } else if (op === 'pin' || op === 'unpin') {
    for (const item of items) sink.setPinned(item, op === 'pin');
  }
  if (result >= 0) sink.setStatus(result, STATUS.visible);
}

/** Deletes a block and every stored payload behind it; copies that are visible in their own right stay. */
function destroy(item: number, graph: BlockGraph, sink: StatusSink): void {
  const waiting = [item];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    sink.setStatus(at, STATUS.deleted);
    const kind = graph.kindOf(at);
    // A recovered copy is one more rendering of a payload that lives behind its handle.
    if (!standsForOthers(kind) || kind === KIND.recovered) continue;
    for (let k = graph.memberCount(at) - 1; k >= 0; k--) {
      const member = graph.member(at, k);
      if (sink.statusOf(member) !== STATUS.visible) waiting.push(member);
    }
  }
}
