/**
 * Lifelines: one row a block, from birth to the end of the run. Built once a replay (O(blocks + status changes)); zoom
 * and scroll only cut windows out of it. A recovered block lies on the row of what it brings back, a placeholder on that of
 * the block it stands in for.
 */
import { growU32, growU8 } from '../base/growable';
import type { EvidenceIndex } from '../evidence/types';
import { BLOCK_KINDS, type BlockTable } from '../trace/blocks-types';
import { blockIndex } from '../workspace/kinds';
import { BLOCK_STATUSES, type BlockStatus, type Replay } from '../workspace/types';
import { placeheldBlock, sourceOfBlock, swatchOfBlock } from './names';

/** Drawn in this order: a later one lies over an earlier one where rows are merged. */
export const SEGMENT_STYLES = ['removed', 'archived', 'dotted', 'idle', 'used', 'recovered'] as const;
export type SegmentStyle = (typeof SEGMENT_STYLES)[number];

const USED = SEGMENT_STYLES.indexOf('used');
const IDLE = SEGMENT_STYLES.indexOf('idle');
const RECOVERED = SEGMENT_STYLES.indexOf('recovered');
const STYLE_OF_STATUS: Partial<Record<BlockStatus, number>> = {
  // What lies behind a placeholder is in the archive all the same; masked text is not.
  archived: SEGMENT_STYLES.indexOf('archived'), offloaded: SEGMENT_STYLES.indexOf('archived'),
  masked: SEGMENT_STYLES.indexOf('dotted'),
  cleared: SEGMENT_STYLES.indexOf('removed'), summarised: SEGMENT_STYLES.indexOf('removed'), trimmed: SEGMENT_STYLES.indexOf('removed'),
  deleted: SEGMENT_STYLES.indexOf('removed'), rejected: SEGMENT_STYLES.indexOf('removed'),
};
const VISIBLE = BLOCK_STATUSES.indexOf('visible');

/** Segments of row r: [start[r], start[r + 1]); steps are 1-based, `to` exclusive. Marks (rings, pins) in step order. */
export interface Lifelines {
  rows: number;
  /** Row → replay index. */
  blockOfRow: Uint32Array;
  /** Replay index → row (that of its source for a recovered block). */
  rowOfBlock: Int32Array;
  tokens: Uint32Array;
  start: Uint32Array;
  from: Uint32Array;
  to: Uint32Array;
  style: Uint8Array;
  swatch: Uint8Array;
  rings: Marks;
  pins: Marks;
}
export interface Marks { row: Uint32Array; step: Uint32Array; swatch: Uint8Array; block: Uint32Array }

interface Mark { row: number; step: number; swatch: number; block: number }

export function buildLifelines(replay: Replay, table: BlockTable, evidence: EvidenceIndex): Lifelines {
  const { blocks, history, steps } = replay;
  const rowOfBlock = new Int32Array(blocks.n).fill(-1);
  const blockOfRow: number[] = [];
  const recovered = BLOCK_KINDS.indexOf('recovered');
  for (let i = 0; i < blocks.n; i++) {
    const held = placeheldBlock(blocks, i);
    const source = held >= 0 ? held : blocks.kind[i] === recovered ? sourceOfBlock(blocks, i) : i;
    // A source is admitted before what brings it back, so its row is known.
    if (source !== i && (rowOfBlock[source] ?? -1) >= 0) rowOfBlock[i] = rowOfBlock[source] ?? -1;
    else rowOfBlock[i] = blockOfRow.push(i) - 1;
  }
  const recoveredFrom = lastRecoveries(replay);
  // A recorded read whose answer is a message of its own: that message is what came back.
  const shown = new Set(replay.ops.flatMap((op) => (op.op === 'recover' && op.result !== undefined ? [blockIndex(op.result)] : [])));
  const segments = new Segments();
  const rings: Mark[] = [];
  const pins: Mark[] = [];
  for (let i = 0; i < blocks.n; i++) {
    const row = rowOfBlock[i] ?? 0;
    // The status of the block behind a placeholder already draws it.
    if (placeheldBlock(blocks, i) >= 0 && blockOfRow[row] !== i) continue;
    const swatch = swatchOfBlock(blocks, table, i);
    const isGuest = blockOfRow[row] !== i;
    const isRecovered = blocks.kind[i] === recovered || shown.has(i);
    const source = isGuest ? (blockOfRow[row] ?? i) : i;
    const base = blocks.base[source] ?? -1;
    const lastUse = base >= 0 ? (evidence.lastUse[base] ?? 0) : (recoveredFrom.get(source) ?? 0);
    const first = history.start[i] ?? 0;
    const end = history.start[i + 1] ?? first;
    let pinned = false;
    for (let h = first; h < end; h++) {
      const from = Math.max(1, history.step[h] ?? 1);
      const to = h + 1 < end ? (history.step[h + 1] ?? from) : steps.n + 1;
      const isPinned = history.pinned[h] === 1;
      if (isPinned && !pinned) pins.push({ row, step: from, swatch, block: i });
      pinned = isPinned;
      if (to <= from) continue;
      const code = history.status[h] ?? 0;
      if (code === VISIBLE) {
        if (isRecovered && h === first) rings.push({ row, step: from, swatch, block: i });
        // What a step used is still solid in that step; what nothing used is solid only in the step it arrived in.
        const solidTo = Math.min(to, Math.max(lastUse, h === first ? from : 0) + 1);
        if (solidTo > from) segments.push(row, from, solidTo, isRecovered ? RECOVERED : USED, swatch);
        if (solidTo < to) segments.push(row, Math.max(from, solidTo), to, IDLE, swatch);
      } else if (!isGuest) {
        const style = STYLE_OF_STATUS[BLOCK_STATUSES[code] ?? 'unborn'];
        if (style !== undefined) segments.push(row, from, to, style, swatch);
      }
    }
  }
  return pack(segments, rings, pins, blockOfRow, rowOfBlock, blocks.tokens);
}

