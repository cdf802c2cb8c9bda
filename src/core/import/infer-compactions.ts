import { MessageFlag } from '../trace/model';
import type { MessageColumns, Thread, TraceEvent, Trajectory } from '../trace/model';
import { isStep } from './report';

/** A fall of the provider's input count is a compaction from here on (issue 4): this share, and so many tokens, and it stays. */
const MIN_SHARE = 0.25;
const MIN_TOKENS = 8_000;
/** Calls that have to stay low after the fall; the first is needed, a run may end before the second. */
const CALLS_AFTER = 2;
/** No text has fewer characters a token than this for long: what arrived can account for no more tokens. */
const CHARS_A_TOKEN = 2;
/** Tool schemas, reminders and the like that come without being recorded, tokens. */
const UNRECORDED_TOKENS = 2_000;

/** One model call whose input the provider counted. */
interface MeasuredCall { position: number; /** Cached and cache-writing tokens included: a cache miss moves tokens between the classes and changes no sum. */ input: number; model: number }

/**
 * Adds a compaction, marked inferred, where the recorded input falls from one level to another and no recorded event says why.
 * A single spike or dip is none: a call of another kind, or a count without its cached part (a cache miss). Calls of
 * different models are not compared, for they count differently. Linear in messages.
 */
export function inferCompactions<Draft extends Pick<Trajectory, 'threads' | 'events' | 'columns'>>(draft: Draft): Draft {
  const found = draft.threads.flatMap((thread) => threadDrops(draft, thread));
  return found.length === 0 ? draft : { ...draft, events: [...draft.events, ...found].sort((a, b) => a.afterRow - b.afterRow) };
}

function threadDrops(draft: Pick<Trajectory, 'events' | 'columns'>, thread: Thread): TraceEvent[] {
  const { columns } = draft;
  const calls = measuredCalls(columns, thread.main);
  if (calls.length < 3) return [];
  const chars = charsBefore(columns, thread.main);
  const told = toldPositions(draft.events, thread);
  const found: TraceEvent[] = [];
  for (let i = 1; i < calls.length; i++) {
    const before = calls[i - 1]!;
    const after = calls[i]!;
    if (!isDrop(before, after) || !staysLow(calls, i) || !isLevel(calls, i - 1, after, chars)) continue;
    const from = calls[Math.max(0, i - 2)]!.position;
    const to = calls[Math.min(calls.length - 1, i + 1)]!.position;
    // One reason is enough, and events may be recorded a call early or late.
    if (told.some((position) => position >= from && position <= to)) continue;
    found.push(dropEvent(columns, thread, before, after));
  }
  return found;
}

function measuredCalls(columns: MessageColumns, rows: Uint32Array): MeasuredCall[] {
  const calls: MeasuredCall[] = [];
  rows.forEach((row, position) => {
    if (!isStep(columns, row) || (columns.flags[row]! & MessageFlag.failed) !== 0) return;
    let input = 0;
    for (let i = 0; i < 3; i++) input += columns.usage[row * 5 + i]! || 0;
    if (input > 0) calls.push({ position, input, model: columns.model[row]! });
  });
  return calls;
}

/** Characters of the line before each position. */
function charsBefore(columns: MessageColumns, rows: Uint32Array): Float64Array {
  const sums = new Float64Array(rows.length + 1);
  rows.forEach((row, position) => { sums[position + 1] = sums[position]! + columns.chars[row]!; });
  return sums;
}

/** Positions of events that take something out of the context. */
function toldPositions(events: readonly TraceEvent[], thread: Thread): number[] {
  const positions = new Map<number, number>();
  thread.main.forEach((row, position) => positions.set(row, position));
  return events.flatMap((event) => {
    if (event.thread !== thread.id || !(event.kind === 'compaction' || event.kind === 'condensation' || event.kind === 'context-edit')) return [];
    // An event may stand after a row of another line: the nearest one of this line before it.
    for (let row = event.afterRow; row >= 0; row--) {
      const position = positions.get(row);
      if (position !== undefined) return [position];
    }
    return [-1];
  });
}

function lowLine(before: number): number {
  return Math.min(before * (1 - MIN_SHARE), before - MIN_TOKENS);
}

function isDrop(before: MeasuredCall, after: MeasuredCall): boolean {
  return before.model === after.model && after.input <= lowLine(before.input);
}

function staysLow(calls: readonly MeasuredCall[], i: number): boolean {
  const next = calls.slice(i + 1, i + 1 + CALLS_AFTER);
  return next.length > 0 && next.every(({ input }) => input <= lowLine(calls[i - 1]!.input));
}

/** Is the height that `at` fell from a level, and no spike: as high the call before, or risen by what arrived in between? */
function isLevel(calls: readonly MeasuredCall[], at: number, after: MeasuredCall, chars: Float64Array): boolean {
  const call = calls[at]!;
  const previous = calls[at - 1];
  const arrived = (from: number): number => (chars[call.position]! - chars[from]!) / CHARS_A_TOKEN + UNRECORDED_TOKENS;
  if (!previous) return call.input <= arrived(0);
  return after.input <= lowLine(previous.input) || call.input - previous.input <= arrived(previous.position);
}

function dropEvent(columns: MessageColumns, thread: Thread, before: MeasuredCall, after: MeasuredCall): TraceEvent {
  const afterRow = after.position === 0 ? -1 : thread.main[after.position - 1]!;
  const time = columns.timestampMs[thread.main[after.position]!]!;
  return {
    kind: 'compaction', sourceKind: 'token drop', thread: thread.id, afterRow,
    ...(Number.isNaN(time) ? {} : { timestampMs: time }),
    label: `Inferred compaction: the measured input fell by ${Math.round(100 * (1 - after.input / before.input))} % and stayed low; what went is not recorded.`,
    data: { inferred: true, tokensBefore: before.input, tokensAfter: after.input, trigger: null, summaryRow: null, firstKeptRow: null },
  };
}
