/** Steps worth jumping to: where something left the window, came back, or the window was rebuilt. */
import type { Replay } from '../core/workspace/types';

const COMPACTING = new Set(['summarise', 'fold', 'trim', 'clear', 'mask', 'archive', 'offload', 'delete']);
/** A recorded or summarising compaction replaces history; single archives are events but not compactions. */
const WHOLESALE = new Set(['summarise', 'fold']);

export interface ContextEvents {
  /** Ascending, each once. */
  events: number[];
  compactions: number[];
}

export function contextEvents(replay: Pick<Replay, 'ops'>): ContextEvents {
  const events = new Set<number>();
  const compactions = new Set<number>();
  for (const { op, step } of replay.ops) {
    if (op === 'admit' || op === 'note') continue;
    events.add(step);
    if (WHOLESALE.has(op)) compactions.add(step);
  }
  // A policy without summaries still cuts: then every step that removed something is its compaction.
  if (compactions.size === 0) for (const { op, step } of replay.ops) if (COMPACTING.has(op)) compactions.add(step);
  const sorted = (set: Set<number>): number[] => [...set].sort((a, b) => a - b);
  return { events: sorted(events), compactions: sorted(compactions) };
}

/** The nearest step of `steps` strictly after (+1) or before (−1) `from`; `from` itself when there is none. */
export function jump(steps: number[], from: number, direction: 1 | -1): number {
  if (direction === 1) return steps.find((step) => step > from) ?? from;
  return steps.findLast((step) => step < from) ?? from;
}
