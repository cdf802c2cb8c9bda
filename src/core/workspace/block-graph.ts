/** What made blocks stand for. Works on the live columns and on a finished replay alike. */
import { KIND } from './kinds';
import type { ReplayBlocks } from './types';

export interface BlockGraph {
  kindOf(item: number): number;
  memberCount(item: number): number;
  member(item: number, k: number): number;
}

export function graphOf(blocks: ReplayBlocks): BlockGraph {
  return {
    kindOf: (item) => blocks.kind[item] ?? 0,
    memberCount: (item) => (blocks.memberStart[item + 1] ?? 0) - (blocks.memberStart[item] ?? 0),
    member: (item, k) => blocks.members[(blocks.memberStart[item] ?? 0) + k] ?? 0,
  };
}

/** Does a block stand for others, so that its payload is theirs? A summary stands for its sources, yet its words are its own. */
export const standsForOthers = (kind: number): boolean =>
  kind === KIND.handle || kind === KIND.placeholder || kind === KIND.recovered || kind === KIND.notice;

/** An assistant message shown again without its reasoning: its words and calls are still there, so it holds its source's evidence. */
export const isStripped = (kind: number, base: number): boolean => base < 0 && kind === KIND.assistant;

/** Calls `visit` for every leaf (a block with bytes of its own) behind `item`, in payload order, through all levels. */
export function forEachLeaf(graph: BlockGraph, item: number, visit: (leaf: number) => void): void {
  // A stack of our own: under a budget that only just holds, bundles nest thousands deep.
  const waiting = [item];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const count = graph.memberCount(at);
    if (count === 0 || !standsForOthers(graph.kindOf(at))) visit(at);
    else for (let k = count - 1; k >= 0; k--) waiting.push(graph.member(at, k));
  }
}

/** Position of every block in the stream: its own index, or that of the first block it stands for. */
export function slotsOf(blocks: ReplayBlocks): Int32Array {
  const slots = new Int32Array(blocks.n);
  for (let i = 0; i < blocks.n; i++) {
    const from = blocks.memberStart[i] ?? 0;
    const made = blocks.kind[i] !== KIND.recovered && (blocks.memberStart[i + 1] ?? 0) > from;
    slots[i] = made ? (slots[blocks.members[from] ?? 0] ?? i) : i;
  }
  return slots;
}
