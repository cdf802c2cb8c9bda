/** What a check of the seven invariants (model.md §3) is given and says. */
import type { ToolSchema } from '../../trace/model';
import type { BaseText } from '../payload';
import type { MessageAt } from '../render-rows';
import type { Replay, ReplayInput } from '../types';

/** A word for each, in order. */
export const INVARIANT_NAMES = ['Budget', 'Bytes', 'Deletion', 'Prompts', 'Order', 'Past', 'Fold'] as const;
export const INVARIANTS = [
  'Every step ends within B, or says the smallest budget that would do',
  'Every byte that was not deleted can be read back',
  'Deletion is the only op that destroys, and it destroys what is stored too',
  'Prompts are valid for OpenAI and Anthropic, and their rows add up',
  'Order is kept, ids are stable, pinned blocks are not touched',
  'The policy sees only the past',
  'The fold is deterministic, from the start, a snapshot or the history',
] as const;

export interface InvariantResult {
  /** 1–7, as in model.md §3. */
  invariant: number;
  /** `exempt`: the policy says that it is not bound by it, and `detail` says why. */
  verdict: 'holds' | 'violated' | 'exempt';
  /** First step at which it is violated; null = nowhere. */
  at: number | null;
  /** What is wrong, or what there was to check. */
  detail: string;
  /** What was looked at, e.g. "24 of 312 steps". */
  checked: string;
}

export interface InvariantReport {
  policy: string;
  budget: number;
  results: InvariantResult[];
  /** Steps that cannot be within B whatever goes, the first of them, and the smallest budget at which none would be; null = none. */
  infeasible: { steps: number; first: number; smallestFeasibleBudget: number } | null;
}

export interface InvariantSource {
  input: ReplayInput;
  replay: Replay;
  tools: readonly ToolSchema[];
  count: (text: string) => number;
  /** The same policy, settings and budget over another input. */
  again(input: ReplayInput): Replay | Promise<Replay>;
  /** Messages that the prompt of a step needs. */
  messagesAt(step: number): Promise<MessageAt>;
  /** Texts of some base blocks. */
  textsOf(bases: readonly number[]): Promise<BaseText>;
}

export interface InvariantOptions {
  /** Steps whose prompt and fold are checked; Infinity = all. */
  sampleSteps?: number;
  signal?: AbortSignal;
  /** Lets other work in between two checks. */
  breathe?: () => Promise<void>;
}
