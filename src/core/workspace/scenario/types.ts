/**
 * The manual scenario (policies.md, row `manual`): what a person does to the context of a run, as a list of operations at
 * steps. It holds no state: it is replayed by the engine of every policy, and what can no longer apply stays in the list.
 */
import type { LineRef } from '../../trace/model';

export const SCENARIO_OPS = ['archive', 'recover', 'delete', 'pin', 'unpin'] as const;
export type ScenarioOpName = (typeof SCENARIO_OPS)[number];

/**
 * A block by a name that outlives edits (replay ids do not: they count what was made before). `base:12` or
 * `base:12@1a2b3c4d`: block 12 of the line, with the first digits of its content hash; `op:ID` or `op:ID.2`: what an
 * operation made, its second block; `engine:KIND@STEP:12` or `…:12-20/5`: what the engine made in a step for block 12, or
 * for 5 blocks from 12 to 20.
 */
export type BlockName = string;

export interface ScenarioOp {
  /** Unique within the scenario. */
  id: string;
  /** From 1: it acts on the context of this call, after what arrived for it. */
  step: number;
  op: ScenarioOpName;
  /** Empty where a recovery asks by label. */
  blocks: BlockName[];
  /** archive: the name it is put away under; recover: the name asked for. */
  label?: string;
  /** archive: the words at its place; absent = the first line of the largest block. */
  summary?: string;
  /** archive, delete: a call goes with its results and they with it. Default true. */
  cascade?: boolean;
}

/** A named scenario of one line of one run. */
export interface Scenario {
  name: string;
  /** Trajectory id: SHA-256 of the file, `#`, index. */
  run: string;
  line: LineRef;
  operations: ScenarioOp[];
}

/** What became of one operation in a replay. */
export interface ScenarioOutcome {
  id: string;
  applied: boolean;
  /** Why it does not apply, in words. */
  refused: string | null;
  /** What is worth knowing though it applies. */
  notes: string[];
  /** Replay ids (`B12`) it acted on; where it does not apply: those it names that exist. */
  ids: string[];
  /** Base blocks of `ids`; −1 = made by an operation or by the engine. */
  bases: number[];
  /** Of those, the ones that the cascade added. */
  cascade: string[];
  /** Replay ids of what it made. */
  made: string[];
  /** |C̃| before and after, tokens; equal where it does not apply. */
  tokensBefore: number;
  tokensAfter: number;
}
