/**
 * The workspace (model.md §3): state is folded from a log of ops over the base blocks of one line. A replay is one
 * policy's log with per-step numbers; any step's state is reached from a snapshot in constant time.
 */
import type { BlockKind, BlockTable, EncodingName, LineFacts } from '../trace/blocks-types';
import type { EncoderId } from '../embedding/types';
import type { EvidenceIndex } from '../evidence/types';
import type { ScenarioOp, ScenarioOutcome } from './scenario/types';
import type { LineSelection } from '../selection/line-selection';
import type { EncoderInfo } from '../selection/types';

export type OpName =
  | 'admit' | 'archive' | 'recover' | 'delete' | 'pin' | 'unpin' | 'mask' | 'clear' | 'offload' | 'reject'
  | 'summarise' | 'expand' | 'fold' | 'trim' | 'note';
export type Actor = 'agent' | 'engine' | 'policy' | 'user';

/** One operation as logged and exported. Block ids are `B1…` in admission order within this replay. */
export interface Op {
  step: number;
  op: OpName;
  actor: Actor;
  ids: string[];
  /** The block it made (handle, recovered block, placeholder, summary, notice). */
  result?: string;
  /** recover only: UTF-8 byte range [from, to) of the payload. */
  range?: [number, number];
  /** One line a person can read. */
  reason: string;
  /** Name under which an agent put blocks away and can ask for them (ACM). */
  label?: string;
  tokensBefore: number;
  tokensAfter: number;
}

export type ReplayClass = 'exact' | 'recorded-words' | 'stand-in' | 'size-only';
export type StepMode = 'normal' | 'overflow' | 'over';
/** Codes in `ReplaySteps.mode`. */
export const STEP_MODES: readonly StepMode[] = ['normal', 'overflow', 'over'];

/** What a block is at a step. Order fixes the codes in columns. */
export const BLOCK_STATUSES = ['unborn', 'visible', 'archived', 'offloaded', 'masked', 'cleared', 'summarised', 'trimmed', 'deleted', 'rejected'] as const;
export type BlockStatus = (typeof BLOCK_STATUSES)[number];

/** What a chart draws as one colour (design.md): index into `bySwatch` rows. */
export const SWATCHES = ['system', 'task', 'user', 'assistant', 'reasoning', 'tool_result', 'summary', 'notice'] as const;
export type Swatch = (typeof SWATCHES)[number];

/** Blocks of one replay: base blocks and the ones its ops made, in admission order; index i is id `B${i + 1}`. */
export interface ReplayBlocks {
  n: number;
  /** Index in the base BlockTable; -1 = made by an op. */
  base: Int32Array;
  /** Index into BLOCK_KINDS. */
  kind: Uint8Array;
  bornStep: Uint32Array;
  tokens: Uint32Array;
  level: Uint8Array;
  /** Replay index; -1 = none. */
  parent: Int32Array;
  /** Text of made blocks (recovered ones are a slice of their payload instead: ''), by replay index; undefined for base blocks. */
  text: (string | undefined)[];
  /** Handle → the replay indices it stands for: memberStart has n + 1 entries. */
  memberStart: Uint32Array;
  members: Uint32Array;
  /** Byte range of a recovered block in its source's payload; NaN = whole. Two numbers a block. */
  recoveredRange: Float64Array;
  /** Tokens and bytes of what a stand-in or copy holds, through all levels; a base block or a summary: its own. */
  payloadTokens: Uint32Array;
  payloadBytes: Float64Array;
  /** Checksum of what a handle, placeholder or notice stores (archive.ts); undefined where nothing is stored. */
  checksum: (string | undefined)[];
}

