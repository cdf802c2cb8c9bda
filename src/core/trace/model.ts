/**
 * The trace model (model.md §1): what was recorded, immutable. A trajectory is one recorded run, a thread one
 * context window in it, a message one entry of that window. Text lives in the source bytes; in memory a run is
 * columns (`MessageColumns`), and a `Message` is read on demand through its byte spans.
 */

export type Role = 'system' | 'user' | 'assistant' | 'tool';
/** Order fixes the codes stored in columns: append only. */
export const ROLES: readonly Role[] = ['system', 'user', 'assistant', 'tool'];

/** A provider's record for one model call, tokens. `null` = not recorded, never 0. `input` excludes cached tokens. */
export interface Usage {
  input: number | null;
  cachedInput: number | null;
  cacheWrite: number | null;
  /** Includes reasoning where the provider counts it so; `reasoning` then says how much of it. */
  output: number | null;
  reasoning: number | null;
}

export interface TextPart { type: 'text'; text: string }
/** `redacted`: encrypted or signature only; `text` is then empty. */
export interface ReasoningPart { type: 'reasoning'; text: string; redacted?: boolean }
export interface ToolCallPart {
  type: 'tool_call';
  /** '' where the format has none and none could be synthesised. */
  id: string;
  name: string;
  /** The exact source text where it was a string, else JSON.stringify of the parsed value. */
  args: string;
  /** Call written as text (fenced block), so the arguments are not JSON. */
  fenced?: boolean;
}
export interface ImagePart { type: 'image'; mime: string; bytes?: number; width?: number; height?: number; ref?: string }
/** Whatever the importer did not understand, raw. `kind` is the source's own type name. */
export interface OtherPart { type: 'other'; kind: string; raw: string }
export type ContentPart = TextPart | ImagePart | OtherPart;
export interface ToolResultPart {
  type: 'tool_result';
  callId: string;
  toolName?: string;
  content: ContentPart[];
  isError?: boolean;
  exitCode?: number;
}
export type Part = TextPart | ReasoningPart | ToolCallPart | ToolResultPart | ImagePart | OtherPart;

/** Bit flags of a message. */
export const MessageFlag = {
  /** Injected by the harness, not typed by the user (`isMeta`, reminders). */
  meta: 1,
  /** Summary written by a compaction. */
  compactSummary: 2,
  /** Local notice that no model produced (`<synthetic>`): no step. */
  synthetic: 4,
  /** Demonstration, not part of the run. */
  demonstration: 8,
  /** User turn written by the harness after the first answer (mini-swe-agent observations and nudges). */
  harness: 16,
  /** Aborted or failed model call (still a step). */
  failed: 32,
  sidechain: 64,
  /** A person typed it: counts as a user instruction (embedding.md §1 "Goal text"). */
  instruction: 128,
} as const;

/** Byte range of one source record (or one element of a JSON document) that a message was read from. */
export interface Span { byteOffset: number; byteLength: number; line?: number }

export interface Message {
  /** Position in the line (thread main line or branch) it was read for. */
  index: number;
  /** Row in the trajectory's message columns. */
  row: number;
  role: Role;
  parts: Part[];
  flags: number;
  timestampMs?: number;
  model?: string;
  usage?: Usage;
  /** Id of the model call (assistant messages), where recorded. */
  callId?: string;
  spans: Span[];
}

/** Something recorded that is not a message. Order fixes nothing; stored as text. */
export type EventKind =
  | 'compaction' | 'context-edit' | 'condensation' | 'error' | 'retry' | 'interruption'
  | 'model-change' | 'summary' | 'checkpoint' | 'other';

export interface TraceEvent {
  kind: EventKind;
  /** The source's own name of the record (`compact_boundary`, `thinking_level_change`, …). */
  sourceKind: string;
  /** Thread id. */
  thread: string;
  /** Message row after which it happened; -1 = before the first. */
  afterRow: number;
  timestampMs?: number;
  /** One line a person can read. */
  label: string;
  /** Facts by kind, e.g. compaction: { tokensBefore, tokensAfter, summaryRow, trigger, firstKeptRow }. null = unknown. */
  data?: Record<string, number | string | boolean | null>;
  span?: Span;
}

export interface ToolSchema { name: string; /** Minified JSON of the whole schema object as sent. */ json: string }

/** A line of messages that is not the main one: an edited prompt, a retried turn. */
export interface Branch {
  id: string;
  title?: string;
  /** Position in the main line of the last message it shares; -1 = none. */
  forkAfter: number;
  /** Rows of its own messages, after the fork. */
  rows: Uint32Array;
}

export interface Thread {
  id: string;
  title?: string;
  parentThread?: string;
  /** Tool call id in the parent that started it. */
  spawnedBy?: string;
  tools: ToolSchema[];
  /** Rows of the main line (path to the last leaf), in order. */
  main: Uint32Array;
  branches: Branch[];
  /** Is earlier reasoning sent back to this provider? Decides what counts as context. */
  countsReasoning: boolean;
}

export interface Outcome { reward?: number; success?: boolean; label?: string }

export interface Trajectory {
  /** SHA-256 of the source bytes, `#`, index in the file. */
  id: string;
  indexInFile: number;
  name: string;
  format: string;
  /** What it was first read as, for a run that came as our own JSON (`normalised.ts`). */
  sourceFormat?: string;
  model?: string;
  createdMs?: number;
  outcome?: Outcome;
  threads: Thread[];
  events: TraceEvent[];
  columns: MessageColumns;
  warnings: string[];
  /** Provider totals over all calls of all threads and branches, each call once. */
  usage: Usage;
}

/**
 * One row a message, of all threads and branches, in file order. Structured-cloneable and stored as it is.
 * Column shapes: n = rows; spanStart, callStart and resultStart are n + 1 long (ranges into the flat arrays).
 */
export interface MessageColumns {
  n: number;
  role: Uint8Array;
  flags: Uint16Array;
  /** Epoch milliseconds; NaN = unknown. */
  timestampMs: Float64Array;
  /** Index into `strings`; 0 = none. */
  model: Uint32Array;
  /** Index into `strings` of the model call's id; 0 = none. */
  callKey: Uint32Array;
  /** 5 numbers a row: input, cachedInput, cacheWrite, output, reasoning; NaN = unknown. */
  usage: Float64Array;
  /** UTF-16 length of all text of the message: a first estimate of size. */
  chars: Uint32Array;
  spanStart: Uint32Array;
  spanOffset: Float64Array;
  spanLength: Uint32Array;
  /** 1-based line, 0 = not line-based. */
  spanLine: Uint32Array;
  callStart: Uint32Array;
  /** Index into `strings` of each call's id / tool name. */
  callIds: Uint32Array;
  callNames: Uint32Array;
  resultStart: Uint32Array;
  resultCallIds: Uint32Array;
  /** 1 = error. */
  resultErrors: Uint8Array;
  /** strings[0] is ''. */
  strings: string[];
}

/** Which line of a trajectory is looked at. `branch` absent = the main line. */
export interface LineRef { thread: string; branch?: string }
