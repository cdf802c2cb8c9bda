/**
 * Context blocks (model.md §2): VISTA's addressable unit over one line of a thread. Base blocks come from messages
 * alone; blocks that operations make (handles, notices, …) live in a replay.
 */
export const BLOCK_KINDS = [
  'system', 'task', 'user', 'assistant', 'tool_result', 'recovered', 'handle', 'placeholder', 'summary', 'notice',
] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

/** One row a base block, in admission order. Structured-cloneable; stored as a derived column set. */
export interface BlockTable {
  n: number;
  /** Index into BLOCK_KINDS. */
  kind: Uint8Array;
  /** Position of the message in the line. */
  messageIndex: Uint32Array;
  /** Parts [partFrom, partTo) of that message. */
  partFrom: Uint16Array;
  partTo: Uint16Array;
  /** First step whose C_t holds it; system and task: 1. A block after the last call has steps + 1. */
  bornStep: Uint32Array;
  /** Block index of the assistant block that called it (tool results); -1 = none. */
  parent: Int32Array;
  /** Tokens of the content that counts as context (reasoning only where countsReasoning), without message overhead. */
  tokens: Uint32Array;
  /** Of which reasoning (drawn apart; 0 when it does not count). */
  reasoningTokens: Uint32Array;
  chars: Uint32Array;
  bytes: Float64Array;
  isError: Uint8Array;
  /** Result says that it was cut or paginated. */
  incomplete: Uint8Array;
  /** Index into `strings`; 0 = none. */
  toolName: Uint32Array;
  /** SHA-256 (hex) of the block's text. */
  contentHash: string[];
  /** First line of the content, at most 160 characters, for tables. */
  preview: string[];
  /** Extractive stand-in (first and last sentences, paths, identifiers, numbers, errors), at most 400 characters. */
  gist: string[];
  /** Tool results: their first 240 characters, what a skeleton keeps of them; other blocks: ''. */
  head: string[];
  strings: string[];
  /** Does `tokens` come from the tokenizer ('exact') or from bytes / 4 until it has been counted ('estimated')? */
  tokensAre: 'exact' | 'estimated';
  encoding: EncodingName;
}

export type EncodingName = 'o200k_base' | 'cl100k_base';

/** Facts of one line that every analysis needs. */
export interface LineFacts {
  /** Number of model calls. */
  steps: number;
  /** Step → position of its assistant message in the line (index 0 = step 1). */
  stepMessage: Uint32Array;
  /** Measured input tokens a step (input + cached + cache write); NaN = not recorded. */
  measuredInput: Float64Array;
  measuredCached: Float64Array;
  measuredOutput: Float64Array;
  /** Tokens of tool schemas (minified JSON) + system prompt, each once. */
  fixedOverhead: number;
  toolSchemaTokens: number;
  countsReasoning: boolean;
}

/** Documented per-message overhead: 4 tokens a message, 3 once. */
export const TOKENS_PER_MESSAGE = 4;
export const TOKENS_ONCE = 3;