/** One row a step (index 0 = step 1). */
export interface ReplaySteps {
  n: number;
  /** Sum over the shown blocks, whose parts are counted each alone: see `RenderedPrompt.rows` for texts that join parts. */
  contextTokens: Uint32Array;
  /** SWATCHES.length numbers a step; they sum to contextTokens (message overhead goes with its block, dashboard and tools with `system`/`summary` as documented). */
  bySwatch: Uint32Array;
  dashboardTokens: Uint32Array;
  mode: Uint8Array;
  infeasible: Uint8Array;
  /** 0 = feasible. */
  smallestFeasibleBudget: Uint32Array;
  demandWeight: Float64Array;
  promptWeight: Float64Array;
  visibleWeight: Float64Array;
  recoverableWeight: Float64Array;
  lostWeight: Float64Array;
  cachedTokens: Uint32Array;
  /** Tokens of the longest common prefix with the rendering before, whole (cachedTokens is this at the default cache rules). */
  prefixTokens: Uint32Array;
  /** Output of the call: recorded where it is, else counted. */
  outputTokens: Uint32Array;
  /** Input and output of the management calls of the step. */
  managementInput: Float64Array;
  managementOutput: Float64Array;
  obligations: Uint32Array;
  reads: Uint32Array;
  /** Page faults: blocks the call uses that are out of the context, recoverable or lost (paging.ts). */
  faults: Uint32Array;
  /** Tokens of the copies that were read back for the call. */
  readTokens: Uint32Array;
  /** Tokens of the strings that the call repeats and the context did not hold; estimated, bytes ÷ 4. */
  neededTokens: Uint32Array;
  /** ops[opStart[t-1] .. opStart[t]) were issued in step t; n + 1 long. */
  opStart: Uint32Array;
}

/** Status intervals by block, for lifelines and tables: block i has [start[i], start[i+1]); each from `step` until the next. */
export interface StatusHistory {
  start: Uint32Array;
  step: Uint32Array;
  /** Index into BLOCK_STATUSES. */
  status: Uint8Array;
  pinned: Uint8Array;
}

export interface ReplayTotals {
  peakContext: number;
  meanContext: number;
  trajectoryTokens: number;
  opsByKind: Record<string, number>;
  overflowSteps: number;
  /** Steps above the budget under a policy that does not hold itself to it (keep-everything, recorded, …): mode 'over'. */
  overSteps: number;
  infeasibleSteps: number;
  firstLoss: { step: number; lexeme: string } | null;
  evidenceVisible: number;
  evidenceRecoverable: number;
  evidenceLost: number;
  obligations: number;
  reads: number;
  cacheRate: number | null;
  usd: number | null;
  managementCalls: number;
  managementTokens: number;
  totalBudgetStep: number | null;
  paging: PagingTotals;
}

/** The context as paged memory (Pichay, arXiv 2603.09023; systems.md §5). Ratios are null where nothing is divided by. */
export interface PagingTotals {
  /** Blocks that recorded calls used while they were out of the context, summed over the steps; recoverable and lost alike. */
  faults: number;
  faultsPerStep: number | null;
  /** Recorded blocks and copies that ops took out of the context. */
  evictions: number;
  /** faults ÷ evictions: Pichay's fault rate. */
  faultRate: number | null;
  /** Tokens of the copies that were read back. */
  tokensRead: number;
  /** Tokens of the missing strings that calls repeat; estimated, bytes ÷ 4. */
  tokensNeeded: number;
  /** tokensRead ÷ tokensNeeded: what is read back for each token that is needed. */
  readAmplification: number | null;
  /** Prompt tokens over all calls ÷ tokens admitted once: how often each was sent (Pichay's amplification, there of stale results). */
  amplification: number | null;
}

export interface Replay {
  policy: string;
  params: Record<string, ParameterValue>;
  replayClass: ReplayClass;
  causal: boolean;
  budget: number;
  encoding: EncodingName;
  /** Tool schemas and system prompt of the run, plus the protocol text and tools of an agent-controlled policy. */
  fixedOverhead: number;
  /** Of which protocol text and tools of the policy. */
  protocolTokens: number;
  /** Can what a policy took out come back byte for byte? Else masked, cleared and summarised blocks are lost. */
  exactRecovery: boolean;
  blocks: ReplayBlocks;
  ops: Op[];
  steps: ReplaySteps;
  history: StatusHistory;
  totals: ReplayTotals;
  /** `manual`: what became of each operation of the scenario, in its order. */
  outcomes?: ScenarioOutcome[];
  /** Where the vectors came from that the policy read; absent = it reads none. */
  encoder?: EncoderInfo;
  /** What else a reader of these numbers should know, a sentence each; absent = nothing. */
  notes?: string[];
}