/** Replay index → last step in which something was recovered from it: the use of a handle, which no lexeme can show. */
function lastRecoveries(replay: Replay): Map<number, number> {
  const last = new Map<number, number>();
  for (const { op, ids, step } of replay.ops) {
    if (op !== 'recover' && op !== 'expand') continue;
    for (const id of ids) last.set(Number(id.slice(1)) - 1, step);
  }
  return last;
}

/** Columns, not objects: a long run has a hundred thousand. */
class Segments {
  readonly row = growU32();
  readonly from = growU32();
  readonly to = growU32();
  readonly style = growU8();
  readonly swatch = growU8();

  push(row: number, from: number, to: number, style: number, swatch: number): void {
    this.row.push(row);
    this.from.push(from);
    this.to.push(to);
    this.style.push(style);
    this.swatch.push(swatch);
  }
}

function pack(segments: Segments, rings: Mark[], pins: Mark[], blockOfRow: number[], rowOfBlock: Int32Array, tokens: Uint32Array): Lifelines {
  const rows = blockOfRow.length;
  const start = new Uint32Array(rows + 1);
  const row = segments.row.toArray();
  const n = row.length;
  for (let s = 0; s < n; s++) {
    const after = (row[s] ?? 0) + 1;
    start[after] = (start[after] ?? 0) + 1;
  }
  for (let r = 0; r < rows; r++) start[r + 1] = (start[r + 1] ?? 0) + (start[r] ?? 0);
  const next = start.slice(0, rows);
  const from = new Uint32Array(n);
  const to = new Uint32Array(n);
  const style = new Uint8Array(n);
  const swatch = new Uint8Array(n);
  for (let s = 0; s < n; s++) {
    const r = row[s] ?? 0;
    const at = next[r] ?? 0;
    next[r] = at + 1;
    from[at] = segments.from.get(s);
    to[at] = segments.to.get(s);
    style[at] = segments.style.get(s);
    swatch[at] = segments.swatch.get(s);
  }
  return {
    rows, blockOfRow: Uint32Array.from(blockOfRow), rowOfBlock, tokens: Uint32Array.from(blockOfRow, (block) => tokens[block] ?? 0),
    start, from, to, style, swatch, rings: packMarks(rings), pins: packMarks(pins),
  };
}

function packMarks(marks: Mark[]): Marks {
  marks.sort((a, b) => a.step - b.step || a.row - b.row);
  return {
    row: Uint32Array.from(marks, (mark) => mark.row), step: Uint32Array.from(marks, (mark) => mark.step),
    swatch: Uint8Array.from(marks, (mark) => mark.swatch), block: Uint32Array.from(marks, (mark) => mark.block),
  };
}
