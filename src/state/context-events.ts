/** Steps worth jumping to: the same marks that the timeline's event row draws. */
import { stepEvents, type EventAtStep, type EventMarkKind } from '../core/layout/event-marks';
import type { Replay } from '../core/workspace/types';
import type { OpenLine } from '../workers/api';

export interface ContextEvents {
  /** Ascending, each once. */
  events: number[];
  compactions: number[];
}

const NOT_CONTEXT: ReadonlySet<EventMarkKind> = new Set(['error', 'overflow']);
const TAKES_OUT: ReadonlySet<EventMarkKind> = new Set(['archive', 'clear', 'delete']);

export function contextEvents(line: OpenLine, replay: Replay, recorded: readonly EventAtStep[]): ContextEvents {
  const marks = stepEvents(replay, line.blocks, recorded);
  const steps = (wanted: (kind: EventMarkKind) => boolean): number[] => [...new Set(marks.filter(({ kind }) => wanted(kind)).map(({ step }) => step))].sort((a, b) => a - b);
  const compactions = steps((kind) => kind === 'compaction');
  return {
    events: steps((kind) => !NOT_CONTEXT.has(kind)),
    // A policy without summaries still cuts: then every step that took something out is its compaction.
    compactions: compactions.length > 0 ? compactions : steps((kind) => TAKES_OUT.has(kind)),
  };
}

/** The nearest step of `steps` strictly after (+1) or before (−1) `from`; `from` itself when there is none. */
export function jump(steps: readonly number[], from: number, direction: 1 | -1): number {
  if (direction === 1) return steps.find((step) => step > from) ?? from;
  return steps.findLast((step) => step < from) ?? from;
}

/** Recorded events of the line's thread, each with the first step after it (1 … steps). */
export function eventsAtStep(line: Pick<OpenLine, 'trajectory' | 'line' | 'rows' | 'facts'>): EventAtStep[] {
  const positionOfRow = new Map<number, number>();
  line.rows.forEach((row, position) => positionOfRow.set(row, position));
  const { stepMessage, steps } = line.facts;
  return line.trajectory.events.filter(({ thread }) => thread === line.line.thread).flatMap((event) => {
    const position = event.afterRow < 0 ? -1 : positionOfRow.get(event.afterRow);
    // An event of another branch has no place in this line.
    if (position === undefined || steps === 0) return [];
    let low = 0;
    let high = stepMessage.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((stepMessage[middle] ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return [{ step: Math.min(low + 1, steps), event }];
  });
}
