/**
 * Recorded context management as ops over the base blocks of a line (model.md §4). Read so far: compactions (Claude Code
 * boundaries, pi, the Anthropic API) and the API's applied tool clears; other context edits become notes.
 */
import { BLOCK_KINDS, type BlockTable } from '../trace/blocks-types';
import type { Thread, TraceEvent, Trajectory } from '../trace/model';
import type { RecordedOp } from './types';

const SYSTEM = BLOCK_KINDS.indexOf('system');
const RESULT = BLOCK_KINDS.indexOf('tool_result');

/** `rows` = rows of the line in order (message positions are indices into it); `blocks` = its table. Ops in step order. */
export function recordedOps(trajectory: Trajectory, rows: ArrayLike<number>, blocks: BlockTable): RecordedOp[] {
  const line = new LineView(rows, blocks);
  const thread = threadOfRows(trajectory, rows);
  const ops: RecordedOp[] = [];
  for (const event of trajectory.events) {
    if (thread && event.thread !== thread.id) continue;
    if (event.kind === 'compaction' || event.kind === 'condensation') ops.push(compaction(event, line));
    else if (event.kind === 'context-edit') ops.push(contextEdit(event, line));
  }
  return ops.filter((op) => op.blocks.length > 0 || op.op === 'note').sort((a, b) => a.step - b.step);
}

function threadOfRows(trajectory: Trajectory, rows: ArrayLike<number>): Thread | undefined {
  const last = rows[rows.length - 1];
  if (last === undefined) return undefined;
  return trajectory.threads.find((thread) => [thread.main, ...thread.branches.map((branch) => branch.rows)].some((own) => own.includes(last)));
}

class LineView {
  private readonly positions = new Map<number, number>();

  constructor(readonly rows: ArrayLike<number>, readonly blocks: BlockTable) {
    for (let position = 0; position < rows.length; position++) this.positions.set(rows[position] ?? -1, position);
  }

  positionOf(row: unknown): number | undefined {
    return typeof row === 'number' ? this.positions.get(row) : undefined;
  }

  /** Position of the last message of the line at or before a row of the file; -1 = before the first. */
  lastUpTo(row: number): number {
    const exact = this.positions.get(row);
    if (exact !== undefined) return exact;
    let best = -1;
    for (const [own, position] of this.positions) if (own <= row) best = Math.max(best, position);
    return best;
  }

  blocksBetween(from: number, to: number, keep: (block: number) => boolean): number[] {
    const { messageIndex, n } = this.blocks;
    const found: number[] = [];
    for (let b = 0; b < n; b++) {
      const at = messageIndex[b] ?? 0;
      if (at >= from && at <= to && keep(b)) found.push(b);
    }
    return found;
  }

  /** Step whose context is the first to hold what follows a position. */
  stepAfter(position: number): number {
    const { messageIndex, bornStep, n } = this.blocks;
    for (let b = 0; b < n; b++) if ((messageIndex[b] ?? 0) > position) return bornStep[b] ?? 1;
    return (bornStep[n - 1] ?? 0) + 1;
  }
}

/** Everything before it but the system prompt, less a kept tail, became one summary. */
function compaction(event: TraceEvent, line: LineView): RecordedOp {
  const { blocks } = line;
  const summaryAt = line.positionOf(event.data?.['summaryRow']);
  const last = summaryAt === undefined ? line.lastUpTo(event.afterRow) : summaryAt - 1;
  const keptFrom = line.positionOf(event.data?.['firstKeptRow']);
  const gone = line.blocksBetween(0, keptFrom === undefined ? last : Math.min(last, keptFrom - 1), (b) => blocks.kind[b] !== SYSTEM);
  const summaryBlock = summaryAt === undefined ? undefined : line.blocksBetween(summaryAt, summaryAt, () => true)[0];
  const text = event.data?.['summary'];
  return {
    step: summaryBlock === undefined ? line.stepAfter(last) : (blocks.bornStep[summaryBlock] ?? 1),
    op: 'summarise', blocks: gone, label: event.label, ...sizes(event),
    ...(summaryBlock === undefined ? {} : { summaryBlock }), ...(typeof text === 'string' ? { text } : {}),
  };
}

/** The API's tool clears name a number of results: the oldest ones, cleared for the call they are reported with. */
function contextEdit(event: TraceEvent, line: LineView): RecordedOp {
  const { blocks } = line;
  const position = line.lastUpTo(event.afterRow);
  const count = event.data?.['cleared_tool_uses'];
  const own = line.blocksBetween(position, position, () => true)[0];
  const cleared = typeof count === 'number' ? line.blocksBetween(0, position, (b) => blocks.kind[b] === RESULT).slice(0, count) : [];
  return {
    step: own === undefined || cleared.length === 0 ? line.stepAfter(position) : Math.max(1, (blocks.bornStep[own] ?? 1) - 1),
    op: cleared.length > 0 ? 'clear' : 'note', blocks: cleared, label: event.label, ...sizes(event),
  };
}

function sizes(event: TraceEvent): { tokensBefore: number | null; tokensAfter: number | null } {
  const size = (key: string): number | null => {
    const value = event.data?.[key];
    return typeof value === 'number' ? value : null;
  };
  return { tokensBefore: size('tokensBefore'), tokensAfter: size('tokensAfter') };
}
