/**
 * Recorded context management as ops over the base blocks of a line (model.md §4). Read so far: compactions (Claude Code
 * boundaries, pi, the Anthropic API), condensations (OpenHands), applied tool clears (the API, OpenCode, LOCA-bench), messages
 * that left the prompt (LangGraph, inferred edits) and the directives of an ACM log; other context edits become notes. Exact
 * rows and call ids of an event go before counts.
 */
import { BLOCK_KINDS, type BlockTable } from '../trace/blocks-types';
import type { Thread, TraceEvent, Trajectory } from '../trace/model';
import { rowsOfList } from '../trace/row-facts';
import type { RecordedOp } from './types';

const SYSTEM = BLOCK_KINDS.indexOf('system');
const ASSISTANT = BLOCK_KINDS.indexOf('assistant');
const RESULT = BLOCK_KINDS.indexOf('tool_result');

/**
 * `rows` = rows of the line in order (message positions are indices into it); `blocks` = its table. Ops in step order,
 * each with the blocks that left the context by it: what an earlier op took out is gone already and is not named again.
 */
export function recordedOps(trajectory: Trajectory, rows: ArrayLike<number>, blocks: BlockTable): RecordedOp[] {
  const line = new LineView(trajectory, rows, blocks);
  const thread = threadOfRows(trajectory, rows);
  const found: Reach[] = [];
  for (const event of trajectory.events) {
    if (thread && event.thread !== thread.id) continue;
    const told = directive(event, line);
    if (told) found.push(told);
    else if (event.kind === 'compaction' || event.kind === 'condensation') found.push(compaction(event, line));
    else if (event.kind === 'context-edit') found.push(contextEdit(event, line));
  }
  found.sort((a, b) => a.op.step - b.op.step);
  return new Departures(line).name(found);
}

/** An event's op without its blocks, and how far it reaches from the beginning of the line. */
interface Reach {
  op: Omit<RecordedOp, 'blocks'>;
  /** summarise: position of the last message that went; -1 = none. */
  upTo?: number;
  /** clear: of the tool results up to a position, so many of the oldest. */
  oldestResults?: { count: number; position: number };
  /** The blocks themselves, where the event names them. */
  exact?: number[];
}

/** Gives every op its blocks. A run is compacted many times: naming all that went before each time would grow with the square of its length. */
class Departures {
  private summarisedUpTo = -1;
  private resultsCleared = 0;
  private readonly results: number[];
  /** 1 = named by an event that says exactly what left the context. */
  private readonly gone: Uint8Array;
  private readonly cleared: Uint8Array;

  constructor(private readonly line: LineView) {
    const { kind, n } = line.blocks;
    this.results = Array.from({ length: n }, (_, b) => b).filter((b) => kind[b] === RESULT);
    this.gone = new Uint8Array(n);
    this.cleared = new Uint8Array(n);
  }

  name(found: readonly Reach[]): RecordedOp[] {
    return found.map((reach) => ({ ...reach.op, blocks: this.blocksOf(reach) })).filter((op) => op.op === 'note' || op.blocks.length > 0);
  }

  private blocksOf({ op, upTo, oldestResults, exact }: Reach): number[] {
    if (exact && isDirective(op.op)) return exact;
    if (exact) return op.op === 'clear' ? this.clearExact(exact) : this.takeExact(exact);
    if (upTo !== undefined) return this.summarised(upTo);
    return oldestResults ? this.clearOldest(oldestResults) : [];
  }

  private isGone(block: number): boolean {
    return this.gone[block] === 1 || (this.line.blocks.messageIndex[block] ?? 0) <= this.summarisedUpTo;
  }

  private takeExact(blocks: readonly number[]): number[] {
    const taken = blocks.filter((b) => this.line.blocks.kind[b] !== SYSTEM && !this.isGone(b));
    for (const b of taken) this.gone[b] = 1;
    return taken;
  }

  private clearExact(blocks: readonly number[]): number[] {
    const taken = blocks.filter((b) => this.cleared[b] !== 1 && !this.isGone(b));
    for (const b of taken) this.cleared[b] = 1;
    return taken;
  }

  private summarised(upTo: number): number[] {
    const from = this.summarisedUpTo + 1;
    this.summarisedUpTo = Math.max(this.summarisedUpTo, upTo);
    return this.line.blocksBetween(from, upTo).filter((b) => this.line.blocks.kind[b] !== SYSTEM && this.gone[b] !== 1);
  }

