/**
 * Recorded context management as ops over the base blocks of a line (model.md §4). Read so far: compactions (Claude Code
 * boundaries, pi, the Anthropic API) and the API's applied tool clears; other context edits become notes.
 */
import { BLOCK_KINDS, type BlockTable } from '../trace/blocks-types';
import type { Thread, TraceEvent, Trajectory } from '../trace/model';
import type { RecordedOp } from './types';

const SYSTEM = BLOCK_KINDS.indexOf('system');
const ASSISTANT = BLOCK_KINDS.indexOf('assistant');
const RESULT = BLOCK_KINDS.indexOf('tool_result');

/**
 * `rows` = rows of the line in order (message positions are indices into it); `blocks` = its table. Ops in step order,
 * each with the blocks that left the context by it: what an earlier op took out is gone already and is not named again.
 */
export function recordedOps(trajectory: Trajectory, rows: ArrayLike<number>, blocks: BlockTable): RecordedOp[] {
  const line = new LineView(rows, blocks);
  const thread = threadOfRows(trajectory, rows);
  const found: Reach[] = [];
  for (const event of trajectory.events) {
    if (thread && event.thread !== thread.id) continue;
    if (event.kind === 'compaction' || event.kind === 'condensation') found.push(compaction(event, line));
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
}

/** Gives every op its blocks. A run is compacted many times: naming all that went before each time would grow with the square of its length. */
class Departures {
  private summarisedUpTo = -1;
  private resultsCleared = 0;
  private readonly results: number[];

  constructor(private readonly line: LineView) {
    const { kind, n } = line.blocks;
    this.results = Array.from({ length: n }, (_, b) => b).filter((b) => kind[b] === RESULT);
  }

  name(found: readonly Reach[]): RecordedOp[] {
    return found.map(({ op, upTo, oldestResults }) => ({ ...op, blocks: upTo !== undefined ? this.summarised(upTo) : oldestResults ? this.cleared(oldestResults) : [] }))
      .filter((op) => op.op === 'note' || op.blocks.length > 0);
  }

  private summarised(upTo: number): number[] {
    const from = this.summarisedUpTo + 1;
    this.summarisedUpTo = Math.max(this.summarisedUpTo, upTo);
    return this.line.blocksBetween(from, upTo).filter((b) => this.line.blocks.kind[b] !== SYSTEM);
  }

  private cleared({ count, position }: { count: number; position: number }): number[] {
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

  constructor(rows: ArrayLike<number>, readonly blocks: BlockTable) {
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

/** Everything before it but the system prompt, less a kept tail, became one summary. */
function compaction(event: TraceEvent, line: LineView): Reach {
  const { blocks } = line;
  const summaryAt = line.positionOf(event.data?.['summaryRow']);
  const last = summaryAt === undefined ? line.lastUpTo(event.afterRow) : summaryAt - 1;
  const keptFrom = line.positionOf(event.data?.['firstKeptRow']);
  const summaryBlock = summaryAt === undefined ? undefined : line.blocksBetween(summaryAt, summaryAt)[0];
  const text = event.data?.['summary'];
  return {
    upTo: keptFrom === undefined ? last : Math.min(last, keptFrom - 1),
    op: {
      step: summaryBlock === undefined ? line.stepAfter(last) : (blocks.bornStep[summaryBlock] ?? 1),
      op: 'summarise', label: event.label, ...sizes(event),
      ...(summaryBlock === undefined ? {} : { summaryBlock }), ...(typeof text === 'string' ? { text } : {}),
    },
  };
}

/** The API's tool clears name a number of results: the oldest ones, cleared for the call they are reported with. */
function contextEdit(event: TraceEvent, line: LineView): Reach {
  const { blocks } = line;
  const position = line.lastUpTo(event.afterRow);
  const count = event.data?.['cleared_tool_uses'];
  const own = line.blocksBetween(position, position)[0];
  const before = own === undefined ? line.stepAfter(position) : Math.max(1, (blocks.bornStep[own] ?? 1) - 1);
  const shared = { label: event.label, ...sizes(event) };
  return typeof count === 'number' && count > 0
    ? { op: { step: before, op: 'clear', ...shared }, oldestResults: { count, position } }
    : { op: { step: line.stepAfter(position), op: 'note', ...shared } };
}

function sizes(event: TraceEvent): { tokensBefore: number | null; tokensAfter: number | null } {
  const size = (key: string): number | null => {
    const value = event.data?.[key];
    return typeof value === 'number' ? value : null;
  };
  return { tokensBefore: size('tokensBefore'), tokensAfter: size('tokensAfter') };
}