export type ParameterValue = number | string | boolean;
/** Drives the settings form, the URL and the exported JSON. */
export interface Parameter {
  key: string;
  label: string;
  explanation: string;
  type: 'number' | 'integer' | 'boolean' | 'choice' | 'text';
  default: ParameterValue;
  unit?: string;
  min?: number;
  max?: number;
  step?: number;
  choices?: readonly string[];
  /** A published absolute token threshold and the window it was published with; scaled by B ÷ window. */
  publishedWindow?: number;
}

export interface Capabilities {
  trainingFree: boolean;
  modelAgnostic: boolean;
  agentControlled: boolean;
  exactRecovery: boolean;
  contextDashboard: boolean;
}

/** What the picker and the tables show of a policy without running it. */
export interface PolicyInfo {
  id: string;
  name: string;
  explanation: string;
  source: string;
  parameters: readonly Parameter[];
  capabilities: Capabilities;
  replayClass: ReplayClass;
  /** False = it looks at later calls: no policy anyone could run. */
  causal: boolean;
  /** A reference line: there to compare with, not a system that anyone would run (policies.md). */
  reference?: true;
  /** Does it read vectors of the interaction blocks? Then a replay needs an encoder. Absent = no. */
  needsVectors?: boolean;
}

export interface ReplayRequest {
  policy: string;
  /** Whose vectors a policy with `needsVectors` reads: named by the page, which then brings them; elsewhere the input has them. */
  encoder?: EncoderId;
  params?: Record<string, ParameterValue>;
  budget: number;
  totalBudget?: number;
  /** `manual`: the operations by hand, in the order in which those of one step are done. */
  scenario?: readonly ScenarioOp[];
}

/** What a replay is computed from: columns only, no text is loaded. */
export interface ReplayInput {
  blocks: BlockTable;
  facts: LineFacts;
  evidence: EvidenceIndex;
  /** Recorded context operations of the line, folded by `recorded`. */
  recorded: RecordedOp[];
  /** Vectors of the interaction blocks, and what stands before each call; only policies with `needsVectors` read it. */
  selection?: LineSelection;
}

/** A recorded context event in terms of base blocks: what the agent's own manager did before `step`. */
export interface RecordedOp {
  step: number;
  op: 'summarise' | 'clear' | 'trim' | 'archive' | 'recover' | 'delete' | 'pin' | 'unpin' | 'note';
  /** Base block indices it acted on, without those that an earlier op took out; empty = note only. */
  blocks: number[];
  /** Base block that holds its words (compaction summary). */
  summaryBlock?: number;
  /** Recorded words that stand in no message (pi keeps a summary in a record of its own). */
  text?: string;
  /** recover only: base block that holds what came back, where the record has it as a message of its own. */
  resultBlock?: number;
  label: string;
  tokensBefore: number | null;
  tokensAfter: number | null;
}

/** Message arrays as a provider would receive them (cli.md `--render`). */
export type RenderTarget = 'openai' | 'anthropic';
export interface RenderedPrompt {
  as: RenderTarget;
  /** `{messages, tools}` for OpenAI, `{system, messages, tools}` for Anthropic. */
  body: Record<string, unknown>;
  /**
   * One row a rendered message: which blocks it holds, its tokens, and whether it lies in the cached prefix. `tokens` sums
   * the parts of its blocks, each counted alone, and so adds up to `contextTokens`; `text` joins the parts with "\n", and that
   * text counted anew may differ by a token or two where parts meet (the "\n" is no content, and may merge with its neighbours).
   */
  rows: { role: string; blocks: string[]; tokens: number; cached: boolean; text: string; kind: BlockKind | 'dashboard' | 'tools' }[];
}
