import type { Branch, MessageColumns, Span, Thread, TraceEvent, Trajectory } from '../trace/model';
import { moveRowFacts } from '../trace/row-facts';
import { totalUsage } from './draft';

/** A trajectory that becomes threads of another one. */
export interface Joined {
  trajectory: Trajectory;
  /** Where its source starts in the joined source, bytes. */
  base: number;
  /** Name of its main thread in the joined trajectory; its other threads get it as a prefix. */
  threadId: string;
  parentThread: string;
  spawnedBy?: string;
  title?: string;
}

/** One trajectory of several files whose bytes stand one after the other: `root` at 0, the others at their `base`. */
export function joinTrajectories(root: Trajectory, others: readonly Joined[], id: string): Trajectory {
  const columns = joinColumns([{ columns: root.columns, base: 0 }, ...others.map(({ trajectory, base }) => ({ columns: trajectory.columns, base }))]);
  const threads = root.threads.slice();
  const events = root.events.slice();
  const warnings = root.warnings.slice();
  let rowBase = root.columns.n;
  for (const joined of others) {
    const { trajectory } = joined;
    const rename = threadNames(trajectory.threads, joined.threadId);
    trajectory.threads.forEach((thread, i) => { threads.push(moveThread(thread, rowBase, rename, i === 0 ? joined : null)); });
    events.push(...trajectory.events.map((event) => moveEvent(event, rowBase, joined.base, rename)));
    warnings.push(...trajectory.warnings);
    rowBase += trajectory.columns.n;
  }
  return { ...root, id, threads, events, warnings, columns, usage: totalUsage(columns) };
}

function threadNames(threads: readonly Thread[], main: string): Map<string, string> {
  return new Map(threads.map((thread, i) => [thread.id, i === 0 ? main : `${main}/${thread.id}`]));
}

function moveThread(thread: Thread, rowBase: number, rename: Map<string, string>, main: Joined | null): Thread {
  const shift = (rows: Uint32Array): Uint32Array => rows.map((row) => row + rowBase);
  const moved: Thread = { ...thread, id: rename.get(thread.id)!, main: shift(thread.main), branches: thread.branches.map((branch): Branch => ({ ...branch, rows: shift(branch.rows) })) };
  if (main) {
    moved.parentThread = main.parentThread;
    if (main.spawnedBy !== undefined) moved.spawnedBy = main.spawnedBy;
    if (main.title !== undefined) moved.title = main.title;
  } else if (thread.parentThread !== undefined) moved.parentThread = rename.get(thread.parentThread)!;
  return moved;
}

function moveEvent(event: TraceEvent, rowBase: number, byteBase: number, rename: Map<string, string>): TraceEvent {
  const moved: TraceEvent = { ...event, thread: rename.get(event.thread) ?? event.thread, afterRow: event.afterRow < 0 ? -1 : event.afterRow + rowBase };
  if (event.span) moved.span = { ...event.span, byteOffset: event.span.byteOffset + byteBase } satisfies Span;
  if (event.data) moved.data = moveRowFacts(event.data, (row) => row + rowBase);
  return moved;
}

function joinColumns(pieces: readonly { columns: MessageColumns; base: number }[]): MessageColumns {
  const strings = [''];
  const index = new Map<string, number>([['', 0]]);
  const maps = pieces.map(({ columns }) => Uint32Array.from(columns.strings, (text) => {
    let at = index.get(text);
    if (at === undefined) index.set(text, (at = strings.push(text) - 1));
    return at;
  }));
  const mapped = (pick: (columns: MessageColumns) => Uint32Array): Uint32Array => concatU32(pieces.map(({ columns }, i) => pick(columns).map((value) => maps[i]![value]!)));
  const starts = (pick: (columns: MessageColumns) => Uint32Array): Uint32Array => {
    let offset = 0;
    const all: number[] = [0];
    for (const { columns } of pieces) {
      const start = pick(columns);
      for (let i = 1; i < start.length; i++) all.push(offset + start[i]!);
      offset += start[start.length - 1]!;
    }
    return Uint32Array.from(all);
  };
  const list = pieces.map(({ columns }) => columns);
  return {
    n: list.reduce((sum, columns) => sum + columns.n, 0),
    role: Uint8Array.from(list.flatMap((columns) => [...columns.role])),
    flags: Uint16Array.from(list.flatMap((columns) => [...columns.flags])),
    timestampMs: concatF64(list.map((columns) => columns.timestampMs)),
    model: mapped((columns) => columns.model),
    callKey: mapped((columns) => columns.callKey),
    usage: concatF64(list.map((columns) => columns.usage)),
    chars: concatU32(list.map((columns) => columns.chars)),
    spanStart: starts((columns) => columns.spanStart),
    spanOffset: concatF64(pieces.map(({ columns, base }) => columns.spanOffset.map((offset) => offset + base))),
    spanLength: concatU32(list.map((columns) => columns.spanLength)),
    spanLine: concatU32(list.map((columns) => columns.spanLine)),
    callStart: starts((columns) => columns.callStart),
    callIds: mapped((columns) => columns.callIds),
    callNames: mapped((columns) => columns.callNames),
    resultStart: starts((columns) => columns.resultStart),
    resultCallIds: mapped((columns) => columns.resultCallIds),
    resultErrors: Uint8Array.from(list.flatMap((columns) => [...columns.resultErrors])),
    strings,
  };
}

function concatU32(pieces: readonly Uint32Array[]): Uint32Array {
  const out = new Uint32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

function concatF64(pieces: readonly Float64Array[]): Float64Array {
  const out = new Float64Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}
