/**
 * The ledger's rows as columns: which blocks exist at a step, what became of each, and in which order they are shown.
 * Plain arrays, because this runs on every move of the playhead over runs of 30 000 blocks; row objects are made only
 * for what is on screen.
 */
import { BLOCK_STATUSES, type BlockStatus, type Replay } from '../../core/workspace/types';
import { sourceOfBlock } from '../../core/layout/names';
import { statusAt } from '../../core/layout/status-at';
import type { BlockKind } from '../../core/trace/blocks-types';
import type { OpenLine } from '../../workers/api';
import { kindOf } from '../shared/kinds';
import { labelsOf } from './ledger-labels';

export const LEDGER_KEYS = ['id', 'kind', 'tool', 'tokens', 'share', 'age', 'born', 'lastUse', 'uses', 'level', 'parent', 'status', 'stale', 'preview'] as const;
export type LedgerKey = (typeof LEDGER_KEYS)[number];

export interface LedgerRow {
  id: string;
  /** Replay index. */
  index: number;
  /** Base block index; −1 = made by an operation. */
  base: number;
  kind: BlockKind;
  isError: boolean;
  tool: string;
  tokens: number;
  /** Of the budget, 0…1. */
  share: number;
  /** Steps since born. */
  age: number;
  born: number;
  /** Last step that used it, over the whole run; 0 = never. */
  lastUse: number;
  uses: number;
  level: number;
  parent: string;
  status: BlockStatus;
  pinned: boolean;
  /** Tokens × steps it was carried after its last use, up to this step. */
  stale: number;
  incomplete: boolean;
  preview: string;
  /** Name under which it was put away; '' = none, or not yet at this step. */
  label: string;
}

export interface LedgerColumns {
  /** Replay indices of the blocks that exist at the step, in admission order. */
  blocks: Uint32Array;
  /** By replay index. */
  status: Uint8Array;
  pinned: Uint8Array;
  stale: Float64Array;
  step: number;
  visible: number;
  visibleTokens: number;
}

const VISIBLE = BLOCK_STATUSES.indexOf('visible');

/** O(blocks + status changes). */
export function ledgerColumns(line: OpenLine, replay: Replay, step: number): LedgerColumns {
  const { blocks, history } = replay;
  const exists = new Uint32Array(blocks.n);
  const status = new Uint8Array(blocks.n);
  const pinned = new Uint8Array(blocks.n);
  const stale = new Float64Array(blocks.n);
  let n = 0;
  let visible = 0;
  let visibleTokens = 0;
  for (let i = 0; i < blocks.n; i++) {
    const now = statusAt(history, i, step);
    if (now.status === 'unborn') continue;
    exists[n++] = i;
    status[i] = BLOCK_STATUSES.indexOf(now.status);
    pinned[i] = now.pinned ? 1 : 0;
    stale[i] = (blocks.tokens[i] ?? 0) * stepsCarried(replay, i, lastUseOf(line, replay, i), step);
    if (now.status !== 'visible') continue;
    visible++;
    visibleTokens += blocks.tokens[i] ?? 0;
  }
  return { blocks: exists.slice(0, n), status, pinned, stale, step, visible, visibleTokens };
}

/** Steps in (after, upTo] in which the block was visible. */
function stepsCarried(replay: Replay, block: number, after: number, upTo: number): number {
  const { history } = replay;
  const from = history.start[block] ?? 0;
  const to = history.start[block + 1] ?? from;
  let sum = 0;
  for (let h = from; h < to; h++) {
    if (history.status[h] !== VISIBLE) continue;
    const first = Math.max(history.step[h] ?? 1, after + 1);
    const last = Math.min(h + 1 < to ? (history.step[h + 1] ?? 1) - 1 : upTo, upTo);
    if (last >= first) sum += last - first + 1;
  }
  return sum;
}

/** Last step that used a block, over the whole run; 0 = never, or made by an operation. */
export function lastUseOf(line: OpenLine, replay: Replay, block: number): number {
  const base = replay.blocks.base[block] ?? -1;
  return base < 0 ? 0 : (line.evidence.lastUse[base] ?? 0);
}

export function ledgerRow(line: OpenLine, replay: Replay, columns: LedgerColumns, index: number): LedgerRow {
  const { blocks } = replay;
  const base = blocks.base[index] ?? -1;
  const origin = blocks.base[sourceOfBlock(blocks, index)] ?? -1;
  const table = line.blocks;
  const parent = blocks.parent[index] ?? -1;
  const born = blocks.bornStep[index] ?? 1;
  const tokens = blocks.tokens[index] ?? 0;
  return {
    id: `B${index + 1}`,
    index,
    base,
    kind: kindOf(blocks.kind[index]),
    isError: base >= 0 && table.isError[base] === 1,
    tool: origin < 0 ? '' : (table.strings[table.toolName[origin] ?? 0] ?? ''),
    tokens,
    share: replay.budget > 0 ? tokens / replay.budget : 0,
    age: Math.max(0, columns.step - born),
    born,
    lastUse: lastUseOf(line, replay, index),
    uses: base < 0 ? 0 : (line.evidence.uses[base] ?? 0),
    level: blocks.level[index] ?? 0,
    parent: parent < 0 ? '' : `B${parent + 1}`,
    status: BLOCK_STATUSES[columns.status[index] ?? 0] ?? 'unborn',
    pinned: columns.pinned[index] === 1,
    label: columns.status[index] !== VISIBLE || base < 0 ? (labelsOf(replay).get(index) ?? '') : '',
    stale: columns.stale[index] ?? 0,
    incomplete: base >= 0 && table.incomplete[base] === 1,
    preview: (base >= 0 ? table.preview[base] : firstLine(blocks.text[index]) || (origin >= 0 ? table.preview[origin] : '')) ?? '',
  };
}

/** A made block's text may be long; a table cell shows its first line. */
function firstLine(text: string | undefined): string {
  if (text === undefined) return '';
  const end = text.indexOf('\n');
  return text.slice(0, Math.min(160, end < 0 ? 160 : end));
}

export interface LedgerQuery {
  sort: LedgerKey;
  descending: boolean;
  /** Words that must all be in id, kind, tool, status or preview; case does not matter. */
  filter: string;
  visibleOnly: boolean;
}
