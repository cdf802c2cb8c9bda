/** What two policies show the model at one step, block by recorded block. */
import { heldAt, stateAt } from '../../core/workspace/state-at';
import type { BlockTable } from '../../core/trace/blocks-types';
import type { Replay } from '../../core/workspace/types';

export interface DifferenceBlock { base: number; tokens: number; /** In the context as a recovered copy, under A or B. */ copied: boolean }
/** A block that the policy itself made: handle, placeholder, summary, notice. Replay index. */
export interface MadeBlock { index: number; kind: number; tokens: number; text: string }
export interface Difference {
  onlyA: DifferenceBlock[];
  onlyB: DifferenceBlock[];
  both: DifferenceBlock[];
  /** Recorded blocks that exist at the step and stand in neither context. */
  neither: DifferenceBlock[];
  madeA: MadeBlock[];
  madeB: MadeBlock[];
}

interface Side { held: Uint8Array; copied: Uint8Array; made: MadeBlock[]; exists: Uint8Array }

export function differenceAt(a: Replay, b: Replay, table: BlockTable, step: number): Difference {
  const [left, right] = [sideOf(a, table, step), sideOf(b, table, step)];
  const out: Difference = { onlyA: [], onlyB: [], both: [], neither: [], madeA: left.made, madeB: right.made };
  for (let base = 0; base < table.n; base++) {
    if (left.exists[base] !== 1 && right.exists[base] !== 1) continue;
    const block = { base, tokens: table.tokens[base] ?? 0, copied: left.copied[base] === 1 || right.copied[base] === 1 };
    const inA = left.held[base] === 1;
    const inB = right.held[base] === 1;
    (inA ? (inB ? out.both : out.onlyA) : inB ? out.onlyB : out.neither).push(block);
  }
  return out;
}

function sideOf(replay: Replay, table: BlockTable, step: number): Side {
  const state = stateAt(replay, step);
  const held = heldAt(replay, state);
  const { base, kind, tokens, text, bornStep } = replay.blocks;
  const side: Side = { held: new Uint8Array(table.n), copied: new Uint8Array(table.n), made: [], exists: new Uint8Array(table.n) };
  const visible = new Uint8Array(replay.blocks.n);
  for (const item of state.visible) visible[item] = 1;
  for (let i = 0; i < replay.blocks.n; i++) {
    const at = base[i] ?? -1;
    if (at >= 0) {
      if ((bornStep[i] ?? 0) <= step) side.exists[at] = 1;
      if (held[i] === 1) side.held[at] = 1;
      if (held[i] === 1 && visible[i] === 0) side.copied[at] = 1;
    } else if (visible[i] === 1 && (text[i] ?? '') !== '') side.made.push({ index: i, kind: kind[i] ?? 0, tokens: tokens[i] ?? 0, text: text[i] ?? '' });
  }
  return side;
}

export const tokensOf = (blocks: readonly { tokens: number }[]): number => blocks.reduce((sum, { tokens }) => sum + tokens, 0);
