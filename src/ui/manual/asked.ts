/** What a person asks to do: an operation and blocks, by names that outlive the replay they were picked in. */
import { nameOfBlock } from '../../core/workspace/scenario/names';
import type { BlockName, ScenarioOpName } from '../../core/workspace/scenario/types';
import type { Replay } from '../../core/workspace/types';
import { sourceOfBlock } from '../../core/layout/names';
import { statusAt } from '../../core/layout/status-at';
import type { OpenLine } from '../../workers/api';
import { count } from '../shared/format';
import { kindLook, kindOf } from '../shared/kinds';

export interface AskedBlock {
  /** null = another policy made it: it does not exist by hand. */
  name: BlockName | null;
  title: string;
}

export interface AskedOperation {
  op: ScenarioOpName;
  step: number;
  blocks: readonly AskedBlock[];
  /** recover: asks for a label instead of blocks. */
  byLabel: boolean;
  /** Labels given so far in the scenario. */
  labels: readonly string[];
}

export const askedBlock = (line: OpenLine, replay: Replay, item: number): AskedBlock =>
  ({ name: nameOfBlock(replay, line.blocks.contentHash, item), title: titleOf(line, replay, item) });

/** `B12 · tool result · read · 1 234 tokens`. */
export function titleOf(line: OpenLine, replay: Replay, item: number): string {
  const origin = replay.blocks.base[sourceOfBlock(replay.blocks, item)] ?? -1;
  const tool = origin < 0 ? '' : (line.blocks.strings[line.blocks.toolName[origin] ?? 0] ?? '');
  return [`B${item + 1}`, kindLook(kindOf(replay.blocks.kind[item])).word, ...(tool === '' ? [] : [tool]), `${count(replay.blocks.tokens[item])} tokens`].join(' · ');
}

/** `tool result · read · 1 234 tokens`, of a block of the line. */
export function titleOfBase(line: OpenLine, base: number): string {
  const tool = line.blocks.strings[line.blocks.toolName[base] ?? 0] ?? '';
  return [kindLook(kindOf(line.blocks.kind[base])).word, ...(tool === '' ? [] : [tool]), `${count(line.blocks.tokens[base])} tokens`].join(' · ');
}

export interface MenuEntry { op: ScenarioOpName; byLabel: boolean; label: string; /** Why it will most likely be refused; the preview decides. */ hint: string }

/** What can be asked for these blocks, with what stands against it at a glance. */
export function menuEntries(replay: Replay, items: readonly number[], step: number, labels: readonly string[]): MenuEntry[] {
  const states = items.map((item) => statusAt(replay.history, item, step));
  const out = states.filter(({ status }) => status !== 'visible').length;
  const pinned = states.filter((state) => state.pinned).length;
  const gone = out === 0 ? '' : items.length === 1 ? 'not in the context' : `${out} not in the context`;
  const held = pinned === 0 ? '' : items.length === 1 ? 'pinned' : `${pinned} pinned`;
  const one = items.length === 1;
  return [
    { op: 'archive', byLabel: false, label: one ? 'Archive…' : `Bundle ${items.length} blocks…`, hint: gone || held },
    { op: 'pin', byLabel: false, label: 'Pin…', hint: pinned === items.length ? 'pinned already' : gone },
    { op: 'unpin', byLabel: false, label: 'Unpin…', hint: pinned === items.length ? '' : 'not pinned' },
    { op: 'delete', byLabel: false, label: 'Delete…', hint: held },
    { op: 'recover', byLabel: false, label: 'Recover…', hint: out === 0 && !items.some((item) => (replay.blocks.base[item] ?? -1) < 0) ? 'in the context' : '' },
    { op: 'recover', byLabel: true, label: 'Recover by label…', hint: labels.length === 0 ? 'no label yet' : '' },
  ];
}

export const OPERATION_WORDS: Record<ScenarioOpName, string> = { archive: 'Archive', recover: 'Recover', delete: 'Delete', pin: 'Pin', unpin: 'Unpin' };
