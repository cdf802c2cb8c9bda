/**
 * What the columns of a table mean, by their names. Names are compared in lower case with `_` between words, so that
 * `toolCallId`, `Tool call id` and `tool_call_id` are one.
 */

export type ColumnMeaning = 'role' | 'content' | 'toolName' | 'toolCallId' | 'toolCalls' | 'group' | 'time' | 'order' | 'model' | 'usage' | 'title' | 'reasoning' | 'tools';

/** Names by meaning, the likeliest first. */
export const NAMES: Readonly<Record<ColumnMeaning, readonly string[]>> = {
  role: ['role', 'message_role', 'author_role', 'speaker', 'from'],
  content: ['content', 'message_content', 'message', 'text', 'value', 'body'],
  toolName: ['tool_name', 'function_name', 'name'],
  toolCallId: ['tool_call_id', 'call_id'],
  toolCalls: ['tool_calls', 'function_call'],
  group: ['trajectory_id', 'traj_id', 'session_id', 'conversation_id', 'thread_id', 'chat_id', 'run_id', 'trace_id', 'episode_id', 'dialog_id', 'dialogue_id', 'instance_id', 'task_id', 'conversation', 'session', 'thread'],
  time: ['timestamp', 'ts', 'timestamp_ms', 'created_at', 'created', 'time', 'datetime', 'date'],
  order: ['step', 'step_index', 'index', 'message_index', 'idx', 'turn', 'turn_index', 'position', 'sequence', 'seq', 'message_no', 'ordinal'],
  model: ['model', 'model_name', 'model_id'],
  usage: ['usage', 'token_usage'],
  title: ['title', 'conversation_title', 'session_title', 'conversation_name'],
  reasoning: ['reasoning_content', 'reasoning', 'thinking'],
  tools: ['tools', 'functions', 'tool_definitions', 'tool_schemas'],
};

/** Columns with token counts; what their numbers mean is told from which of them are there. */
export const USAGE_NAMES = ['prompt_tokens', 'completion_tokens', 'cached_tokens', 'input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'reasoning_tokens', 'total_tokens'] as const;

/** A column that holds a whole list of messages: data sets keep a trajectory a row (SWE-smith, nebius, ShareGPT). */
const LIST_NAMES = ['messages', 'conversations', 'conversation', 'trajectory', 'history', 'chat', 'dialog', 'dialogue', 'turns', 'conversation_history', 'chat_history'];

export interface TableColumns {
  names: readonly string[];
  /** Column index by meaning. */
  at: Readonly<Partial<Record<ColumnMeaning, number>>>;
  /** Column indexes by name, for `USAGE_NAMES`. */
  usageAt: Readonly<Record<string, number>>;
}

export function plainName(name: string): string {
  return name.trim().replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_+|_+$/g, '');
}

export function tableColumns(names: readonly string[]): TableColumns {
  const plain = names.map(plainName);
  const at: Partial<Record<ColumnMeaning, number>> = {};
  const taken = new Set<number>();
  for (const [meaning, known] of Object.entries(NAMES) as [ColumnMeaning, readonly string[]][]) {
    for (const name of known) {
      const index = plain.indexOf(name);
      if (index < 0 || taken.has(index)) continue;
      at[meaning] = index;
      taken.add(index);
      break;
    }
  }
  const usageAt: Record<string, number> = {};
  for (const name of USAGE_NAMES) if (plain.includes(name)) usageAt[name] = plain.indexOf(name);
  return { names, at, usageAt };
}

/** How a table is read. */
export type TableRoute =
  /** A row a message. */
  | { kind: 'messages'; columns: TableColumns }
  /** A row a trajectory, its messages in the column `list`. */
  | { kind: 'conversations'; columns: TableColumns; list: number }
  /** A row an observation of Langfuse's export. */
  | { kind: 'langfuse'; columns: TableColumns };

/** null = the columns are not those of messages. */
export function tableRoute(names: readonly string[]): TableRoute | null {
  const plain = names.map(plainName);
  const columns = tableColumns(names);
  if (['trace_id', 'type', 'start_time', 'input', 'output'].every((name) => plain.includes(name))) return { kind: 'langfuse', columns };
  if (columns.at.role !== undefined && (columns.at.content !== undefined || columns.at.toolCalls !== undefined)) return { kind: 'messages', columns };
  const list = LIST_NAMES.map((name) => plain.indexOf(name)).find((index) => index >= 0);
  return list === undefined ? null : { kind: 'conversations', columns, list };
}

/** What a table needs, for people. */
export const EXPECTED_COLUMNS = 'Expected columns role and content (and, where there are, tool_calls, tool_call_id, tool_name, session_id, timestamp, step, model), one column with a list of messages (messages, conversations or trajectory), or those of a Langfuse export';
