/** The event row: what happened to the context, in three lanes: out of it, lost or wrong, back into it. */
import type { BlockTable } from '../trace/blocks-types';
import type { TraceEvent } from '../trace/model';
import { STEP_MODES, type OpName, type Replay } from '../workspace/types';
import { formatCount } from './format';
import { stepToX, type TimeScale } from './time-scale';

export const EVENT_KINDS = ['archive', 'compaction', 'clear', 'delete', 'loss', 'error', 'overflow', 'recover', 'pin'] as const;
export type EventMarkKind = (typeof EVENT_KINDS)[number];

export const EVENT_LANES: Record<EventMarkKind, 0 | 1 | 2> = { compaction: 0, archive: 0, clear: 0, delete: 0, loss: 1, error: 1, overflow: 1, recover: 2, pin: 2 };
/** Words for one and for several. */
export const EVENT_WORDS: Record<EventMarkKind, readonly [string, string]> = {
  compaction: ['compaction', 'compactions'], archive: ['archived', 'archived'], clear: ['cleared or masked', 'cleared or masked'], delete: ['deleted', 'deleted'],
  loss: ['step with losses', 'steps with losses'], error: ['error', 'errors'], overflow: ['step over budget', 'steps over budget'], recover: ['recovered', 'recovered'], pin: ['pinned', 'pinned'],
};

/** Words after a total where there is little room. */
export const EVENT_SHORT_WORDS: Partial<Record<EventMarkKind, string>> = { loss: 'with losses', overflow: 'over budget', clear: 'cleared' };

const KIND_OF_OP: Partial<Record<OpName, EventMarkKind>> = {
  archive: 'archive', offload: 'archive', recover: 'recover', expand: 'recover', delete: 'delete', reject: 'delete', pin: 'pin',
  mask: 'clear', clear: 'clear', trim: 'clear', summarise: 'compaction', fold: 'compaction',
};

/** One event at a step; `text` is a line a person can read; `inferred` = no record says so, it was told from numbers. */
export interface StepEvent { step: number; kind: EventMarkKind; count: number; text: string; inferred?: true }
/** A recorded event with the step it belongs to. */
export interface EventAtStep { step: number; event: TraceEvent }

/** All events of a replay in step order; ops of one kind in one step are one event with a count of blocks. */
export function stepEvents(replay: Replay, table: BlockTable, recorded: readonly EventAtStep[]): StepEvent[] {
  const events: StepEvent[] = [];
  const { steps } = replay;
  const latest = new Map<EventMarkKind, StepEvent>();
  for (const op of replay.ops) {
    const kind = KIND_OF_OP[op.op];
    if (!kind) continue;
    const count = kind === 'compaction' ? 1 : Math.max(1, op.ids.length);
    const open = latest.get(kind);
    if (open && open.step === op.step) open.count += count;
    else {
      const event = { step: op.step, kind, count, text: op.reason };
      latest.set(kind, event);
      events.push(event);
    }
  }
  // One flag where a stretch over the budget begins: a flag a step would hide everything else in the lane.
  let over: StepEvent | null = null;
  const normal = STEP_MODES.indexOf('normal');
  for (let t = 1; t <= steps.n; t++) {
    if ((steps.lostWeight[t - 1] ?? 0) > 0) events.push({ step: t, kind: 'loss', count: 1, text: 'The action used evidence that was no longer in the context and could not be recovered.' });
    const isOver = steps.infeasible[t - 1] === 1 || (steps.mode[t - 1] ?? normal) !== normal;
    if (isOver && over) over.count++;
    else if (isOver) events.push((over = { step: t, kind: 'overflow', count: 1, text: 'From this step on the context is over the budget.' }));
    else over = null;
  }
  for (let b = 0; b < table.n; b++) {
    if (table.isError[b] === 1) events.push({ step: Math.min(steps.n, table.bornStep[b] ?? 1), kind: 'error', count: 1, text: table.preview[b] ?? 'A tool reported an error.' });
  }
  const compacted = new Set(events.filter((event) => event.kind === 'compaction').map((event) => event.step));
  for (const { step, event } of recorded) {
    if (event.kind === 'compaction' || event.kind === 'condensation' || event.kind === 'context-edit') {
      // The `recorded` policy folds them into ops: counted once.
      const isInferred = event.data?.['inferred'] === true;
      if (isInferred && replay.policy === 'recorded') for (const told of events) if (told.kind === 'compaction' && told.step === step) told.inferred = true;
      if (!compacted.has(step)) events.push({ step, kind: 'compaction', count: 1, text: isInferred ? `inferred, not recorded: ${event.label}` : `recorded: ${event.label}`, ...(isInferred ? { inferred: true } : {}) });
      compacted.add(step);
    } else if (event.kind === 'error' || event.kind === 'interruption') events.push({ step, kind: 'error', count: 1, text: event.label });
  }
  return events.filter((event) => event.step >= 1 && event.step <= steps.n).sort((a, b) => a.step - b.step);
}

export interface PlacedEvent { kind: EventMarkKind; lane: 0 | 1 | 2; x: number; step: number; count: number; firstStep: number; lastStep: number; inferred?: true }

/** Events on screen, those of one kind within `sizePx` counted into one glyph (at most one a kind and cell). */
export function placeEvents(events: readonly StepEvent[], time: TimeScale, sizePx: number): PlacedEvent[] {
  const last = new Map<string, PlacedEvent>();
  const placed: PlacedEvent[] = [];
  for (const event of events) {
    if (event.step < time.view.from || event.step > time.view.to) continue;
    const x = stepToX(time, event.step);
    // An inferred one keeps a glyph of its own.
    const key = event.inferred ? `${event.kind} inferred` : event.kind;
    const open = last.get(key);
    if (open && x - open.x < sizePx) {
      open.count += event.count;
      open.lastStep = event.step;
      continue;
    }
    const mark: PlacedEvent = { kind: event.kind, lane: EVENT_LANES[event.kind], x, step: event.step, count: event.count, firstStep: event.step, lastStep: event.step, ...(event.inferred ? { inferred: true } : {}) };
    last.set(key, mark);
    placed.push(mark);
  }
  return placed;
}

export type EventCounts = Partial<Record<EventMarkKind, number>>;

export function countEvents(events: readonly StepEvent[]): EventCounts {
  const counts: EventCounts = {};
  for (const event of events) counts[event.kind] = (counts[event.kind] ?? 0) + event.count;
  return counts;
}

/** "3 archived"; what was only told from numbers is said: "1 compaction, inferred", "3 compactions, 1 inferred". */
export function eventTotalWords(kind: EventMarkKind, count: number, inferred: number, short = false): string {
  const words = `${formatCount(count)} ${(short ? EVENT_SHORT_WORDS[kind] : undefined) ?? EVENT_WORDS[kind][count === 1 ? 0 : 1]}`;
  return inferred === 0 ? words : inferred >= count ? `${words}, inferred` : `${words}, ${formatCount(inferred)} inferred`;
}