  private clearOldest({ count, position }: { count: number; position: number }): number[] {
    const { messageIndex } = this.line.blocks;
    const gone = this.results.slice(this.resultsCleared, count).filter((b) => (messageIndex[b] ?? 0) <= position);
    this.resultsCleared += gone.length;
    return gone;
  }
}

function threadOfRows(trajectory: Trajectory, rows: ArrayLike<number>): Thread | undefined {
  const last = rows[rows.length - 1];
  if (last === undefined) return undefined;
  return trajectory.threads.find((thread) => [thread.main, ...thread.branches.map((branch) => branch.rows)].some((own) => own.includes(last)));
}

class LineView {
  private readonly positions = new Map<number, number>();
  /** Rows of the line in the order of the file, with the furthest position among each and those before it. */
  private readonly sorted: { row: number; furthest: number }[];

  constructor(private readonly trajectory: Trajectory, private readonly rows: ArrayLike<number>, readonly blocks: BlockTable) {
    for (let position = 0; position < rows.length; position++) this.positions.set(rows[position] ?? -1, position);
    let furthest = -1;
    this.sorted = [...this.positions].sort(([a], [b]) => a - b).map(([row, position]) => ({ row, furthest: (furthest = Math.max(furthest, position)) }));
  }

  positionOf(row: unknown): number | undefined {
    return typeof row === 'number' ? this.positions.get(row) : undefined;
  }

  /** Position of the last message of the line at or before a row of the file; -1 = before the first. */
  lastUpTo(row: number): number {
    const after = firstIndex(this.sorted.length, (i) => (this.sorted[i]?.row ?? 0) > row);
    return this.positions.get(row) ?? this.sorted[after - 1]?.furthest ?? -1;
  }

  /** Blocks of the messages at the positions from `from` to `to`, both included. */
  blocksBetween(from: number, to: number): number[] {
    const first = this.firstAt(from);
    return Array.from({ length: Math.max(0, this.firstAt(to + 1) - first) }, (_, i) => first + i);
  }

  /** Blocks of rows of the file, in the order of the line; rows of other lines have none here. */
  blocksOfRows(rows: readonly number[]): number[] {
    const positions = rows.flatMap((row) => this.positions.get(row) ?? []).sort((a, b) => a - b);
    return [...new Set(positions)].flatMap((position) => this.blocksBetween(position, position));
  }

  /** Result blocks that answer the calls with these ids, in the order of the line. */
  resultsOf(callIds: ReadonlySet<string>): number[] {
    const { columns } = this.trajectory;
    const found: number[] = [];
    for (let position = 0; position < this.rows.length; position++) {
      const row = this.rows[position] ?? -1;
      const start = columns.resultStart[row] ?? 0;
      const count = (columns.resultStart[row + 1] ?? start) - start;
      if (count === 0) continue;
      // Every result part is a block of its own, in the order of the parts.
      const results = this.blocksBetween(position, position).filter((b) => this.blocks.kind[b] === RESULT);
      results.forEach((b, i) => { if (i < count && callIds.has(columns.strings[columns.resultCallIds[start + i] ?? 0] ?? '')) found.push(b); });
    }
    return found;
  }

  /** Result blocks of rows of the file, in the order of the line. */
  resultsAt(rows: readonly number[]): number[] {
    return this.blocksOfRows(rows).filter((b) => this.blocks.kind[b] === RESULT);
  }

  /** First call after a position: the one that what follows answers to, or is the answer of. */
  stepAfter(position: number): number {
    const { bornStep, kind, n } = this.blocks;
    const next = this.firstAt(position + 1);
    if (next === n) return (bornStep[n - 1] ?? 0) + 1;
    return Math.max(1, (bornStep[next] ?? 1) - (kind[next] === ASSISTANT ? 1 : 0));
  }

  /** First block at or after a position: blocks are in the order of their messages. */
  private firstAt(position: number): number {
    const { messageIndex, n } = this.blocks;
    return firstIndex(n, (b) => (messageIndex[b] ?? 0) >= position);
  }
}

/** Smallest index below `n` that holds, or `n`; false before it and true from it on. */
function firstIndex(n: number, holds: (index: number) => boolean): number {
  let from = 0;
  let to = n;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/**
 * Everything before it but the system prompt, less a kept tail, became one summary; or exactly the rows it names did. Rows
 * that were forgotten without words in their place were trimmed.
 */
function compaction(event: TraceEvent, line: LineView): Reach {
  const { blocks } = line;
  const data = event.data ?? {};
  const summaryAt = line.positionOf(data['summaryRow']);
  const last = summaryAt === undefined ? line.lastUpTo(event.afterRow) : summaryAt - 1;
  const keptFrom = line.positionOf(data['firstKeptRow']);
  const upTo = keptFrom === undefined ? last : Math.min(last, keptFrom - 1);
  const summaryBlock = summaryAt === undefined ? undefined : line.blocksBetween(summaryAt, summaryAt)[0];
  const text = data['summary'];
  const exact = forgotten(data, upTo, line);
  const hasWords = summaryBlock !== undefined || typeof text === 'string';
  // That tokens fell says nothing about which blocks went: noted, and nothing is taken out.
  if (data['inferred'] === true && !exact && !hasWords && keptFrom === undefined) return { op: { step: line.stepAfter(last), op: 'note', label: labelOf(event), ...sizes(event) } };
  return {
    ...(exact ? { exact } : { upTo }),
    op: {
      step: summaryBlock === undefined ? line.stepAfter(last) : (blocks.bornStep[summaryBlock] ?? 1),
      op: exact && !hasWords ? 'trim' : 'summarise', label: labelOf(event), ...sizes(event),
      ...(summaryBlock === undefined ? {} : { summaryBlock }), ...(typeof text === 'string' ? { text } : {}),
    },
  };
}

/** Blocks of the rows that a condensation names: a list of them, or the first one of a range. */
function forgotten(data: NonNullable<TraceEvent['data']>, upTo: number, line: LineView): number[] | undefined {
  const rows = rowsOfList(data['forgottenRows']);
  if (rows) return line.blocksOfRows(rows);
  const from = line.positionOf(data['firstForgottenRow']);
  return from === undefined ? undefined : line.blocksBetween(from, upTo);
}

/** Removed messages and cleared results are those the event names; a mere number of clears (the API) means the oldest, for the call they are reported with. */
function contextEdit(event: TraceEvent, line: LineView): Reach {
  const { blocks } = line;
  const position = line.lastUpTo(event.afterRow);
  const shared = { label: labelOf(event), ...sizes(event) };
  const after = line.stepAfter(position);
  const removed = rowsOfList(event.data?.['removedRows']);
  if (removed && removed.length > 0) return { op: { step: after, op: 'trim', ...shared }, exact: line.blocksOfRows(removed) };
  const ids = event.data?.['callIds'];
  if (typeof ids === 'string' && ids !== '') return { op: { step: after, op: 'clear', ...shared }, exact: line.resultsOf(new Set(ids.split('\n'))) };
  const cleared = rowsOfList(event.data?.['clearedRows']);
  if (cleared && cleared.length > 0) return { op: { step: after, op: 'clear', ...shared }, exact: line.resultsAt(cleared) };
  const count = event.data?.['cleared_tool_uses'];
  const own = line.blocksBetween(position, position)[0];
  const before = own === undefined ? after : Math.max(1, (blocks.bornStep[own] ?? 1) - 1);
  return typeof count === 'number' && count > 0
    ? { op: { step: before, op: 'clear', ...shared }, oldestResults: { count, position } }
    : { op: { step: after, op: 'note', ...shared } };
}

/** What an agent told its manager to do with messages that the event names (ACM, systems.md §3.1); it is in force from the next call on. */
function directive(event: TraceEvent, line: LineView): Reach | null {
  const op = event.data?.['directive'];
  const rows = rowsOfList(event.data?.['targetRows']);
  if (typeof op !== 'string' || !isDirective(op) || !rows) return null;
  const words = event.data?.['summary'];
  return {
    op: { step: line.stepAfter(line.lastUpTo(event.afterRow)), op, label: event.label, ...sizes(event), ...(op === 'archive' && typeof words === 'string' ? { text: words } : {}) },
    exact: line.blocksOfRows(rows),
  };
}

const DIRECTIVES = ['archive', 'recover', 'pin', 'unpin'] as const;

/** These name the same blocks again and again: an archived message comes back and goes again. */
function isDirective(op: string): op is (typeof DIRECTIVES)[number] {
  return DIRECTIVES.some((name) => name === op);
}

/** What no record says is marked as inferred wherever the op is read. */
function labelOf({ label, data }: TraceEvent): string {
  return data?.['inferred'] === true && !/^inferred/i.test(label) ? `Inferred: ${label}` : label;
}

function sizes(event: TraceEvent): { tokensBefore: number | null; tokensAfter: number | null } {
  const size = (key: string): number | null => {
    const value = event.data?.[key];
    return typeof value === 'number' ? value : null;
  };
  return { tokensBefore: size('tokensBefore'), tokensAfter: size('tokensAfter') };
}
